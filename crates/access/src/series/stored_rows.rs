//! Rows of a stored table of readings: what readings say, and what is fixed of their entities.

use std::collections::HashMap;

use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;
use tablesmith_store::{Answer, OpStats, Store};

use super::fixed::Fixed;
use super::rows::SeriesRows;
use super::stored::StoredSeries;
use crate::error::AccessError;

/// Entities whose values are remembered while rows are read.
const REMEMBERED: usize = 100_000;

/// Rows of the table that readings are of, with what is fixed of their entities.
pub struct StoredRows<'s> {
    rows: SeriesRows<'s>,
    with: Option<With<'s>>,
}

/// What is added to the rows of readings.
struct With<'s> {
    store: &'s dyn Store,
    fixed: &'s Fixed,
    /// Where each wanted column is: in the rows of readings, or among what is fixed.
    wanted: Vec<Source>,
    checked: Vec<(usize, Test)>,
    known: HashMap<Vec<Value>, Vec<Value>>,
}

/// Where a column is.
enum Source {
    InReadings(usize),
    Fixed(usize),
}

impl StoredSeries {
    /// The values of columns in all rows that meet all conditions.
    pub async fn rows<'s>(
        &'s self,
        store: &'s dyn Store,
        columns: &[String],
        conditions: &[Condition],
    ) -> Result<StoredRows<'s>, AccessError> {
        let fixed_at = |name: &String| self.fixed.as_ref()?.place(name);
        let is_fixed = |name: &String| fixed_at(name).is_some();
        let needs_fixed = columns.iter().any(is_fixed) || conditions.iter().any(|one| is_fixed(&one.column));
        let Some(fixed) = self.fixed.as_ref().filter(|_| needs_fixed) else {
            let rows = self.series.rows(store, &self.name, columns, conditions, Vec::new()).await?;
            return Ok(StoredRows { rows, with: None });
        };
        let entity = fixed.entity().iter();
        let read: Vec<String> =
            entity.chain(columns.iter().filter(|name| !is_fixed(name))).cloned().collect();
        let (here, there): (Vec<Condition>, Vec<Condition>) =
            conditions.iter().cloned().partition(|one| is_fixed(&one.column));
        let mut next = fixed.of_entity();
        let mut place = |name: &String| match fixed_at(name) {
            Some(at) => Source::Fixed(at),
            None => {
                next += 1;
                Source::InReadings(next - 1)
            }
        };
        let wanted = columns.iter().map(&mut place).collect();
        let checked = here.into_iter().filter_map(|one| Some((fixed_at(&one.column)?, one.test))).collect();
        let rows = self.series.rows(store, &self.name, &read, &there, Vec::new()).await?;
        Ok(StoredRows { rows, with: Some(With { store, fixed, wanted, checked, known: HashMap::new() }) })
    }
}

impl StoredSeries {
    /// Whether readings have all these columns, so that nothing fixed of their entities is needed.
    pub(crate) fn has_all(&self, columns: &[String]) -> bool {
        self.series.places(columns).is_ok()
    }

    /// The values of columns in the last `n` readings of an entity, the newest first.
    pub(crate) async fn latest(
        &self,
        store: &dyn Store,
        columns: &[String],
        entity: &[Value],
        n: usize,
    ) -> Result<Answer<Vec<Vec<Value>>>, AccessError> {
        let shown = self.series.places(columns)?;
        let metrics = self.series.columns.select(&[])?;
        let Answer { value: readings, stats } = self.series.latest(store, &self.name, entity, n, &[]).await?;
        let row = |reading: &Reading| {
            shown.iter().map(|place| self.series.value(reading, &metrics, place)).collect()
        };
        Ok(Answer { value: readings.iter().map(row).collect(), stats })
    }
}

impl StoredRows<'_> {
    /// The next rows; none when there are no more.
    pub async fn next(&mut self) -> Result<Vec<Vec<Value>>, AccessError> {
        loop {
            let portion = self.rows.next().await?;
            let Some(with) = &mut self.with else { return Ok(portion) };
            if portion.is_empty() {
                return Ok(portion);
            }
            let rows = with.rows(portion).await?;
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
    }

    /// Calls, readings that came, and what the store counted.
    pub(crate) fn taken(&self) -> (u64, u64, OpStats) {
        let meter = self.rows.meter();
        (meter.calls, self.rows.rows_read(), meter.stats)
    }
}

impl With<'_> {
    /// Rows of readings made whole, without those that do not meet the conditions.
    async fn rows(&mut self, portion: Vec<Vec<Value>>) -> Result<Vec<Vec<Value>>, AccessError> {
        let entity = |row: &Vec<Value>| row.get(..self.fixed.of_entity()).unwrap_or_default().to_vec();
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
        let mut new: Vec<Vec<Value>> = portion.iter().map(entity).collect();
        new.sort();
        new.dedup();
        new.retain(|entity| !self.known.contains_key(entity));
        self.fixed.look(self.store, &new, &mut self.known).await?;
        // An entity of which nothing is known is known to have nothing.
        for entity in new {
            self.known.entry(entity).or_default();
        }
        let mut rows = Vec::with_capacity(portion.len());
        for row in portion {
            let known = self.known.get(&entity(&row)).map(Vec::as_slice).unwrap_or_default();
            let fixed = |at: usize| known.get(at).cloned().unwrap_or(Value::Null);
            if self.checked.iter().all(|(at, test)| test.holds(&fixed(*at))) {
                let value = |place: &Source| match place {
                    Source::InReadings(at) => row.get(*at).cloned().unwrap_or(Value::Null),
                    Source::Fixed(at) => fixed(*at),
                };
                rows.push(self.wanted.iter().map(value).collect());
            }
        }
        Ok(rows)
    }
}
