//! Whether the condition of a check-and-mutate holds.

use bytes::Bytes;
use tablesmith_model::{TimeRange, Timestamp};
use tablesmith_store::filter::eval::{CompiledComparator, check};
use tablesmith_store::{Columns, Condition, ReadOptions, StoreError};

use crate::Engine;
use crate::read::row_cells;
use crate::table::TableState;

impl Engine {
    /// The time of the cell that was looked at (0 when there is none) if the condition holds, else `None`.
    pub(crate) fn condition_holds(
        &self,
        state: &TableState,
        row: &Bytes,
        condition: &Condition,
    ) -> Result<Option<Timestamp>, StoreError> {
        let read = match condition {
            Condition::Value { family, qualifier, time_range, .. }
            | Condition::Absent { family, qualifier, time_range } => {
                state.family(family)?;
                column(family, qualifier, *time_range)
            }
            Condition::Filter { filter, time_range } => ReadOptions {
                filter: Some(filter.clone()),
                time_range: *time_range,
                ..ReadOptions::default()
            },
        };
        let region = state.region_of(row)?;
        let (cells, counted) = row_cells(region, &self.inner.db.snapshot(), row, &read, self.now_ms())?;
        region.note_read(1, counted);
        let first = cells.first();
        let stored = first.map(|cell| &cell.value[..]);
        let holds = match condition {
            Condition::Filter { .. } => stored.is_some(),
            Condition::Absent { .. } => stored.is_none_or(<[u8]>::is_empty),
            Condition::Value { op, comparator, .. } => {
                check(*op, &CompiledComparator::new(comparator)?, stored)
            }
        };
        Ok(holds.then(|| first.map_or(0, |cell| cell.timestamp)))
    }
}

fn column(family: &Bytes, qualifier: &Bytes, time_range: TimeRange) -> ReadOptions {
    let mut columns = Columns::all();
    columns.add_column(family.clone(), qualifier.clone());
    ReadOptions { columns, time_range, ..ReadOptions::default() }
}
