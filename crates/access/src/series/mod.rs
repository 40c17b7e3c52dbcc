//! Readings over time on a store, in any layout.
//!
//! ```text
//!  Reading ──keys.rs, columns.rs──▶ row key, cells ──write.rs──▶ store
//!             tall, wide, versions, packed: where the time goes
//!  RangeQuery ──reads.rs──▶ rows to get, or ranges to scan ──readings.rs──▶ rows ──decode.rs──▶ Readings
//! ```
//!
//! Rules that hold in every layout, and that the property tests hold against a plain list:
//!
//! - The last write of one entity and time stays, as a whole: a metric that is null in it has no value any more.
//! - A reading whose metrics are all null is none; deleting a reading is writing such a one. Nothing is hidden by it for
//!   longer: what is written there later is seen.
//! - Whoever asks for some metrics gets the readings that have a value in at least one of them.
//! - Readings of one entity come in rising order of time; entities come in the order of the row keys, or as they come
//!   where keys are spread over prefixes.

mod aggregate;
mod columns;
mod compare;
mod conditions;
mod decode;
mod error;
mod expire;
mod fixed;
mod in_regions;
mod keys;
mod latest;
mod meter;
mod packed;
mod query;
mod readings;
mod reads;
mod rows;
mod stored;
mod stored_rows;
mod tall;
mod versions;
mod wide;
mod window;
mod write;

pub use aggregate::{Groups, SeriesGroup, Summary};
pub use compare::Difference;
pub use error::SeriesError;
pub use in_regions::{Aggregated, Compared, MatchQuery, Matched, Worked};
pub use query::{AggregateQuery, Entities, GroupBy, RangeQuery};
pub use readings::Readings;
pub use rows::SeriesRows;
pub use stored::StoredSeries;
pub use stored_rows::StoredRows;

use std::sync::Arc;

use bytes::Bytes;
use tablesmith_model::series::{FAMILY, Reading, SeriesLayout};
use tablesmith_model::value::Value;
use tablesmith_model::workload::Table;
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName, design};
use tablesmith_store::{Answer, Store};

use columns::Columns;
use keys::RowKeys;

/// A layout of readings, bound to the columns of its table.
#[derive(Clone, Debug)]
pub struct Series {
    layout: SeriesLayout,
    table: Arc<Table>,
    family: FamilyDescriptor,
    keys: RowKeys,
    columns: Columns,
}

impl Series {
    /// A layout of a table's readings.
    pub fn new(table: &Table, layout: SeriesLayout) -> Result<Self, SeriesError> {
        layout.check(table)?;
        let laid = layout.to_design(table);
        Self::bound(table, layout, &laid)
    }

    /// The layout that a table of a design describes, with the design's own settings.
    pub fn of_design(laid: &design::Table, table: &Table) -> Result<Self, SeriesError> {
        Self::bound(table, SeriesLayout::of_design(laid, table)?, laid)
    }

    fn bound(table: &Table, layout: SeriesLayout, laid: &design::Table) -> Result<Self, SeriesError> {
        let cells = laid.rows.first().and_then(|rows| rows.cells.first());
        let name = cells.map_or(FAMILY, |cells| cells.family.as_str());
        let family = laid.families.iter().find(|family| family.name == name);
        let family = family.cloned().unwrap_or_else(|| design::Family::new(name));
        let refused = |source| SeriesError::Setting { family: name.to_owned(), source };
        let keys = RowKeys::new(&layout, table)?;
        Ok(Self {
            family: family.descriptor().map_err(refused)?,
            columns: Columns::new(&layout, table, name, keys.time_type),
            keys,
            table: Arc::new(table.clone()),
            layout,
        })
    }

    /// The layout.
    pub fn layout(&self) -> &SeriesLayout {
        &self.layout
    }

    /// The family that the readings are in, as the table is made with it.
    pub fn family(&self) -> &FamilyDescriptor {
        &self.family
    }

    /// Makes the table, cut at these keys.
    pub async fn create(
        &self,
        store: &dyn Store,
        name: &TableName,
        splits: Vec<Bytes>,
    ) -> Result<(), SeriesError> {
        let descriptor = TableDescriptor::new(name.clone(), [self.family.clone()]);
        Ok(store.create_table(descriptor, splits).await?)
    }

    /// The key of the row that a reading is in.
    pub fn row_key(&self, entity: &[Value], at: i64) -> Result<Bytes, SeriesError> {
        self.keys.key(entity, at)
    }

    /// Removes readings, by entity and time. What is not there does no harm.
    pub async fn delete(
        &self,
        store: &dyn Store,
        name: &TableName,
        keys: &[(Vec<Value>, i64)],
    ) -> Result<Answer<()>, SeriesError> {
        let nothings: Vec<Reading> = keys.iter().map(|(entity, at)| self.removal(entity, *at)).collect();
        self.write(store, name, &nothings).await
    }

    /// The reading without a value, which removes what is there.
    pub(crate) fn removal(&self, entity: &[Value], at: i64) -> Reading {
        Reading { entity: entity.to_vec(), at, metrics: vec![Value::Null; self.columns.metrics.len()] }
    }

    /// The readings of many entities at exactly one time.
    pub async fn instant<'s>(
        &'s self,
        store: &'s dyn Store,
        name: &TableName,
        entities: Entities,
        at: i64,
        metrics: Vec<String>,
    ) -> Result<Readings<'s>, SeriesError> {
        let no_time = || SeriesError::NoTime { at, column: self.layout.time.clone() };
        let to = at.checked_add(1).ok_or_else(no_time)?;
        self.range(store, name, &RangeQuery { entities, from: at, to, metrics }).await
    }
}
