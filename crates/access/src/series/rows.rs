//! Rows of the table that readings are of, as a statement sees them.

use tablesmith_model::TableName;
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::conditions::Place;
use super::meter::Meter;
use super::readings::Readings;
use super::{Series, SeriesError};

/// Rows as they come: those that meet all conditions.
pub struct SeriesRows<'s> {
    series: &'s Series,
    readings: Readings<'s>,
    /// The metrics that are read.
    metrics: Vec<usize>,
    shown: Vec<Place>,
    checked: Vec<(Place, Test)>,
    rows_read: u64,
}

impl Series {
    /// The values of columns in all readings that meet all conditions. Of metrics only these are read, or all when none is
    /// named: a reading without a value in any of them is not seen.
    pub async fn rows<'s>(
        &'s self,
        store: &'s dyn Store,
        name: &TableName,
        columns: &[String],
        conditions: &[Condition],
        metrics: Vec<String>,
    ) -> Result<SeriesRows<'s>, SeriesError> {
        let shown = self.places(columns)?;
        let tested = self.places(conditions.iter().map(|condition| &condition.column))?;
        let checked = tested.into_iter().zip(conditions).map(|(place, one)| (place, one.test.clone()));
        let query = self.query_of(conditions, metrics);
        Ok(SeriesRows {
            metrics: self.columns.select(&query.metrics)?,
            readings: self.range(store, name, &query).await?,
            series: self,
            shown,
            checked: checked.collect(),
            rows_read: 0,
        })
    }
}

impl SeriesRows<'_> {
    /// The next rows; none when there are no more.
    pub async fn next(&mut self) -> Result<Vec<Vec<Value>>, SeriesError> {
        loop {
            let portion = self.readings.next().await?;
            if portion.is_empty() {
                return Ok(Vec::new());
            }
            self.rows_read += portion.len() as u64;
            let mut rows = Vec::with_capacity(portion.len());
            for reading in &portion {
                let value = |place: &Place| self.series.value(reading, &self.metrics, place);
                if self.checked.iter().all(|(place, test)| test.holds(&value(place))) {
                    rows.push(self.shown.iter().map(value).collect());
                }
            }
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
    }

    /// Readings that came from the store.
    pub fn rows_read(&self) -> u64 {
        self.rows_read
    }

    /// What it took up to now.
    pub(crate) fn meter(&self) -> Meter {
        self.readings.meter()
    }
}
