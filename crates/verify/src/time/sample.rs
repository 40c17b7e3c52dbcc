//! A sample of readings: whole entities, so that what is read of one stays as long as it is.
//!
//! When there are too many readings every second entity is left out, by a hash of it. When few entities are left, the oldest
//! readings go instead.

use std::hash::{DefaultHasher, Hash, Hasher};

use tablesmith_design::time::Facts;
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;

/// Entities that a sample keeps before it begins to leave out old readings instead.
const ENTITIES_LEAST: usize = 16;

/// Takes readings and keeps a part of them.
#[derive(Debug)]
pub struct Sampler {
    most: usize,
    /// So many low bits of an entity's hash are 0 when it is kept.
    bits: u32,
    kept: Vec<Reading>,
    taken: u64,
}

/// Readings to measure with, by entity and time, each time once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The readings.
    pub readings: Vec<Reading>,
    /// How many they were taken from.
    pub of: u64,
}

impl Sample {
    /// What is known of these readings, from what is known of all.
    pub fn facts(&self, all: &Facts) -> Facts {
        let times = || self.readings.iter().map(|reading| reading.at);
        Facts {
            entities: entities(&self.readings).max(1) as f64,
            readings: self.readings.len() as f64,
            first: times().min().unwrap_or(all.first),
            last: times().max().unwrap_or(all.last),
            ..all.clone()
        }
    }

    /// The same readings with only some of their metrics, by place.
    pub fn with_metrics(mut self, places: &[usize]) -> Self {
        for reading in &mut self.readings {
            let metrics = &reading.metrics;
            reading.metrics =
                places.iter().map(|place| metrics.get(*place).cloned().unwrap_or(Value::Null)).collect();
        }
        self
    }
}

impl Sampler {
    /// Keeps at most so many.
    pub fn new(most: usize) -> Self {
        Self { most: most.max(2), bits: 0, kept: Vec::new(), taken: 0 }
    }

    /// Takes a reading.
    pub fn take(&mut self, reading: Reading) {
        self.taken += 1;
        if hash(&reading).trailing_zeros() < self.bits {
            return;
        }
        self.kept.push(reading);
        if self.kept.len() > 2 * self.most {
            self.thin();
        }
    }

    /// Halves what is kept, more or less.
    fn thin(&mut self) {
        if entities(&self.kept) >= 2 * ENTITIES_LEAST {
            self.bits += 1;
            let bits = self.bits;
            self.kept.retain(|reading| hash(reading).trailing_zeros() >= bits);
            return;
        }
        self.kept.sort_by_key(|reading| std::cmp::Reverse(reading.at));
        self.kept.truncate(self.most);
    }

    /// The sample; of readings of one entity and time the last one counts, as in every layout.
    pub fn finish(mut self) -> Sample {
        while self.kept.len() > self.most {
            self.thin();
        }
        self.kept.sort_by(|one, two| (&one.entity, one.at).cmp(&(&two.entity, two.at)));
        let mut readings: Vec<Reading> = Vec::with_capacity(self.kept.len());
        for reading in self.kept {
            match readings.last_mut() {
                Some(last) if last.entity == reading.entity && last.at == reading.at => *last = reading,
                _ => readings.push(reading),
            }
        }
        Sample { readings, of: self.taken }
    }
}

fn hash(reading: &Reading) -> u64 {
    let mut hasher = DefaultHasher::new();
    reading.entity.hash(&mut hasher);
    hasher.finish()
}

/// How many different entities readings are of.
fn entities(readings: &[Reading]) -> usize {
    let different: std::collections::HashSet<_> = readings.iter().map(|reading| &reading.entity).collect();
    different.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(stations: i64, moments: i64, most: usize) -> Sample {
        let mut sampler = Sampler::new(most);
        for at in 0..moments {
            for station in 0..stations {
                sampler.take(Reading {
                    entity: vec![Value::Int(station)],
                    at,
                    metrics: vec![Value::Int(at)],
                });
            }
        }
        sampler.finish()
    }

    #[test]
    fn what_fits_is_kept_sorted_and_once() {
        let all = sample(3, 10, 100);
        assert_eq!((all.readings.len(), all.of), (30, 30));
        assert!(all.readings.is_sorted_by(|one, two| (&one.entity, one.at) < (&two.entity, two.at)));
        let mut sampler = Sampler::new(10);
        for value in [1, 2] {
            sampler.take(Reading { entity: vec![Value::Int(7)], at: 5, metrics: vec![Value::Int(value)] });
        }
        assert_eq!(sampler.finish().readings[0].metrics, [Value::Int(2)]);
    }

    #[test]
    fn of_many_entities_some_are_kept_whole() {
        let some = sample(1_000, 20, 5_000);
        assert!((1_000..=5_000).contains(&some.readings.len()), "{}", some.readings.len());
        assert_eq!(some.readings.len(), 20 * entities(&some.readings));
    }

    #[test]
    fn of_few_entities_the_newest_readings_are_kept() {
        let newest = sample(2, 10_000, 1_000);
        assert_eq!((newest.readings.len(), entities(&newest.readings)), (1_000, 2));
        assert!(newest.readings.iter().all(|reading| reading.at >= 9_500));
    }
}
