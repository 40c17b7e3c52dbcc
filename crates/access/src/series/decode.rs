//! From the cells of a row back to readings.

use std::collections::BTreeMap;

use tablesmith_model::Cell;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::series::{CellShape, Dimension, Reading, entry, single};
use tablesmith_model::value::Value;
use tablesmith_store::Row;

use super::columns::{Columns, Metric};
use super::keys::RowId;
use super::window::Window;
use super::{SeriesError, packed, tall, versions, wide};

/// What is wanted of a row.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The places of the metrics, in the order of the answer.
    pub metrics: Vec<usize>,
    pub window: Window,
}

/// The readings of a row by their time, with a value for each metric wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered(BTreeMap<i64, Vec<Value>>);

impl Gathered {
    /// Notes the value of one metric.
    pub fn add(&mut self, wanted: &Wanted, at: i64, place: usize, value: Value) {
        if !wanted.window.contains(at) || value.is_null() {
            return;
        }
        let values = self.0.entry(at).or_insert_with(|| vec![Value::Null; wanted.metrics.len()]);
        if let Some(slot) = values.get_mut(place) {
            *slot = value;
        }
    }
}

impl Columns {
    /// The readings of a row, in rising order of time.
    pub fn readings(&self, row: &Row, id: &RowId, wanted: &Wanted) -> Result<Vec<Reading>, SeriesError> {
        let mut gathered = Gathered::default();
        let gather = match self.dimension {
            Dimension::Row => tall::gather,
            Dimension::Qualifier => wide::gather,
            Dimension::Version => versions::gather,
            Dimension::Packed => packed::gather,
        };
        for cell in row.cells.iter().filter(|cell| cell.family == self.family) {
            gather(self, cell, id.start, wanted, &mut gathered)?;
        }
        let reading = |(at, metrics)| Reading { entity: id.entity.clone(), at, metrics };
        Ok(gathered.0.into_iter().map(reading).collect())
    }

    /// Notes what a cell of one reading holds, whose qualifier is this apart from the time.
    pub fn gather_one(
        &self,
        cell: &Cell,
        qualifier: &[u8],
        at: i64,
        wanted: &Wanted,
        gathered: &mut Gathered,
    ) -> Result<(), SeriesError> {
        if !wanted.window.contains(at) {
            return Ok(());
        }
        match self.shape {
            CellShape::Together if qualifier == self.together => {
                self.gather_entry(cell, at, wanted, gathered)
            }
            CellShape::Together => Ok(()),
            CellShape::EachMetric => {
                for (place, metric) in self.wanted(wanted).filter(|(_, metric)| metric.qualifier == qualifier)
                {
                    let value = single::decode(metric.encoding, metric.value_type, &cell.value);
                    gathered.add(wanted, at, place, value.map_err(|error| foreign(cell, &error))?);
                }
                Ok(())
            }
        }
    }

    fn gather_entry(
        &self,
        cell: &Cell,
        at: i64,
        wanted: &Wanted,
        gathered: &mut Gathered,
    ) -> Result<(), SeriesError> {
        if cell.value == entry::NOTHING {
            return Ok(());
        }
        match entry::read(&self.encodings, &cell.value) {
            Some((found, [])) => self.gather_values(cell, found, at, wanted, gathered),
            _ => Err(foreign(cell, &"a cell of all metrics is cut off, or has too much")),
        }
    }

    /// Notes what an entry of all metrics holds.
    pub fn gather_values(
        &self,
        cell: &Cell,
        found: entry::Entry<'_>,
        at: i64,
        wanted: &Wanted,
        gathered: &mut Gathered,
    ) -> Result<(), SeriesError> {
        for (place, index) in wanted.metrics.iter().enumerate() {
            let (Some(bytes), Some(metric)) = (found.value(*index), self.metrics.get(*index)) else {
                continue;
            };
            let value = metric.encoding.decode(metric.value_type, bytes);
            gathered.add(wanted, at, place, value.map_err(|error| foreign(cell, &error))?);
        }
        Ok(())
    }

    /// The metrics wanted, with their places in the answer.
    pub fn wanted<'w>(&'w self, wanted: &'w Wanted) -> impl Iterator<Item = (usize, &'w Metric)> {
        let metrics = wanted.metrics.iter().enumerate();
        metrics.filter_map(|(place, index)| Some((place, self.metrics.get(*index)?)))
    }
}

pub(crate) fn foreign(cell: &Cell, reason: &dyn std::fmt::Display) -> SeriesError {
    let column = to_text(&cell.qualifier);
    SeriesError::Foreign { row: to_text(&cell.row), reason: format!("column {column}: {reason}") }
}
