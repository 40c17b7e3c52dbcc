//! A candidate table: a physical table that the design may have.

use tablesmith_model::series::{Dimension, SeriesLayout};
use tablesmith_model::workload::Workload;
use tablesmith_plan::StoredRows;

/// A table of the store that could be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// How its rows lie.
    pub shape: Shape,
    /// The rows that it holds; a nested or a mixed one has those of parents and of their children.
    pub entries: Vec<StoredRows>,
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
    /// The entry whose records are rows of this table alone, with all of its columns: what index tables are made from.
    pub fn base_of(&self, table: &str, workload: &Workload) -> Option<&StoredRows> {
        self.entries.iter().find(|entry| entry.is_base_of(table, workload))
    }

    /// Whether it holds readings by the rules of time: in columns, versions or packed. Tall ones are plain rows.
    pub fn is_over_time(&self) -> bool {
        matches!(&self.shape, Shape::Time(layout) if layout.dimension != Dimension::Row)
    }
}
