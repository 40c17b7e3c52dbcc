//! Stored rows: the rows of one `rows` entry of a physical table, with their record and their size.

use tablesmith_model::design::{ColumnOf, Qualifier, Record, Rows};
use tablesmith_model::key::Part;
use tablesmith_model::workload::Workload;

use crate::RowsSize;

/// Rows of one kind in a physical table.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRows {
    /// Their key, families and cells.
    pub rows: Rows,
    /// The record that each of them holds.
    pub record: Record,
    /// How large they are.
    pub size: RowsSize,
    /// Regions of the table, where split points say it.
    pub regions: Option<f64>,
}

impl StoredRows {
    /// The rows of a `rows` entry; `None` when they are no record of the workload.
    pub fn new(rows: Rows, workload: &Workload) -> Option<Self> {
        let record = Record::of(&rows, workload).ok()?;
        let size = RowsSize::of(&rows, &record, workload);
        Some(Self { rows, record, size, regions: None })
    }

    /// The column behind a field, by the first name that it has in the record.
    pub fn column(&self, field: &str) -> Option<ColumnOf> {
        self.record.column(field).map(|column| self.record.same_as(&column))
    }

    /// The parts of the qualifier, when that is data.
    pub fn qualifier_parts(&self) -> Vec<Part> {
        let qualifiers = self.rows.cells.iter().filter_map(|cells| cells.qualifier.as_ref());
        qualifiers.filter_map(Qualifier::parts).next().unwrap_or_default()
    }

    /// Whether one row of the store holds many records.
    pub fn is_wide(&self) -> bool {
        self.rows.cells.iter().any(|cells| cells.qualifier.is_some())
    }

    /// Whether a column comes back from the key, the qualifier or a cell.
    pub fn holds(&self, column: &ColumnOf) -> bool {
        let wanted = self.record.same_as(column);
        let of_key = self.rows.key.parts.iter().filter_map(Part::gives_back);
        let qualifier = self.qualifier_parts();
        let of_qualifier = qualifier.iter().filter_map(Part::gives_back);
        let of_cells = self.rows.cells.iter().flat_map(|cells| {
            let offset = cells.qualifier.as_ref().and_then(|qualifier| match qualifier {
                Qualifier::Offset(field) => Some(field),
                Qualifier::Field(_) | Qualifier::Parts(_) => None,
            });
            let others = [&cells.value, &cells.version, &cells.pack_by].into_iter().flatten();
            cells.columns.iter().chain(others).chain(offset).map(String::as_str)
        });
        let mut fields = of_key.chain(of_qualifier).chain(of_cells);
        fields.any(|field| self.column(field).as_ref() == Some(&wanted))
    }

    /// Whether a column is in the key or the qualifier: when it changes, the record has to move.
    pub fn is_placed_by(&self, column: &ColumnOf) -> bool {
        let wanted = self.record.same_as(column);
        let qualifier = self.qualifier_parts();
        let mut fields = self.rows.key.parts.iter().chain(&qualifier).flat_map(Part::fields);
        fields.any(|field| self.column(field).as_ref() == Some(&wanted))
    }

    /// The columns that the key and the qualifier are made of.
    pub fn places(&self) -> Vec<ColumnOf> {
        let qualifier = self.qualifier_parts();
        let fields = self.rows.key.parts.iter().chain(&qualifier).flat_map(Part::fields);
        fields.filter_map(|field| self.column(field)).collect()
    }

    /// Whether it holds the rows of a table with all its columns, and nothing else.
    pub fn is_base_of(&self, table: &str, workload: &Workload) -> bool {
        let columns = workload.table(table).map(|table| table.columns.as_slice()).unwrap_or_default();
        self.rows.join.is_empty()
            && self.rows.from == table
            && columns.iter().all(|column| self.holds(&ColumnOf::new(table, &column.name)))
    }
}
