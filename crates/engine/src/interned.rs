//! Names for as long as the process runs.
//!
//! Every cell that is read carries the names of its family and its column. A static one has no count of owners: it costs
//! nothing to share and nothing to drop, and the threads of a scan do not fight for it.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// More names of columns are not kept: in some tables they are data.
const MAX_COLUMNS: usize = 4_096;
/// Nor are longer ones.
const MAX_COLUMN_BYTES: usize = 64;

type Names = BTreeSet<&'static [u8]>;

/// The name of a family. There are few, and short ones.
pub(crate) fn family(name: &[u8]) -> &'static [u8] {
    static FAMILIES: Mutex<Names> = Mutex::new(BTreeSet::new());
    let mut families = FAMILIES.lock().unwrap_or_else(PoisonError::into_inner);
    families.get(name).copied().unwrap_or_else(|| keep(&mut families, name))
}

/// The name of a column; `None` when it is not to be kept.
pub(crate) fn column(name: &[u8]) -> Option<&'static [u8]> {
    static COLUMNS: Mutex<Names> = Mutex::new(BTreeSet::new());
    column_among(&mut COLUMNS.lock().unwrap_or_else(PoisonError::into_inner), name)
}

fn column_among(columns: &mut Names, name: &[u8]) -> Option<&'static [u8]> {
    match columns.get(name) {
        Some(kept) => Some(kept),
        None if name.len() > MAX_COLUMN_BYTES || columns.len() >= MAX_COLUMNS => None,
        None => Some(keep(columns, name)),
    }
}

fn keep(names: &mut Names, name: &[u8]) -> &'static [u8] {
    let name: &'static [u8] = Box::leak(name.to_vec().into_boxed_slice());
    names.insert(name);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_once() {
        assert_eq!(family(b"f").as_ptr(), family(b"f").as_ptr());
        assert_eq!(column(b"c").map(<[u8]>::as_ptr), column(b"c").map(<[u8]>::as_ptr));
    }

    #[test]
    fn not_everything_is_kept() {
        let mut columns = Names::new();
        assert_eq!(column_among(&mut columns, &[b'x'; MAX_COLUMN_BYTES + 1]), None);
        let mut is_kept = |number: usize| column_among(&mut columns, number.to_string().as_bytes()).is_some();
        assert_eq!((0..2 * MAX_COLUMNS).filter(|&number| is_kept(number)).count(), MAX_COLUMNS);
        assert!(is_kept(0) && !is_kept(MAX_COLUMNS));
    }
}
