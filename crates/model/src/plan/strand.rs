//! One of several ranges whose rows, merged, come in the order of their ids.
//!
//! The *id* of a row is its key without the prefixes that spread rows over regions:
//!
//! ```text
//!   key   │ const │ md5_mod │ user │ at │        prefix: the bytes up to the tail, the same in all keys of a strand
//!         └───────┴─────────┴──────┴────┘        head:   what of the prefix belongs to the id
//!   id    │ const │         │ user │ at │        tail:   the rest of the key
//!           head              tail
//! ```
//!
//! Inside a strand rows come in the order of their ids already. No part of a key begins another, so ids of all strands
//! compare as pairs of head and tail.

use std::cmp::Ordering;

use super::KeyRange;
use crate::row::successor;

/// A range of keys with one prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strand {
    /// The keys.
    pub range: KeyRange,
    /// What all its keys begin with.
    pub prefix: Vec<u8>,
    /// What of the prefix belongs to the id; mostly nothing.
    pub head: Vec<u8>,
}

impl Strand {
    /// What follows the prefix in a key of the strand.
    pub fn tail<'k>(&self, key: &'k [u8]) -> &'k [u8] {
        key.get(self.prefix.len()..).unwrap_or_default()
    }

    /// The id of a key of the strand.
    pub fn id(&self, key: &[u8]) -> Vec<u8> {
        [&self.head, self.tail(key)].concat()
    }

    /// Whether a key lies in it.
    pub fn contains(&self, key: &[u8]) -> bool {
        *key >= *self.range.start && self.range.end.as_ref().is_none_or(|end| key < end.as_slice())
    }

    /// Leaves out the rows before an id, and those with that id unless it is included.
    pub fn begin_at(&mut self, id: &[u8], is_included: bool) {
        match self.place(id) {
            Place::Key(key) => {
                let start = if is_included { key } else { successor(&key) };
                self.range.start = std::mem::take(&mut self.range.start).max(start);
            }
            Place::Before => {}
            Place::Behind => self.empty(),
        }
    }

    /// Leaves out the rows behind an id, and those with that id unless it is included.
    pub fn end_at(&mut self, id: &[u8], is_included: bool) {
        match self.place(id) {
            Place::Key(key) => {
                let end = if is_included { successor(&key) } else { key };
                self.range.end = match self.range.end.take() {
                    Some(old) if old < end => Some(old),
                    _ => Some(end),
                };
            }
            Place::Before => self.empty(),
            Place::Behind => {}
        }
    }

    fn empty(&mut self) {
        self.range.end = Some(self.range.start.clone());
    }

    fn place(&self, id: &[u8]) -> Place {
        match id.strip_prefix(self.head.as_slice()) {
            Some(tail) => Place::Key([&self.prefix, tail].concat()),
            None if id.cmp(self.head.as_slice()) == Ordering::Less => Place::Before,
            None => Place::Behind,
        }
    }
}

/// Where an id lies as seen from a strand.
enum Place {
    /// Here it would be.
    Key(Vec<u8>),
    /// Before all its rows.
    Before,
    /// Behind all its rows.
    Behind,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strand() -> Strand {
        Strand { range: KeyRange::prefix(b"a7".to_vec()), prefix: b"a7".to_vec(), head: b"a".to_vec() }
    }

    #[test]
    fn an_id_is_the_key_without_the_prefix() {
        assert_eq!((strand().id(b"a7xy"), strand().tail(b"a7xy")), (b"axy".to_vec(), &b"xy"[..]));
        assert!(strand().contains(b"a7") && strand().contains(b"a7z") && !strand().contains(b"a8"));
    }

    #[test]
    fn a_strand_is_cut_at_an_id() {
        let cut = |change: fn(&mut Strand)| {
            let mut strand = strand();
            change(&mut strand);
            if strand.range.is_empty() { "nothing".to_owned() } else { strand.range.to_string() }
        };
        assert_eq!(cut(|strand| strand.begin_at(b"am", true)), "[a7m, a8)");
        assert_eq!(cut(|strand| strand.begin_at(b"am", false)), "[a7m\\x00, a8)");
        assert_eq!(cut(|strand| strand.end_at(b"am", true)), "[a7, a7m\\x00)");
        assert_eq!(cut(|strand| strand.end_at(b"am", false)), "[a7, a7m)");
        assert_eq!(cut(|strand| strand.begin_at(b"X", true)), "[a7, a8)", "all of it comes later");
        assert_eq!(cut(|strand| strand.begin_at(b"b", true)), "nothing", "all of it came before");
        assert_eq!(cut(|strand| strand.end_at(b"X", true)), "nothing");
        assert_eq!(cut(|strand| strand.end_at(b"b", true)), "[a7, a8)");
    }

    #[test]
    fn a_cut_never_makes_a_strand_longer() {
        let mut strand = strand();
        strand.begin_at(b"am", true);
        strand.begin_at(b"ab", true);
        strand.end_at(b"as", false);
        strand.end_at(b"az", true);
        assert_eq!(strand.range.to_string(), "[a7m, a7s)");
    }
}
