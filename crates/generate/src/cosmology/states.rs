//! All particles of all snapshots: snapshot by snapshot, kind by kind, by id.

use std::ops::Range;

use super::census::{Census, Kind, SNAPSHOTS};
use super::particle::State;

/// The states, one after the other.
#[derive(Clone, Debug)]
pub struct States {
    census: Census,
    seed: u64,
    /// What comes after `ids`, the last first.
    rest: Vec<(u32, Kind)>,
    snapshot: u32,
    kind: Kind,
    ids: Range<u64>,
}

impl States {
    /// All states; the same seed gives the same ones.
    pub fn new(census: Census, seed: u64) -> Self {
        let mut rest = Vec::new();
        for snapshot in SNAPSHOTS {
            rest.extend(census.kinds().iter().map(|kind| (snapshot, *kind)));
        }
        rest.reverse();
        Self { census, seed, rest, snapshot: 0, kind: Kind::Star, ids: 0..0 }
    }
}

impl Iterator for States {
    type Item = State;

    fn next(&mut self) -> Option<State> {
        loop {
            if let Some(id) = self.ids.next() {
                return Some(State::new(self.census, self.seed, self.snapshot, self.kind, id));
            }
            (self.snapshot, self.kind) = self.rest.pop()?;
            self.ids = self.census.ids(self.kind, self.snapshot);
        }
    }
}
