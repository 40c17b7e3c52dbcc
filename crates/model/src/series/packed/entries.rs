//! Reads a packed cell, one reading after the other.

use super::super::entry::{self, Entry};
use super::{FORMAT, PackedError};
use crate::value::CellEncoding;
use crate::varint;

/// One reading of a packed cell.
#[derive(Clone, Copy, Debug)]
pub struct PackedEntry<'b> {
    /// How far it lies after the beginning of the row.
    pub offset: u64,
    /// Its metrics.
    pub entry: Entry<'b>,
}

/// The readings of a packed cell, in rising order; an error is the last thing that comes.
#[derive(Clone, Debug)]
pub struct Entries<'b> {
    encodings: &'b [CellEncoding],
    length: usize,
    rest: &'b [u8],
    /// The offset of the reading before; `None` before the first.
    before: Option<u64>,
    broken: Option<&'static str>,
}

/// The readings of a packed cell whose metrics are written so.
pub fn entries<'b>(bytes: &'b [u8], encodings: &'b [CellEncoding]) -> Entries<'b> {
    let (rest, broken) = match bytes {
        [FORMAT, rest @ ..] => (rest, None),
        _ => (bytes, Some("the first byte is not that of a packed cell")),
    };
    Entries { encodings, length: bytes.len(), rest, before: None, broken }
}

impl<'b> Entries<'b> {
    fn read(&mut self) -> Result<PackedEntry<'b>, &'static str> {
        let (step, rest) = varint::read(self.rest).ok_or("there is no offset")?;
        let offset = match self.before {
            None => step,
            Some(_) if step == 0 => return Err("an offset stands there twice"),
            Some(before) => before.checked_add(step).ok_or("an offset is too great")?,
        };
        let (entry, rest) = entry::read(self.encodings, rest).ok_or("a value is cut off")?;
        (self.rest, self.before) = (rest, Some(offset));
        Ok(PackedEntry { offset, entry })
    }
}

impl<'b> Iterator for Entries<'b> {
    type Item = Result<PackedEntry<'b>, PackedError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (length, at) = (self.length, self.length - self.rest.len());
        if let Some(reason) = self.broken.take() {
            self.rest = &[];
            return Some(Err(PackedError { length, at, reason }));
        }
        if self.rest.is_empty() {
            return None;
        }
        Some(self.read().map_err(|reason| {
            self.rest = &[];
            PackedError { length, at, reason }
        }))
    }
}
