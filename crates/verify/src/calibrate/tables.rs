//! Makes the tables of experiments, fills them and removes them.

use tablesmith_model::TableName;
use tablesmith_store::{Action, FlushScope, Mutation, Store, StoreError};

use super::shape::{NAMESPACE, Shape};
use super::{CalibrateError, Observer};

/// Cells that go to the store in one call while tables are filled.
const CELLS_A_CALL: usize = 4_000;

/// The share of the whole that filling the tables is said to be.
pub const FILLING_SHARE: f64 = 0.3;

/// The tables of experiments in a store.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    pub store: &'a dyn Store,
}

impl Tables<'_> {
    /// Makes the tables. What is to be read is in files when this returns.
    pub async fn fill(self, shapes: &[Shape], observer: &mut dyn Observer) -> Result<(), CalibrateError> {
        self.store.create_namespace(NAMESPACE).await?;
        for shape in shapes {
            let descriptor = shape.descriptor().map_err(StoreError::from)?;
            self.store.create_table(descriptor, shape.splits()).await?;
        }
        let filled: Vec<&Shape> = shapes.iter().filter(|shape| shape.is_filled).collect();
        let cells = |shape: &Shape| shape.rows as f64 * (shape.families * shape.width) as f64;
        let all: f64 = filled.iter().map(|shape| cells(shape)).sum();
        let mut done = 0.0;
        for shape in filled {
            let table = shape.table().map_err(StoreError::from)?;
            let rows_a_call = (CELLS_A_CALL / (shape.families * shape.width).max(1)).max(1) as u64;
            let mut row = 0;
            while row < shape.rows {
                if !observer.goes_on(FILLING_SHARE * done / all, "filling tables") {
                    return Err(CalibrateError::Stopped);
                }
                let end = (row + rows_a_call).min(shape.rows);
                self.put(&table, shape, row..end).await?;
                done += cells(shape) * (end - row) as f64 / shape.rows as f64;
                row = end;
            }
            let scope = FlushScope::Table(table, None);
            self.store.flush(scope.clone()).await?;
            self.store.major_compact(scope).await?;
        }
        Ok(())
    }

    async fn put(
        self,
        table: &TableName,
        shape: &Shape,
        rows: std::ops::Range<u64>,
    ) -> Result<(), StoreError> {
        let put = |row| Action::Mutate(Mutation::Put(shape.put(row, shape.families, shape.width)));
        let answers = self.store.batch(table, rows.map(put).collect()).await?.value;
        answers.into_iter().try_for_each(|answer| answer.map(drop))
    }

    /// Removes every table of the namespace, and the namespace.
    pub async fn remove(self) -> Result<(), StoreError> {
        if !self.store.list_namespaces().await?.iter().any(|name| name == NAMESPACE) {
            return Ok(());
        }
        let tables = self.store.list_tables().await?;
        for table in tables.iter().filter(|table| table.namespace() == NAMESPACE) {
            if self.store.is_enabled(table).await? {
                self.store.disable_table(table).await?;
            }
            self.store.drop_table(table).await?;
        }
        self.store.drop_namespace(NAMESPACE).await
    }
}
