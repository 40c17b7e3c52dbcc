//! A candidate: one table of the store that could be kept, with how its rows lie and how much that is.

mod size;

pub use size::Size;

use tablesmith_model::design::{ColumnOf, Qualifier, Record, Rows};
use tablesmith_model::key::Part;
use tablesmith_model::series::{Dimension, SeriesLayout};
use tablesmith_model::workload::Workload;

/// A table of the store that could be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// How its rows lie.
    pub shape: Shape,
    /// The rows that it holds; a nested or a mixed one has those of parents and of their children.
    pub entries: Vec<Entry>,
}

/// How the rows of a candidate lie.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A row of the store for every record.
    Tall,
    /// A row of the store for many records, a cell each: the qualifier is data.
    Wide,
    /// Parent and children in one row, in families of their own.
    Nested,
    /// Rows of two kinds, told apart by a constant in their keys.
    Mixed,
    /// Readings over time, as the layouts of readings have them.
    Time(Box<SeriesLayout>),
}

/// Rows of one kind, with their record and their size.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// How they lie.
    pub rows: Rows,
    /// What each of them is.
    pub record: Record,
    /// How much that is.
    pub size: Size,
}

impl Shape {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tall => "tall",
            Self::Wide => "wide",
            Self::Nested => "nested",
            Self::Mixed => "mixed",
            Self::Time(_) => "time",
        }
    }
}

impl Candidate {
    /// The entry whose records are rows of this table alone, with all of its columns: what other copies are made from.
    pub fn master_of(&self, table: &str, workload: &Workload) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.is_master_of(table, workload))
    }

    /// Whether it holds readings by the rules of time: in columns, versions or packed. Tall ones are plain rows.
    pub fn is_over_time(&self) -> bool {
        matches!(&self.shape, Shape::Time(layout) if layout.dimension != Dimension::Row)
    }
}

impl Entry {
    /// Rows as they lie; `None` when they are no record of the workload.
    pub fn new(rows: Rows, workload: &Workload) -> Option<Self> {
        let record = Record::of(&rows, workload).ok()?;
        let size = Size::of(&rows, &record, workload);
        Some(Self { rows, record, size })
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

    /// The columns that say where a record lies.
    pub fn places(&self) -> Vec<ColumnOf> {
        let qualifier = self.qualifier_parts();
        let fields = self.rows.key.parts.iter().chain(&qualifier).flat_map(Part::fields);
        fields.filter_map(|field| self.column(field)).collect()
    }

    /// Whether it holds the rows of a table with all its columns, and nothing else.
    pub fn is_master_of(&self, table: &str, workload: &Workload) -> bool {
        let columns = workload.table(table).map(|table| table.columns.as_slice()).unwrap_or_default();
        self.rows.join.is_empty()
            && self.rows.from == table
            && columns.iter().all(|column| self.holds(&ColumnOf::new(table, &column.name)))
    }
}
