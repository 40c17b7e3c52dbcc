//! A table as the application sees it: columns, what identifies a row, and how it is stored at present.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;

use super::Column;
use crate::design::ColumnOf;
use crate::schema::names_in_files;

/// A table of the application.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Table {
    /// The name, unique in the workload.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What the database that it comes from calls it, with the schema: statements that name a schema mean this one.
    #[schemars(length(min = 1))]
    pub called: Option<String>,
    /// The file that its rows are in, seen from the directory of `workload.toml`: CSV, JSON lines or Parquet.
    #[schemars(length(min = 1))]
    pub data: Option<String>,
    /// How many rows it has, measured or declared.
    pub rows: Option<u64>,
    /// The columns that together identify a row; empty when that is not known.
    #[schemars(default, extend("uniqueItems" = true))]
    pub key: Vec<String>,
    /// Older rows need not be kept, as in "72h".
    #[schemars(with = "Option<String>", regex(pattern = r"^\s*[0-9]+\s*(ms|s|m|h|d|w)\s*$"))]
    pub retention: Option<Duration>,
    /// The columns, in the order of the file.
    #[schemars(with = "BTreeMap<String, Column>", extend("minProperties" = 1))]
    pub columns: Vec<Column>,
    /// The columns that hold keys of other tables, as in column = "table.column": joins run along these.
    #[schemars(default, with = "BTreeMap<String, ColumnOf>")]
    pub references: Vec<Reference>,
    /// How rows follow each other, for readings over time or another sequence.
    pub time: Option<Sequence>,
    /// The present schema: which columns are stored together. Empty when there is none.
    #[schemars(default, with = "BTreeMap<String, Vec<String>>")]
    pub families: Vec<Family>,
}

/// A column that holds values of another table's column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The column of this table.
    pub column: String,
    /// The table that it points to.
    pub table: String,
    /// The column of that table.
    pub target: String,
}

/// How rows follow each other.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Sequence {
    /// The column that orders them.
    pub column: String,
    /// The columns that say whose readings they are.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub entity: Vec<String>,
    /// What the order is by.
    #[schemars(default)]
    pub kind: SequenceKind,
}

/// What orders the rows of a table that has a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SequenceKind {
    /// Time.
    #[default]
    Time,
    /// Another running number: snapshots, revisions.
    Sequence,
}

/// A column family of the present schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// The columns in it. A column may be in several families: then it is stored several times.
    pub columns: Vec<String>,
}

impl Table {
    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The place of a column among the columns.
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

names_in_files!(SequenceKind);

impl SequenceKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Time, Self::Sequence];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Sequence => "sequence",
        }
    }

    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
