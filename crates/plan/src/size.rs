//! The size of stored rows: records, rows, cells, bytes.

use tablesmith_model::design::{Cells, Qualifier, Record, Rows};
use tablesmith_model::key::Part;
use tablesmith_model::workload::{Column, Workload};

use crate::statistics;

/// Bytes before each value of a packed cell.
const TOGETHER_BYTES: f64 = 2.0;

/// How large stored rows are, on average.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsSize {
    /// Records.
    pub records: f64,
    /// Rows of the store.
    pub rows: f64,
    /// Bytes of a row's key.
    pub key_bytes: f64,
    /// Cells of a record.
    pub cells: f64,
    /// Bytes of a record's cells, as stored.
    pub bytes: f64,
    /// The same for each `cells` entry of the design.
    pub each_cells: Vec<CellsSize>,
    /// Records of the row that has most.
    pub row_records_most: f64,
}

/// How large the cells of one `cells` entry are, of one record on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellsSize {
    /// Cells.
    pub cells: f64,
    /// Their bytes, as stored.
    pub bytes: f64,
}

impl RowsSize {
    /// How much rows of this shape are.
    pub fn of(rows: &Rows, record: &Record, workload: &Workload) -> Self {
        let column = |field: &str| record.column(field).map(|of| statistics::column(workload, &of));
        let bytes_of = |part: &Part| {
            let column = part.fields().first().and_then(|field| column(field));
            statistics::part_bytes(part, column.as_ref())
        };
        let key_bytes: f64 = rows.key.parts.iter().map(bytes_of).sum();
        let of_entry = |entry: &Cells| {
            let qualifier = entry.qualifier.as_ref().and_then(Qualifier::parts);
            let qualifier_bytes = qualifier.map(|parts| parts.iter().map(bytes_of).sum::<f64>());
            let (cells, bytes) = of_cells(entry, &column, key_bytes, qualifier_bytes);
            CellsSize { cells, bytes }
        };
        let each_cells: Vec<CellsSize> = rows.cells.iter().map(of_entry).collect();
        let mut cells: f64 = each_cells.iter().map(|size| size.cells).sum();
        let mut bytes: f64 = each_cells.iter().map(|size| size.bytes).sum();
        if cells < 1.0 {
            // A row without any value still has a marker cell.
            bytes += (1.0 - cells) * statistics::cell_bytes(key_bytes, 0.0, 0.0);
            cells = 1.0;
        }
        let records = statistics::records(workload, record);
        let is_wide = rows.cells.iter().any(|entry| entry.qualifier.is_some());
        let fields: Vec<&String> = rows.key.parts.iter().flat_map(Part::fields).collect();
        let distinct =
            |field: &&String| record.column(field).map_or(1.0, |of| statistics::distinct(workload, &of));
        let different: f64 = fields.iter().map(distinct).product();
        let store_rows = if is_wide { records.min(different) } else { records };
        let heaviest = |field: &&String| {
            let column = column(field);
            let heavy = column.as_ref().and_then(|column| column.heavy.first()).map(|heavy| heavy.share);
            heavy.unwrap_or(0.0).max(1.0 / distinct(field))
        };
        let most: f64 = fields.iter().map(heaviest).product();
        let row_records_most = if is_wide { (records * most).max(1.0) } else { 1.0 };
        Self { records, rows: store_rows, key_bytes, cells, bytes, each_cells, row_records_most }
    }

    /// Bytes of all records.
    pub fn total_bytes(&self) -> f64 {
        self.records * self.bytes
    }
}

/// Cells and bytes that one entry of cells adds to a record.
fn of_cells(
    entry: &Cells,
    column: &dyn Fn(&str) -> Option<Column>,
    key_bytes: f64,
    qualifier_bytes: Option<f64>,
) -> (f64, f64) {
    let columns: Vec<Column> =
        entry.columns.iter().chain(&entry.value).filter_map(|field| column(field)).collect();
    let filled = |column: &Column| 1.0 - column.nulls.unwrap_or(0.0);
    if let Some(qualifier_bytes) = qualifier_bytes {
        let values: f64 = columns.iter().map(|column| filled(column) * statistics::value_bytes(column)).sum();
        return (1.0, statistics::cell_bytes(key_bytes, qualifier_bytes, values));
    }
    if entry.together {
        let name = entry.columns.first().map_or(0, String::len) as f64;
        let values: f64 = columns
            .iter()
            .map(|column| TOGETHER_BYTES + filled(column) * statistics::value_bytes(column))
            .sum();
        return (1.0, statistics::cell_bytes(key_bytes, name, values));
    }
    let one = |column: &Column| {
        let bytes =
            statistics::cell_bytes(key_bytes, column.name.len() as f64, statistics::value_bytes(column));
        (filled(column), filled(column) * bytes)
    };
    columns.iter().map(one).fold((0.0, 0.0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}
