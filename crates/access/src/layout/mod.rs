//! How the records of one `rows` entry lie in one table of a design.
//!
//! A record is a row of the workload, or several joined ([`Record`]). Where it goes:
//! - *tall*: it is a row of the store. Its key is what the design's key makes of it; a column is a cell whose qualifier is
//!   the column's name, in every family that the design gives it. Null is a cell that is not there. Columns that are
//!   *together* share one cell, named by the first of them, which says itself what is null.
//! - *wide*: it is one cell (of each family) of a row that holds many records. The key has a part of what tells records
//!   apart, the qualifier the rest, in the same order-preserving codec.
//!
//! Records of several entries can live in one table: in different families, or told apart by a constant in their keys.
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

mod apart;
mod build;
mod cells;
mod wide;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use tablesmith_model::design::{ColumnOf, Record};
use tablesmith_model::key::{Key, KeyCodec, Part};
use tablesmith_model::value::{CellEncoding, ValueType};
use tablesmith_model::workload;
use tablesmith_plan::StoredRows;

pub(crate) use wide::Wide;

/// How the records of one `rows` entry lie in one table of a design.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) table: String,
    pub(crate) record: Record,
    /// The table of the workload; for joined records one that has their fields as columns.
    pub(crate) source: Arc<workload::Table>,
    pub(crate) columns: HashMap<String, usize>,
    pub(crate) key: Key,
    pub(crate) codec: KeyCodec,
    pub(crate) families: Vec<LaidFamily>,
    /// The same rows as the cost model sees them.
    pub(crate) stored: Arc<StoredRows>,
    /// What qualifiers are made of, where a row holds many records.
    pub(crate) wide: Option<Wide>,
    /// Whether rows of another kind have cells in the same families: a constant in the key tells them apart.
    pub(crate) is_mixed: bool,
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
    /// The qualifier of its cell; empty where that is data.
    pub(crate) qualifier: Bytes,
    /// Its place in a cell that it shares with others.
    pub(crate) together: Option<Together>,
}

/// The place of a column in a cell that several share.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Together {
    /// How the columns are written, in their order.
    pub encodings: Arc<[CellEncoding]>,
    /// The place of the column among them.
    pub at: usize,
}

/// A key, of rows or of qualifiers, whose parts are fields of a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys<'l> {
    pub key: &'l Key,
    pub layout: &'l Layout,
}

impl Layout {
    /// The table of the design.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// What it stores many of.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Its rows as the cost model sees them.
    pub fn stored(&self) -> &StoredRows {
        &self.stored
    }

    /// Whether one row of the store holds many records.
    pub fn is_wide(&self) -> bool {
        self.wide.is_some()
    }

    /// What qualifiers are made of, where a row holds many records.
    pub fn qualifier(&self) -> Option<&Key> {
        self.wide.as_ref().map(|wide| &wide.key)
    }

    /// The table of the workload; for joined records one with all their fields as columns, and as key what tells them
    /// apart.
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

    /// Says which columns have a value in every row that the table has; loading a file does.
    pub(crate) fn set_in_every_row(&mut self, columns: &[String]) {
        self.in_every_row = columns.iter().cloned().collect();
    }

    /// The number of the next row that is added, for keys made of it.
    pub(crate) fn next_row_number(&self) -> u64 {
        self.next_row.fetch_add(1, Ordering::Relaxed)
    }

    /// The number that the next row gets.
    pub(crate) fn peek_row_number(&self) -> u64 {
        self.next_row.load(Ordering::Relaxed)
    }

    /// Lets the numbers of rows go on from here.
    pub(crate) fn set_next_row_number(&self, next: u64) {
        self.next_row.store(next, Ordering::Relaxed);
    }

    pub(crate) fn type_of(&self, column: &str) -> Option<ValueType> {
        self.source.columns.get(*self.columns.get(column)?).map(|column| column.value_type)
    }

    /// Whether the value of a column comes back from a row's key.
    pub(crate) fn key_gives(&self, column: &str) -> bool {
        self.key.parts.iter().any(|part| part.gives_back() == Some(column))
    }

    /// The keys of its rows.
    pub(crate) fn row_keys(&self) -> Keys<'_> {
        Keys { key: &self.key, layout: self }
    }

    /// The qualifiers of its cells, where they are data.
    pub(crate) fn qualifiers(&self) -> Option<Keys<'_>> {
        self.wide.as_ref().map(|wide| Keys { key: &wide.key, layout: self })
    }

    /// The field under which the layout knows a column: of fields that a join makes equal, the one that is stored.
    pub(crate) fn known_as(&self, field: &str) -> Option<String> {
        let column = self.record.column(field)?;
        let plain = self.record.field(&column)?;
        if self.record.joins.is_empty() || self.stores(&plain) {
            return Some(plain);
        }
        let same = self.record.same_as(&column);
        let is_equal = |other: &String| {
            self.record.column(other).is_some_and(|other: ColumnOf| self.record.same_as(&other) == same)
        };
        let equal: Vec<String> = self.record.fields().into_iter().filter(is_equal).collect();
        let stored = equal.iter().find(|field| self.stores(field));
        let named = || equal.iter().find(|field| self.is_made_of(field));
        Some(stored.or_else(named).cloned().unwrap_or(plain))
    }

    /// Whether the value of a field comes back from a record.
    pub fn stores(&self, field: &str) -> bool {
        self.key_gives(field)
            || self.wide.as_ref().is_some_and(|wide| wide.gives(field))
            || self.families.iter().any(|family| family.column(field).is_some())
    }

    /// Whether keys or qualifiers are made of a field.
    pub(crate) fn is_made_of(&self, field: &str) -> bool {
        let qualifier = self.wide.iter().flat_map(|wide| &wide.key.parts);
        self.key.parts.iter().chain(qualifier).any(|part| part.fields().iter().any(|of| of == field))
    }

    /// Whether a key of this layout needs a number that no statement knows.
    pub fn numbers_rows(&self) -> bool {
        self.key.parts.iter().any(|part| matches!(part, Part::RowNumber | Part::Random(_)))
    }
}

impl LaidFamily {
    /// A family without columns.
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), columns: Vec::new(), name_bytes: name.as_bytes().to_vec().into() }
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&LaidColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The qualifiers of columns, none twice. A name that is no column's stays as it is.
    pub(crate) fn qualifiers_of(&self, names: Vec<String>) -> Vec<String> {
        let mut qualifiers: Vec<String> = Vec::with_capacity(names.len());
        for name in names {
            // A cell that columns share has the name of the first of them.
            let together = self.column(&name).and_then(|column| column.together.as_ref());
            let first = together.and_then(|together| {
                let at = self.columns.iter().position(|column| column.name == name)?;
                self.columns.get(at.checked_sub(together.at)?)
            });
            let qualifier = first.map_or(name, |first| first.name.clone());
            if !qualifiers.contains(&qualifier) {
                qualifiers.push(qualifier);
            }
        }
        qualifiers
    }

    /// Bytes of the family in a row, on average.
    pub fn bytes(&self) -> f64 {
        self.columns.iter().map(|column| column.bytes).sum()
    }
}
