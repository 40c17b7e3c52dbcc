//! Together: columns that are always read and written together, in one cell.
//!
//! # What
//! `{ columns = ["street", "town"], together = true }`: one cell with all of them.
//!
//! # Why
//! Every cell carries its row's key, its names and 20 bytes besides: three small columns in three cells are mostly that.
//!
//! # When
//! No statement reads or writes one of them without the others, and none of them is a counter.

use std::collections::BTreeMap;

use tablesmith_model::design::{Cells, ColumnOf};
use tablesmith_plan::StoredRows;

use super::Ground;

/// The same rows with such columns in one cell; `None` where there are none.
pub fn of(entry: &StoredRows, ground: &Ground<'_>) -> Option<StoredRows> {
    if entry.is_wide() {
        return None;
    }
    let mut rows = entry.rows.clone();
    let mut cells: Vec<Cells> = Vec::new();
    let mut is_changed = false;
    for entry_cells in &rows.cells {
        if entry_cells.together || entry_cells.encoding.is_some() {
            cells.push(entry_cells.clone());
            continue;
        }
        let mut groups: BTreeMap<Vec<(bool, bool)>, Vec<String>> = BTreeMap::new();
        for field in &entry_cells.columns {
            let column = entry.record.column(field)?;
            groups.entry(touched(ground, &column)).or_default().push(field.clone());
        }
        let (many, single): (Vec<_>, Vec<_>) = groups.into_values().partition(|group| group.len() > 1);
        is_changed |= !many.is_empty();
        let columns: Vec<String> = entry_cells
            .columns
            .iter()
            .filter(|field| single.iter().flatten().any(|one| one == *field))
            .cloned()
            .collect();
        if !columns.is_empty() {
            cells.push(Cells { columns, ..entry_cells.clone() });
        }
        cells.extend(many.into_iter().map(|columns| Cells {
            columns,
            together: true,
            ..entry_cells.clone()
        }));
    }
    rows.cells = cells;
    is_changed.then(|| StoredRows::new(rows, ground.workload)).flatten()
}

/// Which statements read and write a column.
fn touched(ground: &Ground<'_>, column: &ColumnOf) -> Vec<(bool, bool)> {
    let needs = ground.asks.iter().flat_map(|ask| &ask.needs).filter(|need| need.table == column.table);
    needs.map(|need| (need.reads.contains(&column.column), need.writes.contains(&column.column))).collect()
}
