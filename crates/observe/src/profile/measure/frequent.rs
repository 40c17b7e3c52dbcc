//! The frequent values: counts of all while they are few, then those that Misra and Gries (1982) keep.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::distinct::HyperLogLog;
use crate::profile::found::Count;

/// Up to this many different values are counted one by one.
const EXACT: usize = 4_096;
/// Beyond, so many counters are kept: a value with more than 1 / (KEPT + 1) of all rows is among them.
const KEPT: usize = 255;
/// Longer values are cut: they only serve to be shown.
const SHOWN_BYTES: usize = 200;

/// Values with their number of rows.
#[derive(Debug, Default)]
pub struct Frequent {
    counters: HashMap<u64, Counter, BuildHasherDefault<Hashed>>,
    /// Once there are too many different values to count them all.
    beyond: Option<HyperLogLog>,
}

#[derive(Debug)]
struct Counter {
    count: u64,
    value: Box<[u8]>,
}

/// Keys are hashes already.
#[derive(Default)]
pub struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Frequent {
    /// Sees a value with its hash; whether it may be a new one.
    pub fn see(&mut self, hash: u64, value: &[u8]) -> bool {
        if let Some(counter) = self.counters.get_mut(&hash) {
            // What is counted is in the sketch too.
            counter.count += 1;
            return false;
        }
        if self.beyond.is_none() && self.counters.len() >= EXACT {
            self.go_beyond();
        }
        if let Some(sketch) = &mut self.beyond {
            sketch.add(hash);
            if self.counters.len() >= KEPT {
                self.take_one_from_each();
                return true;
            }
        }
        let value = value.get(..SHOWN_BYTES).unwrap_or(value).into();
        self.counters.insert(hash, Counter { count: 1, value });
        true
    }

    /// From here on the number of different values is estimated, and few are counted.
    fn go_beyond(&mut self) {
        let mut sketch = HyperLogLog::default();
        self.counters.keys().for_each(|hash| sketch.add(*hash));
        self.beyond = Some(sketch);
        let mut counts: Vec<u64> = self.counters.values().map(|counter| counter.count).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        // The largest count of those that must go is taken off all: what is left is a lower bound, as it is later.
        self.take(counts.get(KEPT).copied().unwrap_or_default());
        self.counters.shrink_to_fit();
    }

    /// What Misra and Gries do with a value for which there is no room.
    fn take_one_from_each(&mut self) {
        self.take(1);
    }

    fn take(&mut self, rows: u64) {
        self.counters.retain(|_, counter| {
            counter.count = counter.count.saturating_sub(rows);
            counter.count > 0
        });
    }

    /// How many different values there are.
    pub fn distinct(&self) -> Count {
        match &self.beyond {
            Some(sketch) => Count { count: sketch.estimate(), exact: false },
            None => Count { count: self.counters.len() as u64, exact: true },
        }
    }

    /// The most frequent values with at least so many rows (a lower bound beyond the exact part), largest first.
    pub fn most(&self, limit: usize, at_least: u64) -> Vec<(String, u64)> {
        let mut most: Vec<&Counter> =
            self.counters.values().filter(|counter| counter.count >= at_least).collect();
        most.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        most.truncate(limit);
        most.into_iter()
            .map(|counter| (String::from_utf8_lossy(&counter.value).into_owned(), counter.count))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash;
    use super::*;

    fn of(values: impl Iterator<Item = u64>) -> Frequent {
        let mut frequent = Frequent::default();
        for value in values {
            let text = value.to_string();
            frequent.see(hash(text.as_bytes()), text.as_bytes());
        }
        frequent
    }

    #[test]
    fn few_values_are_counted_exactly() {
        let frequent = of((0..300_000).map(|row| row % 3_000).chain([7, 7, 9]));
        assert_eq!(frequent.distinct(), Count { count: 3_000, exact: true });
        assert_eq!(frequent.most(2, 0), [("7".to_owned(), 102), ("9".to_owned(), 101)]);
    }

    #[test]
    fn a_frequent_value_is_found_among_many() {
        // One row in ten is 0; the others are all different.
        let frequent = of((0..200_000).map(|row| if row % 10 == 0 { 0 } else { row }));
        let most = frequent.most(5, 10_000);
        assert_eq!(most.len(), 1, "{most:?}");
        assert_eq!(most[0].0, "0");
        assert!((20_000 - 200_000 / KEPT as u64..=20_000).contains(&most[0].1), "{most:?}");
        let distinct = frequent.distinct();
        assert!(!distinct.exact && distinct.count.abs_diff(180_001) < 5_000, "{distinct:?}");
        assert!(frequent.counters.len() <= KEPT);
    }
}
