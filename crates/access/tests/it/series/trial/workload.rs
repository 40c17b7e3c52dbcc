//! Random readings: late, twice, corrected, deleted.

use tablesmith_model::series::Reading;
use tablesmith_model::value::{Value, ValueType};

use super::layouts::{Kind, METRICS};
use super::list::List;
use crate::random::Random;

const ENTITIES: usize = 5;
/// Times lie in a stretch of so many steps.
const STEPS: usize = 120;

/// What readings of a kind are like.
pub struct Workload {
    pub kind: Kind,
    /// The step that the first time has.
    pub first: i64,
    /// Times before this are over.
    pub expired: i64,
}

impl Workload {
    /// Readings around 1970 or later; times that can be versions lie behind 1970.
    pub fn new(random: &mut Random, kind: Kind, can_be_negative: bool) -> Self {
        let first = if can_be_negative && random.one_in(2) { -60 } else { random.below(200) as i64 };
        Self { kind, first, expired: i64::MIN }
    }

    /// A time, also one that no reading has.
    pub fn time(&self, random: &mut Random) -> i64 {
        (self.first + random.below(STEPS) as i64) * self.kind.step
    }

    pub fn entity(&self, random: &mut Random) -> Vec<Value> {
        let number = random.below(ENTITIES);
        let value = |(place, (_, value_type)): (usize, &(&str, ValueType))| match value_type {
            // Two cities, with stations of the same numbers.
            ValueType::String => Value::String(["a", "a\0", "ab", "", "ä"][number >> (place * 2)].to_owned()),
            ValueType::Bool => Value::Bool(number.is_multiple_of(2)),
            _ => Value::Int([0, -1, 10, 1, i64::MAX][number]),
        };
        self.kind.entity.iter().enumerate().map(value).collect()
    }

    /// Some readings, a few of them twice, with times that come in no order.
    pub fn readings(&self, random: &mut Random, list: &List) -> Vec<Reading> {
        let known = list.keys();
        let mut readings = Vec::new();
        for _ in 0..1 + random.below(30) {
            let (entity, at) = match random.below(4) {
                0 if !known.is_empty() => random.pick(&known).clone(),
                _ => (self.entity(random), self.time(random)),
            };
            if at >= self.expired {
                readings.push(Reading { entity, at, metrics: metrics(random) });
            }
        }
        readings
    }

    /// Readings that are deleted, also some that are not there.
    pub fn deleted(&self, random: &mut Random, list: &List) -> Vec<(Vec<Value>, i64)> {
        let known = list.keys();
        let one = |random: &mut Random| match random.one_in(4) || known.is_empty() {
            true => (self.entity(random), self.time(random)),
            false => random.pick(&known).clone(),
        };
        let keys = (0..random.below(12)).map(|_| one(random)).collect::<Vec<_>>();
        keys.into_iter().filter(|(_, at)| *at >= self.expired).collect()
    }
}

/// Values of all metrics; now and then none at all.
fn metrics(random: &mut Random) -> Vec<Value> {
    if random.one_in(15) {
        return vec![Value::Null; METRICS.len()];
    }
    let value = |random: &mut Random, value_type| match value_type {
        _ if random.one_in(4) => Value::Null,
        ValueType::Int => Value::Int(random.next() as i64 >> random.below(64)),
        ValueType::Float => Value::Float(random.below(1_000) as f64 / 8.0),
        ValueType::Bytes => Value::Bytes(vec![0xFF; random.below(3)]),
        _ => Value::String(["", "x", "ÿ", "longer text\0"][random.below(4)].to_owned()),
    };
    METRICS.iter().map(|(_, value_type)| value(random, *value_type)).collect()
}
