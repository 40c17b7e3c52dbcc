//! From the rows and conditions of a statement to data points and time ranges, and back.

use std::ops::Bound;

use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::series::{Reading, time};
use tablesmith_model::value::Value;

use super::{Entities, RangeQuery, Series, SeriesError};

/// More combinations of values than this are not asked for one by one.
const MOST_ENTITIES: usize = 1_000;

impl Series {
    /// The reading that a row is, its values in the order of the table's columns.
    pub fn reading(&self, values: &[Value]) -> Result<Reading, SeriesError> {
        let reading = Reading::of_row(&self.layout, &self.table, values)?;
        self.check(&reading)?;
        Ok(reading)
    }

    /// What is asked of the store for conditions: all that meets them, and perhaps more.
    pub(super) fn query_of(&self, conditions: &[Condition], metrics: Vec<String>) -> RangeQuery {
        let (from, to) = self.bounds_of(conditions);
        RangeQuery { entities: self.entities_of(conditions), from, to, metrics }
    }

    /// The entities that conditions name, when every column of the entity is named and there are not too many.
    pub(crate) fn entities_of(&self, conditions: &[Condition]) -> Entities {
        let mut entities: Vec<Vec<Value>> = vec![Vec::new()];
        for column in &self.layout.entity {
            let values = conditions.iter().find_map(|condition| match &condition.test {
                Test::In(values) if condition.column == *column => Some(values),
                _ => None,
            });
            let Some(values) = values else { return Entities::All };
            if entities.len().saturating_mul(values.len()) > MOST_ENTITIES {
                return Entities::All;
            }
            let with = |entity: &Vec<Value>, value: &Value| {
                [entity.as_slice(), std::slice::from_ref(value)].concat()
            };
            entities = entities
                .iter()
                .flat_map(|entity| values.iter().map(move |value| with(entity, value)))
                .collect();
        }
        // Whoever is named twice is not to come twice.
        entities.sort_unstable();
        entities.dedup();
        Entities::These(entities)
    }

    /// The times that conditions leave.
    fn bounds_of(&self, conditions: &[Condition]) -> (i64, i64) {
        let (mut from, mut to) = (i64::MIN, i64::MAX);
        for condition in conditions.iter().filter(|condition| condition.column == self.layout.time) {
            let (low, high) = match &condition.test {
                Test::In(values) => {
                    let numbers = || values.iter().map(floor);
                    (
                        numbers().min().flatten(),
                        numbers().max().flatten().and_then(|last| last.checked_add(1)),
                    )
                }
                Test::Between(low, high) => (bound(low), bound(high).and_then(|last| last.checked_add(1))),
                Test::IsNull => (Some(i64::MAX), Some(i64::MIN)),
            };
            (from, to) = (low.map_or(from, |low| from.max(low)), high.map_or(to, |high| to.min(high)));
        }
        (from, to)
    }

    pub(super) fn places<'c>(
        &self,
        columns: impl IntoIterator<Item = &'c String>,
    ) -> Result<Vec<Place>, SeriesError> {
        columns.into_iter().map(|column| self.place(column)).collect()
    }

    fn place(&self, column: &String) -> Result<Place, SeriesError> {
        let of = |columns: &[String]| columns.iter().position(|name| name == column);
        if *column == self.layout.time {
            return Ok(Place::Time);
        }
        let entity = of(&self.layout.entity).map(Place::Entity);
        let known = || self.layout.metrics.join(", ");
        entity
            .or_else(|| of(&self.layout.metrics).map(Place::Metric))
            .ok_or_else(|| SeriesError::NoMetric { metric: column.clone(), known: known() })
    }

    /// The value of a column in a reading of these metrics.
    pub(super) fn value(&self, reading: &Reading, metrics: &[usize], place: &Place) -> Value {
        let value = match place {
            Place::Time => time::value_of(self.keys.time_type, reading.at),
            Place::Entity(at) => reading.entity.get(*at).cloned(),
            Place::Metric(at) => {
                let read = metrics.iter().position(|metric| metric == at);
                read.and_then(|read| reading.metrics.get(read)).cloned()
            }
        };
        value.unwrap_or(Value::Null)
    }
}

/// Where a column of the table is in a reading.
pub(super) enum Place {
    Time,
    Entity(usize),
    Metric(usize),
}

/// The number of a bound, which itself may be excluded: that is checked on the readings.
fn bound(bound: &Bound<Value>) -> Option<i64> {
    match bound {
        Bound::Included(value) | Bound::Excluded(value) => floor(value),
        Bound::Unbounded => None,
    }
}

/// The number of a time, or the one before it where the time is finer.
fn floor(value: &Value) -> Option<i64> {
    match value {
        Value::Timestamp(moment) => Some(moment.millis()),
        value => time::number_of(value).ok(),
    }
}
