//! Tables of a design that hold readings over time, each with the table of what depends on its entities alone, where there
//! is one.

use tablesmith_model::design::{self, Design};
use tablesmith_model::series::{Dimension, Reading};
use tablesmith_model::value::Value;
use tablesmith_model::workload::{SequenceKind, Table, Workload};
use tablesmith_model::{FamilyDescriptor, TableName};
use tablesmith_store::{Clock, Store, SystemClock};

use super::fixed::Fixed;
use super::{Series, SeriesError};
use crate::error::AccessError;
use crate::layout::Layout;

/// Readings of a table of the workload, in a table of the design.
#[derive(Clone, Debug)]
pub struct StoredSeries {
    /// The table of the workload.
    pub from: String,
    /// The table of the design.
    pub name: TableName,
    /// How readings lie in it.
    pub series: Series,
    /// Where it is what depends on the entity alone.
    pub(crate) fixed: Option<Fixed>,
}

impl StoredSeries {
    /// All of a design, in its order.
    pub fn all(workload: &Workload, design: &Design) -> Result<Vec<Self>, SeriesError> {
        let mut stored = Vec::new();
        for laid in &design.tables {
            let is_readings = |rows: &&design::Rows| {
                Layout::is_of_readings(workload, design, rows) && !Layout::is_fixed(workload, rows)
            };
            let Some(rows) = laid.rows.iter().find(is_readings) else { continue };
            let Some(table) = workload.table(&rows.from) else {
                return Err(SeriesError::NoTable { from: rows.from.clone(), table: laid.name.clone() });
            };
            stored.push(Self {
                from: rows.from.clone(),
                name: name_of(laid)?,
                series: Series::of_design(laid, table)?,
                fixed: Fixed::of(workload, design, table)?,
            });
        }
        Ok(stored)
    }

    /// A column of its table that is stored nowhere.
    pub(crate) fn lacks<'t>(&self, table: &'t Table) -> Option<&'t str> {
        let layout = self.series.layout();
        let is_fixed = |name: &String| self.fixed.as_ref().is_some_and(|fixed| fixed.place(name).is_some());
        let is_stored = |name: &String| {
            layout.entity.contains(name)
                || layout.time == *name
                || layout.metrics.contains(name)
                || is_fixed(name)
        };
        table.columns.iter().map(|column| &column.name).find(|name| !is_stored(name)).map(String::as_str)
    }

    /// The oldest time that the store keeps, where there is one: where the time is a version, the TTL counts from it.
    pub(crate) async fn kept_from(&self, store: &dyn Store) -> Result<Option<i64>, AccessError> {
        let layout = self.series.layout();
        if layout.dimension != Dimension::Version || layout.kind != SequenceKind::Time {
            return Ok(None);
        }
        let described = store.describe_table(&self.name).await?;
        let ttl_ms = described.family(&self.series.family().name).and_then(FamilyDescriptor::ttl_ms);
        Ok(ttl_ms.map(|ttl_ms| SystemClock.now_ms().saturating_sub(ttl_ms)))
    }

    /// Refuses a reading that would not be there once it is written: the reason.
    pub(crate) fn stays(&self, reading: &Reading, kept_from: Option<i64>) -> Result<(), String> {
        if reading.metrics.iter().all(Value::is_null) {
            return Err("it has no value besides its entity and time, so that it is no reading".to_owned());
        }
        match kept_from {
            Some(from) if reading.at < from => Err(format!(
                "it is older than what {} keeps, and would be gone at once: raise the TTL, or leave it out",
                self.name
            )),
            _ => Ok(()),
        }
    }

    /// Writes rows, each with the reading that it is. What depends on the entity alone stays where a row says nothing of it.
    pub(crate) async fn write(
        &self,
        store: &dyn Store,
        rows: &[Vec<Value>],
        readings: &[Reading],
    ) -> Result<(), AccessError> {
        if let Some(fixed) = &self.fixed {
            fixed.write(store, rows, false).await?;
        }
        self.series.write(store, &self.name, readings).await?;
        Ok(())
    }

    /// Writes what rows say of their entities alone, nulls among it.
    pub(crate) async fn set_fixed(&self, store: &dyn Store, rows: &[Vec<Value>]) -> Result<(), AccessError> {
        match &self.fixed {
            Some(fixed) => fixed.write(store, rows, true).await,
            None => Ok(()),
        }
    }
}

/// The name of a design's table.
pub(super) fn name_of(laid: &design::Table) -> Result<TableName, SeriesError> {
    laid.name.parse().map_err(|error| SeriesError::Name { table: laid.name.clone(), error })
}
