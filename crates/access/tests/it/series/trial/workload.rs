//! Random readings: late, twice, corrected, deleted.

use fastrand::Rng;
use tablesmith_model::series::Reading;
use tablesmith_model::value::{Value, ValueType};

use super::layouts::{Kind, METRICS};
use super::list::List;

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
    pub fn new(random: &mut Rng, kind: Kind, can_be_negative: bool) -> Self {
        let first = if can_be_negative && random.bool() { -60 } else { random.usize(..200) as i64 };
        Self { kind, first, expired: i64::MIN }
    }

    /// A time, also one that no reading has.
    pub fn time(&self, random: &mut Rng) -> i64 {
        (self.first + random.usize(..STEPS) as i64) * self.kind.step
    }

    pub fn entity(&self, random: &mut Rng) -> Vec<Value> {
        let number = random.usize(..ENTITIES);
        let value = |(place, (_, value_type)): (usize, &(&str, ValueType))| match value_type {
            // Two cities, with stations of the same numbers.
            ValueType::String => Value::String(["a", "a\0", "ab", "", "ä"][number >> (place * 2)].to_owned()),
            ValueType::Bool => Value::Bool(number.is_multiple_of(2)),
            _ => Value::Int([0, -1, 10, 1, i64::MAX][number]),
        };
        self.kind.entity.iter().enumerate().map(value).collect()
    }

    /// Some readings, a few of them twice, with times that come in no order.
    pub fn readings(&self, random: &mut Rng, list: &List) -> Vec<Reading> {
        let known = list.keys();
        let mut readings = Vec::new();
        for _ in 0..1 + random.usize(..30) {
            let (entity, at) = match random.usize(..4) {
                0 if !known.is_empty() => random.choice(&known).unwrap().clone(),
                _ => (self.entity(random), self.time(random)),
            };
            if at >= self.expired {
                readings.push(Reading { entity, at, metrics: metrics(random) });
            }
        }
        readings
    }

    /// Readings that are deleted, also some that are not there.
    pub fn deleted(&self, random: &mut Rng, list: &List) -> Vec<(Vec<Value>, i64)> {
        let known = list.keys();
        let one = |random: &mut Rng| match random.usize(..4) == 0 || known.is_empty() {
            true => (self.entity(random), self.time(random)),
            false => random.choice(&known).unwrap().clone(),
        };
        let keys = (0..random.usize(..12)).map(|_| one(random)).collect::<Vec<_>>();
        keys.into_iter().filter(|(_, at)| *at >= self.expired).collect()
    }
}

/// Values of all metrics; now and then none at all.
fn metrics(random: &mut Rng) -> Vec<Value> {
    if random.usize(..15) == 0 {
        return vec![Value::Null; METRICS.len()];
    }
    let value = |random: &mut Rng, value_type| match value_type {
        _ if random.usize(..4) == 0 => Value::Null,
        ValueType::Int => Value::Int(random.u64(..) as i64 >> random.usize(..64)),
        ValueType::Float => Value::Float(random.usize(..1_000) as f64 / 8.0),
        ValueType::Bytes => Value::Bytes(vec![0xFF; random.usize(..3)]),
        _ => Value::String(["", "x", "ÿ", "longer text\0"][random.usize(..4)].to_owned()),
    };
    METRICS.iter().map(|(_, value_type)| value(random, *value_type)).collect()
}
