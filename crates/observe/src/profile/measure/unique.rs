//! Whether values are unique: all are compared while they are few, then a sample chosen by hash.
//!
//! The sample holds the hashes that end in so many zero bits. Rows with the same value have the same hash, so that a
//! value is in the sample with all its rows or with none: a value that comes twice is found when it is in the sample.
//! When the sample is full, one more zero bit is asked for, which halves it (Wegman's adaptive sampling, as told by
//! Flajolet, 1990).

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::frequent::Hashed;
use crate::profile::found::Certainty;

/// A set of hashes that notices when one comes twice.
#[derive(Debug)]
pub struct UniqueSample {
    room: usize,
    hashes: HashSet<u64, BuildHasherDefault<Hashed>>,
    zero_bits: u32,
    repeated: bool,
}

impl UniqueSample {
    /// A sample of at most `room` hashes.
    pub fn with_room(room: usize) -> Self {
        Self { room, hashes: HashSet::default(), zero_bits: 0, repeated: false }
    }

    /// Sees the hash of a row; whether all are still different.
    pub fn see(&mut self, hash: u64) -> bool {
        if self.repeated || hash.trailing_zeros() < self.zero_bits {
            return !self.repeated;
        }
        if !self.hashes.insert(hash) {
            self.repeated = true;
            self.hashes = HashSet::default();
        } else if self.hashes.len() > self.room {
            self.zero_bits += 1;
            let zero_bits = self.zero_bits;
            self.hashes.retain(|hash| hash.trailing_zeros() >= zero_bits);
        }
        !self.repeated
    }

    /// How sure it is that all are different; `None` when two are alike.
    pub fn certainty(&self) -> Option<Certainty> {
        match (self.repeated, self.zero_bits) {
            (true, _) => None,
            (false, 0) => Some(Certainty::Certain),
            (false, _) => Some(Certainty::Probable),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash;
    use super::*;

    const ROOM: usize = 1 << 17;

    fn of(values: impl Iterator<Item = u64>) -> Option<Certainty> {
        let mut sample = UniqueSample::with_room(ROOM);
        for value in values {
            sample.see(hash(&value.to_le_bytes()));
        }
        sample.certainty()
    }

    #[test]
    fn few_values_are_all_compared() {
        assert_eq!(of(0..1_000), Some(Certainty::Certain));
        assert_eq!(of((0..1_000).chain([500])), None);
    }

    #[test]
    fn many_values_are_sampled_within_bounds() {
        assert_eq!(of(0..1_000_000), Some(Certainty::Probable));
        assert_eq!(of((0..1_000_000).chain(0..1_000)), None, "a thousand repeats escape the sample");
        let mut sample = UniqueSample::with_room(ROOM);
        (0..1_000_000u64).for_each(|value| {
            sample.see(hash(&value.to_le_bytes()));
        });
        assert!(sample.hashes.len() <= ROOM);
    }
}
