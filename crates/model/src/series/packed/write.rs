//! Writes a packed cell.

use super::super::entry::{self, Entry};
use super::FORMAT;
use crate::value::CellEncoding;
use crate::varint;

/// Packs readings that come in rising order.
#[derive(Clone, Debug)]
pub struct Packer<'e> {
    encodings: &'e [CellEncoding],
    bytes: Vec<u8>,
    before: Option<u64>,
}

impl<'e> Packer<'e> {
    /// A cell without readings.
    pub fn new(encodings: &'e [CellEncoding]) -> Self {
        Self { encodings, bytes: vec![FORMAT], before: None }
    }

    /// Adds a reading: the bytes of each metric, `None` for null. False, and nothing is added, when it does not come after
    /// the one before.
    #[must_use]
    pub fn push<B: AsRef<[u8]>>(&mut self, offset: u64, values: &[Option<B>]) -> bool {
        let fits = self.step_to(offset);
        if fits {
            entry::write(self.encodings, values, &mut self.bytes);
        }
        fits
    }

    /// Adds a reading as it stands in another cell with the same metrics.
    #[must_use]
    pub(super) fn push_entry(&mut self, offset: u64, entry: Entry<'_>) -> bool {
        let fits = self.step_to(offset);
        if fits {
            entry.parts().iter().for_each(|part| self.bytes.extend_from_slice(part));
        }
        fits
    }

    fn step_to(&mut self, offset: u64) -> bool {
        let step = match self.before {
            None => Some(offset),
            Some(before) => offset.checked_sub(before).filter(|step| *step > 0),
        };
        if let Some(step) = step {
            varint::write(step, &mut self.bytes);
            self.before = Some(offset);
        }
        step.is_some()
    }

    /// The bytes of the cell.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
