//! Which columns depend on the entity alone: a station's name is the same in all its readings.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use tablesmith_model::value::Value;

/// Readings that an entity must have on average before nothing but equal values means something.
const READINGS_LEAST: f64 = 3.0;

/// Columns that may depend on the entity alone, as far as rows have shown.
pub struct FixedColumns {
    /// Places among the table's columns.
    candidates: Vec<usize>,
    /// What each entity had there: a hash of the value for each place; 0 while it had none.
    seen: HashMap<u64, Vec<u64>>,
    hasher: RandomState,
    rows: u64,
}

impl FixedColumns {
    /// All columns at these places may.
    pub fn new(candidates: Vec<usize>) -> Self {
        Self { candidates, seen: HashMap::new(), hasher: RandomState::new(), rows: 0 }
    }

    /// Takes a row of an entity. A value that is missing says nothing.
    pub fn take(&mut self, entity: u64, values: &[Value]) {
        self.rows += 1;
        if self.candidates.is_empty() {
            return;
        }
        let places = self.candidates.len();
        let seen = self.seen.entry(entity).or_insert_with(|| vec![0; places]);
        let mut broken = false;
        for (before, place) in seen.iter_mut().zip(&mut self.candidates) {
            let Some(value) = values.get(*place).filter(|value| !value.is_null()) else { continue };
            let now = self.hasher.hash_one(value) | 1;
            if *before != 0 && *before != now {
                *place = usize::MAX;
                broken = true;
            }
            *before = now;
        }
        if broken {
            self.drop_broken();
        }
    }

    /// Forgets entities that are not to be kept.
    pub fn retain(&mut self, keep: impl Fn(u64) -> bool) {
        self.seen.retain(|entity, _| keep(*entity));
    }

    fn drop_broken(&mut self) {
        let keep: Vec<bool> = self.candidates.iter().map(|place| *place != usize::MAX).collect();
        for seen in self.seen.values_mut() {
            let mut kept = keep.iter();
            seen.retain(|_| kept.next().copied().unwrap_or(false));
        }
        self.candidates.retain(|place| *place != usize::MAX);
    }

    /// The places of the columns that never differed within an entity, once entities have had readings enough.
    pub fn found(&self, entities: f64) -> Vec<usize> {
        let enough = self.rows as f64 >= READINGS_LEAST * entities.max(1.0);
        let has_values =
            |index: usize| self.seen.values().any(|seen| seen.get(index).is_some_and(|value| *value != 0));
        let found = self.candidates.iter().enumerate().filter(|(index, _)| enough && has_values(*index));
        found.map(|(_, place)| *place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(entity: u64, name: &str, bikes: i64) -> (u64, [Value; 3]) {
        (entity, [Value::Int(entity as i64), Value::String(name.to_owned()), Value::Int(bikes)])
    }

    fn found(rows: &[(u64, [Value; 3])]) -> Vec<usize> {
        let mut fixed = FixedColumns::new(vec![1, 2]);
        rows.iter().for_each(|(entity, values)| fixed.take(*entity, values));
        fixed.found(2.0)
    }

    #[test]
    fn a_name_that_stays_is_fixed_and_a_reading_is_not() {
        let rows: Vec<_> = (0..4).flat_map(|at| [row(1, "north", at), row(2, "south", 7)]).collect();
        assert_eq!(found(&rows), [1]);
    }

    #[test]
    fn one_other_value_is_enough_and_few_rows_are_not() {
        let mut rows: Vec<_> = (0..4).flat_map(|at| [row(1, "north", at), row(2, "south", at)]).collect();
        rows.push(row(2, "south-west", 1));
        assert_eq!(found(&rows), Vec::<usize>::new());
        assert_eq!(found(&[row(1, "a", 1), row(2, "b", 2)]), Vec::<usize>::new());
    }
}
