//! Readings as a plain list: what every layout must answer.

use std::collections::{BTreeMap, BTreeSet};

use tablesmith_access::series::{Difference, Entities, GroupBy, SeriesGroup};
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;

#[derive(Default)]
pub struct List(BTreeMap<(Vec<Value>, i64), Vec<Value>>);

/// Count, sum, least and greatest of whole numbers.
pub type Sums = BTreeMap<SeriesGroup, (u64, i128, i64, i64)>;

impl List {
    pub fn write(&mut self, readings: &[Reading]) {
        for reading in readings {
            let key = (reading.entity.clone(), reading.at);
            if reading.metrics.iter().all(Value::is_null) {
                self.0.remove(&key);
            } else {
                self.0.insert(key, reading.metrics.clone());
            }
        }
    }

    pub fn delete(&mut self, keys: &[(Vec<Value>, i64)]) {
        keys.iter().for_each(|key| drop(self.0.remove(key)));
    }

    pub fn expire(&mut self, before: i64) {
        self.0.retain(|(_, at), _| *at >= before);
    }

    pub fn keys(&self) -> Vec<(Vec<Value>, i64)> {
        self.0.keys().cloned().collect()
    }

    /// Readings of a range, by entity and time, with the metrics at these places.
    pub fn range(&self, entities: &Entities, from: i64, to: i64, metrics: &[usize]) -> Vec<Reading> {
        let is_wanted = |entity: &Vec<Value>| match entities {
            Entities::All => true,
            Entities::These(these) => these.contains(entity),
        };
        let reading = |((entity, at), values): (&(Vec<Value>, i64), &Vec<Value>)| Reading {
            entity: entity.clone(),
            at: *at,
            metrics: metrics.iter().map(|metric| values[*metric].clone()).collect(),
        };
        let all = self.0.iter().filter(|((entity, at), _)| is_wanted(entity) && (from..to).contains(at));
        all.map(reading).filter(|reading| !reading.is_empty()).collect()
    }

    pub fn latest(&self, entity: &[Value], n: usize, metrics: &[usize]) -> Vec<Reading> {
        let these = Entities::These(vec![entity.to_vec()]);
        self.range(&these, i64::MIN, i64::MAX, metrics).into_iter().rev().take(n).collect()
    }

    pub fn sums(&self, entities: &Entities, from: i64, to: i64, metric: usize, group: GroupBy) -> Sums {
        let mut sums = Sums::new();
        for reading in self.range(entities, from, to, &[metric]) {
            let Value::Int(value) = reading.metrics[0] else { continue };
            let bucket = |width: u64| reading.at.div_euclid(width as i64) * width as i64;
            let (entity, bucket) = match group {
                GroupBy::All => (None, None),
                GroupBy::Entity => (Some(reading.entity.clone()), None),
                GroupBy::Bucket(width) => (None, Some(bucket(width))),
                GroupBy::EntityAndBucket(width) => (Some(reading.entity.clone()), Some(bucket(width))),
            };
            let sum = sums.entry(SeriesGroup { entity, bucket }).or_insert((0, 0, i64::MAX, i64::MIN));
            *sum = (sum.0 + 1, sum.1 + i128::from(value), sum.2.min(value), sum.3.max(value));
        }
        sums
    }

    pub fn compare(&self, first: i64, second: i64) -> Difference {
        let at = |at: i64| -> BTreeSet<&Vec<Value>> {
            self.0.keys().filter(|key| key.1 == at).map(|key| &key.0).collect()
        };
        let (first, second) = (at(first), at(second));
        Difference {
            appeared: second.difference(&first).map(|entity| (*entity).clone()).collect(),
            gone: first.difference(&second).map(|entity| (*entity).clone()).collect(),
        }
    }
}
