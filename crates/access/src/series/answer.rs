//! Answers the calls of a workload through a layout of readings.
//!
//! Reads take equalities on the entity and a range on the time as far as the conditions say them, and check the rest on the
//! readings that come; inserts write readings. What a call answers is hashed as [`Outcome`] says, so that readings in any
//! layout can be held against plain rows.

use std::ops::Bound;

use tablesmith_model::TableName;
use tablesmith_model::plan::{Condition, Read, Test};
use tablesmith_model::series::{Reading, time};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_store::Store;

use super::meter::Meter;
use super::{Entities, RangeQuery, Series, SeriesError};
use crate::call::{Ask, Call};
use crate::carry_out::{Answers, Outcome};

/// More combinations of values than this are not asked for one by one.
const MOST_ENTITIES: usize = 1_000;

impl Series {
    /// Answers a call: reads, and inserts. Other calls are refused.
    pub async fn answer(
        &self,
        store: &dyn Store,
        name: &TableName,
        call: &Call,
    ) -> Result<Outcome, SeriesError> {
        match &call.ask {
            Ask::Read { columns, conditions, limit } => {
                self.answer_read(store, name, columns, conditions, *limit).await
            }
            Ask::Insert(rows) => self.answer_insert(store, name, rows).await,
            _ => Err(SeriesError::NotAnswered { query: call.query.to_string() }),
        }
    }

    /// Whether a call is answered.
    pub fn check_call(&self, call: &Call) -> Result<(), SeriesError> {
        match &call.ask {
            Ask::Read { columns, conditions, .. } => {
                self.places(columns.iter())?;
                self.places(conditions.iter().map(|condition| &condition.column))?;
                Ok(())
            }
            Ask::Insert(_) => Ok(()),
            _ => Err(SeriesError::NotAnswered { query: call.query.to_string() }),
        }
    }

    async fn answer_read(
        &self,
        store: &dyn Store,
        name: &TableName,
        columns: &[String],
        conditions: &[Condition],
        limit: Option<u64>,
    ) -> Result<Outcome, SeriesError> {
        let types = columns.iter().map(|name| self.table.column(name));
        let types: Vec<ValueType> =
            types.map(|column| column.map_or(ValueType::Bytes, |column| column.value_type)).collect();
        let mut answers = Answers::default();
        answers.begin(&Read { limit, ..Read::default() });
        let metrics = self.metrics_of(columns, conditions);
        let mut found = self.rows(store, name, columns, conditions, metrics).await?;
        while !answers.is_full() {
            let portion = found.next().await?;
            if portion.is_empty() {
                break;
            }
            for row in portion {
                if !answers.is_full() {
                    answers.take_values(row.iter().zip(types.iter().copied()));
                }
            }
        }
        answers.end();
        let (rows, hash) = answers.finish();
        Ok(outcome(rows, hash, found.rows_read(), found.meter()))
    }

    async fn answer_insert(
        &self,
        store: &dyn Store,
        name: &TableName,
        rows: &[Vec<(String, Value)>],
    ) -> Result<Outcome, SeriesError> {
        let named = |row: &Vec<(String, Value)>, column: &String| {
            let found = row.iter().find(|(name, _)| name == column);
            found.map_or(Value::Null, |(_, value)| value.clone())
        };
        let mut readings = Vec::with_capacity(rows.len());
        for row in rows {
            let values: Vec<Value> =
                self.table.columns.iter().map(|column| named(row, &column.name)).collect();
            readings.push(self.reading(&values)?);
        }
        let meter = self.write_metered(store, name, &readings).await?;
        let (_, hash) = Answers::default().finish();
        Ok(outcome(readings.len() as u64, hash, 0, meter))
    }

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

    /// The metrics that are read: those shown or tested, if every reading was measured to have one of them; else all, so that
    /// no reading is missed.
    fn metrics_of(&self, columns: &[String], conditions: &[Condition]) -> Vec<String> {
        let is_tested = |metric: &String| conditions.iter().any(|condition| condition.column == *metric);
        let is_shown = |metric: &&String| columns.contains(metric) || is_tested(metric);
        let shown: Vec<String> = self.layout.metrics.iter().filter(is_shown).cloned().collect();
        let has_no_nulls =
            |name: &String| self.table.column(name).is_some_and(|column| column.nulls == Some(0.0));
        if shown.iter().any(has_no_nulls) { shown } else { Vec::new() }
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

fn outcome(rows: u64, hash: u64, rows_read: u64, meter: Meter) -> Outcome {
    Outcome {
        rows,
        hash,
        rows_read,
        calls: meter.calls,
        store_time: meter.store_time,
        waited: meter.waited,
        stats: meter.stats,
    }
}
