//! The row key of a layout.

use super::{KeyOrder, SeriesLayout, Span, time};
use crate::key::{Key, Modulus, Part};
use crate::value::{KeyEncoding, ValueType};

/// Bytes of the digest that spreads entities.
const DIGEST_BYTES: usize = 4;

impl SeriesLayout {
    /// The row key, for a time of this type.
    pub fn key(&self, time_type: ValueType) -> Key {
        let mut parts = self.entity_parts();
        if let Some(time) = self.time_part(time_type) {
            if self.order.is_time_first() { parts.insert(0, time) } else { parts.push(time) }
        }
        if let Some(prefix) = self.prefix() {
            parts.insert(0, prefix);
        }
        Key { parts, ..Key::default() }
    }

    fn entity_parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = self.entity.iter().cloned().map(Part::Field).collect();
        if self.order == KeyOrder::ReversedEntityTime
            && let (Some(part), Some(field)) = (parts.last_mut(), self.entity.last())
        {
            *part = Part::Reverse(field.clone());
        }
        parts
    }

    fn time_part(&self, time_type: ValueType) -> Option<Part> {
        match self.span {
            Span::Each => Some(Part::Field(self.time.clone())),
            Span::Of(width) => {
                let width = time::bucket_width(time_type, width);
                Some(Part::Bucket { field: self.time.clone(), width })
            }
            Span::Unbounded => None,
        }
    }

    /// Bytes of a key before its entity and its time.
    pub fn prefix_bytes(&self) -> usize {
        match self.prefix() {
            Some(Part::Md5 { .. }) => DIGEST_BYTES,
            Some(Part::Md5Mod { modulus, .. }) => modulus.width(KeyEncoding::Binary),
            _ => 0,
        }
    }

    /// What comes before everything else.
    fn prefix(&self) -> Option<Part> {
        if self.order == KeyOrder::HashedEntityTime {
            let field = self.entity.last()?.clone();
            return Some(Part::Md5 { field, bytes: Some(DIGEST_BYTES) });
        }
        let modulus = Modulus::new(self.order.buckets()?)?;
        Some(Part::Md5Mod { fields: self.entity.clone(), modulus })
    }
}
