//! Where in a row key the entity and the time are.

use bytes::Bytes;
use tablesmith_model::series::Span;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_store::KeySlice;
use tablesmith_store::aggregate::{KeyPlace, KeyTime, KeyUnit};

use crate::series::window::Window;
use crate::series::{Series, SeriesError};

/// Where in a row key the entity and the time are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub entity: KeySlice,
    /// The time, or the beginning of the row's stretch; `None` where rows hold everything.
    pub time: Option<KeyTime>,
    prefix_bytes: usize,
    time_first: bool,
}

impl Series {
    pub(super) fn shape(&self) -> Shape {
        let unit = match self.keys.time_type {
            ValueType::Timestamp => KeyUnit::Micros,
            ValueType::Date => KeyUnit::Days,
            _ => KeyUnit::Number,
        };
        let time_bytes = match (self.layout.span, unit) {
            (Span::Unbounded, _) => 0,
            (_, KeyUnit::Days) => 4,
            (_, KeyUnit::Micros | KeyUnit::Number) => 8,
        };
        let (prefix_bytes, time_first) = (self.layout.prefix_bytes(), self.keys.is_time_first());
        let (entity, place) = if time_first {
            let front = prefix_bytes + time_bytes;
            (KeySlice::Inner { front, back: 0 }, KeyPlace::FromFront(prefix_bytes))
        } else {
            let entity = KeySlice::Inner { front: prefix_bytes, back: time_bytes };
            (entity, KeyPlace::FromBack(time_bytes))
        };
        let time = (self.layout.span != Span::Unbounded).then_some(KeyTime { place, unit });
        Shape { entity, time, prefix_bytes, time_first }
    }

    /// Whether all times of a window have keys of the same length: only the least number there is takes more bytes.
    pub(super) fn has_even_keys(&self, window: Window) -> bool {
        let is_number = self.keys.time_type == ValueType::Int && self.layout.span != Span::Unbounded;
        !is_number || self.columns.offsets.start(window.first) != i64::MIN
    }

    /// The entity of the part of a key that has it.
    pub(super) fn entity_of(
        &self,
        shape: Shape,
        part: &[u8],
        window: Window,
    ) -> Result<Vec<Value>, SeriesError> {
        let time = self.keys.time_bytes(window.first)?;
        let prefix = vec![0; shape.prefix_bytes];
        let key = match shape.time_first {
            true => [&prefix[..], &time, part].concat(),
            false => [&prefix[..], part, &time].concat(),
        };
        Ok(self.keys.read(&key, self.layout.span)?.entity)
    }

    /// The part of an entity's keys that has it.
    pub(super) fn part_of(
        &self,
        shape: Shape,
        entity: &[Value],
        window: Window,
    ) -> Result<Bytes, SeriesError> {
        let key = self.keys.key(entity, window.first)?;
        Ok(Bytes::copy_from_slice(shape.entity.of(&key)))
    }
}
