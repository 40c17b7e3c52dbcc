//! A packed cell with some readings written anew and others removed.

use std::collections::BTreeMap;

use super::{PackedError, Packer, entries};
use crate::value::CellEncoding;

/// What becomes of one reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It gets these values, `None` for null.
    Write(Vec<Option<Vec<u8>>>),
    /// It goes.
    Remove,
}

/// The cell after changes by offset; a cell that is not there yet is empty.
pub fn changed(
    cell: Option<&[u8]>,
    encodings: &[CellEncoding],
    changes: &BTreeMap<u64, Change>,
) -> Result<Vec<u8>, PackedError> {
    let mut packer = Packer::new(encodings);
    let mut changes = changes.iter().peekable();
    for old in cell.into_iter().flat_map(|cell| entries(cell, encodings)) {
        let old = old?;
        while let Some((offset, change)) = changes.next_if(|(offset, _)| **offset < old.offset) {
            write(&mut packer, *offset, change);
        }
        let is_added = match changes.next_if(|(offset, _)| **offset == old.offset) {
            Some((offset, change)) => write(&mut packer, *offset, change),
            None => packer.push_entry(old.offset, old.entry),
        };
        debug_assert!(is_added, "offsets of a cell and of a map rise");
    }
    for (offset, change) in changes {
        write(&mut packer, *offset, change);
    }
    Ok(packer.finish())
}

fn write(packer: &mut Packer<'_>, offset: u64, change: &Change) -> bool {
    match change {
        Change::Write(values) => packer.push(offset, values),
        Change::Remove => true,
    }
}
