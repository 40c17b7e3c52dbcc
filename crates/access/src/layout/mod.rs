//! How the rows of one table of the workload lie in one table of a design.
//!
//! A row of the workload is a row of the store. Its key is what the design's key makes of it; a column is a cell whose
//! qualifier is the column's name, in every family that the design gives it. Null is a cell that is not there.
//!
//! # How a row is seen
//! A scan of a family shows only rows that have a cell there, and a scan of some columns only rows that have one of those.
//! Yet an answer must not depend on the families of a design, so every row must be seen in whatever is read of it:
//! - a row that would have no cell in a family gets a *marker* there: an empty cell with an empty qualifier;
//! - loading finds out which columns have a value in every row ([`Layout::is_in_every_row`]); a later row without such a
//!   value gets the marker too.
//!
//! So a read sees all rows when it reads a whole family, or a column that every row has together with the marker. Where
//! a condition wants a value of a column that is read, rows without one are not wanted, and nothing else is read for
//! them. Most rows have no marker: it costs nothing where data is not sparse.

mod build;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use tablesmith_model::FamilyDescriptor;
use tablesmith_model::key::{Key, KeyCodec, Part};
use tablesmith_model::value::{CellEncoding, ValueType};
use tablesmith_model::workload;

/// How the rows of one table of the workload lie in one table of a design.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) design: String,
    pub(crate) table: String,
    pub(crate) source: Arc<workload::Table>,
    pub(crate) columns: HashMap<String, usize>,
    pub(crate) key: Key,
    pub(crate) codec: KeyCodec,
    pub(crate) families: Vec<LaidFamily>,
    pub(crate) descriptors: Vec<FamilyDescriptor>,
    pub(crate) splits: Vec<Vec<u8>>,
    /// The families that the design's own plan of a query reads, by the query's name.
    pub(crate) planned: HashMap<String, Vec<String>>,
    in_every_row: BTreeSet<String>,
    next_row: Arc<AtomicU64>,
}

/// A family with the columns that lie in it.
#[derive(Clone, Debug, PartialEq)]
pub struct LaidFamily {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<LaidColumn>,
    pub(crate) name_bytes: Bytes,
}

/// A column in a family.
#[derive(Clone, Debug, PartialEq)]
pub struct LaidColumn {
    /// Its name, which is the qualifier.
    pub name: String,
    /// How its values are written.
    pub encoding: CellEncoding,
    /// Its place in the table of the workload.
    pub index: usize,
    /// Bytes of its cell in a row, on average, as far as the workload knows: key, names, value.
    pub bytes: f64,
    pub(crate) qualifier: Bytes,
}

impl Layout {
    /// The same layout under a design's name, for messages.
    pub fn named(mut self, design: impl Into<String>) -> Self {
        self.design = design.into();
        self
    }

    /// The name of the design; that of its table when it was not said.
    pub fn design(&self) -> &str {
        &self.design
    }

    /// The table of the design.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The table of the workload.
    pub fn source(&self) -> &workload::Table {
        &self.source
    }

    /// The families that have columns.
    pub fn families(&self) -> &[LaidFamily] {
        &self.families
    }

    /// The row key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Whether every row has a value in this column, or the marker in each family of it.
    pub fn is_in_every_row(&self, column: &str) -> bool {
        self.in_every_row.contains(column)
    }

    /// Says which columns have a value in every row that the table has; [`crate::load`] does.
    pub fn set_in_every_row<S: Into<String>>(&mut self, columns: impl IntoIterator<Item = S>) {
        self.in_every_row = columns.into_iter().map(Into::into).collect();
    }

    /// The number of the next row that is added, for keys made of it.
    pub(crate) fn next_row_number(&self) -> u64 {
        self.next_row.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn type_of(&self, column: &str) -> Option<ValueType> {
        self.source.columns.get(*self.columns.get(column)?).map(|column| column.value_type)
    }

    /// Whether the value of a column comes back from a row's key.
    pub(crate) fn key_gives(&self, column: &str) -> bool {
        self.key.parts.iter().any(|part| part.gives_back() == Some(column))
    }

    /// Whether a key of this layout needs a number that no statement knows.
    pub(crate) fn numbers_rows(&self) -> bool {
        self.key.parts.iter().any(|part| matches!(part, Part::RowNumber | Part::Random(_)))
    }
}

impl LaidFamily {
    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&LaidColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Bytes of the family in a row, on average.
    pub fn bytes(&self) -> f64 {
        self.columns.iter().map(|column| column.bytes).sum()
    }
}
