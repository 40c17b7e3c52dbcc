//! The qualifiers of a scan. Rows of a table mostly have the same ones.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::{interned, short};

/// Places for qualifiers; a power of two.
const PLACES: usize = 128;

/// Knows qualifiers, from the second row on.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Each at the place that its hash names. None in the first row: a get would not use them.
    places: Vec<Place>,
}

/// A qualifier that was seen at a place, last of all.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    hash: u64,
    /// From the second time on, if it is worth keeping. A qualifier that never comes again is not.
    name: Option<&'static [u8]>,
}

impl Names {
    /// From now on qualifiers may come again.
    pub fn remember(&mut self) {
        if self.places.is_empty() {
            self.places = vec![Place::default(); PLACES];
        }
    }

    /// A qualifier that came before.
    #[inline]
    pub fn known(&mut self, name: &[u8]) -> Option<&'static [u8]> {
        let hash = hash(name);
        let place = self.places.get_mut(hash as usize % PLACES)?;
        match place.name {
            Some(known) if short::equal(known, name) => Some(known),
            _ => place.meet(hash, name),
        }
    }
}

impl Place {
    #[cold]
    fn meet(&mut self, hash: u64, name: &[u8]) -> Option<&'static [u8]> {
        let came_before = self.hash == hash && self.name.is_none();
        *self = Self { hash, name: if came_before { interned::column(name) } else { None } };
        self.name
    }
}

#[inline]
fn hash(name: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_was_asked_for() {
        let mut names = Names::default();
        for round in 0..4 {
            for number in 0..3 * PLACES {
                let name = "n".repeat(number % 80) + &(number + round % 2).to_string();
                for _ in 0..3 {
                    assert!(names.known(name.as_bytes()).is_none_or(|known| known == name.as_bytes()));
                }
            }
            names.remember();
        }
    }

    #[test]
    fn a_name_is_known_when_it_comes_again() {
        let mut names = Names::default();
        assert_eq!((names.known(b"q"), names.known(b"q")), (None, None));
        names.remember();
        assert_eq!((names.known(b"q"), names.known(b"q")), (None, Some(&b"q"[..])));
        assert_eq!(names.known(b"q"), Some(&b"q"[..]));
    }
}
