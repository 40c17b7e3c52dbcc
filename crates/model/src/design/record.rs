//! What one `rows` entry of a design stores many of: a row of its table, joined with rows of others along references.
//!
//! ```text
//!   from = "follow", join = ["follow.followed"]      every follow, with the user who is followed     (to one)
//!   from = "twit",   join = ["follow.followed"]      every twit once for each follower of its author (to many)
//! ```
//!
//! A reference `T.c → U.k` is followed from `T` when the record has it already: the row that `T.c` points to comes in.
//! Else `T` comes in, with all rows whose `T.c` is what the record has as `U.k`, or points there. Joins are inner joins.

use std::fmt;

use super::Rows;
use crate::workload::{Reference, Table, Workload};

/// What one `rows` entry stores many of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The tables that it is joined of, `from` first; each stands once.
    pub tables: Vec<String>,
    /// The equalities that add the tables after the first, in order.
    pub joins: Vec<JoinOn>,
    /// The columns of each table, in the order of the workload.
    columns: Vec<Vec<String>>,
}

/// An equality that adds the table of `other` to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinOn {
    /// A column that the record has already.
    pub have: ColumnOf,
    /// The column of the table that comes in.
    pub other: ColumnOf,
    /// Whether several of its rows can belong to one.
    pub to_many: bool,
}

/// A column of a table of the workload.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnOf {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
}

impl schemars::JsonSchema for ColumnOf {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ColumnOf".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": r"\." })
    }
}

/// Why a `rows` entry is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A table that the workload does not have.
    #[error("the workload has no table {0:?}: name one of its tables")]
    NoTable(String),
    /// Not a reference that leads anywhere from here.
    #[error(
        "{0:?} is no reference of these rows: name one as table.column, in the order in which they are followed"
    )]
    NoReference(String),
    /// A table that comes in twice.
    #[error(
        "following {reference:?} brings in the table {table:?} a second time: a table stands once in a record"
    )]
    Twice {
        /// The reference.
        reference: String,
        /// The table.
        table: String,
    },
    /// Two columns of the record lead to the same key.
    #[error(
        "{reference:?} can be joined to {} and to {}: begin with its table as `from`, and follow the other way",
        .columns.0, .columns.1
    )]
    Ambiguous {
        /// The reference.
        reference: String,
        /// The columns.
        columns: Box<(ColumnOf, ColumnOf)>,
    },
    /// A table whose rows cannot be told apart.
    #[error("the table {0:?} has no key, so that copies of its rows cannot be told apart: declare its key")]
    NoKey(String),
}

impl Record {
    /// The record of a `rows` entry.
    pub fn of(rows: &Rows, workload: &Workload) -> Result<Self, RecordError> {
        let mut record = Self::begin(&rows.from, workload)?;
        for reference in &rows.join {
            record.follow(reference, workload)?;
        }
        Ok(record)
    }

    /// The rows of one table.
    pub(super) fn begin(from: &str, workload: &Workload) -> Result<Self, RecordError> {
        let table = workload.table(from).ok_or_else(|| RecordError::NoTable(from.to_owned()))?;
        Ok(Self { tables: vec![from.to_owned()], joins: Vec::new(), columns: vec![names(table)] })
    }

    /// Follows one more reference, `table.column`.
    pub(super) fn follow(&mut self, text: &str, workload: &Workload) -> Result<(), RecordError> {
        let unknown = || RecordError::NoReference(text.to_owned());
        let (name, column) = text.rsplit_once('.').ok_or_else(unknown)?;
        let table = workload.table(name).ok_or_else(unknown)?;
        let reference = table.references.iter().find(|one| one.column == column).ok_or_else(unknown)?;
        let own = ColumnOf::new(name, column);
        let target = ColumnOf::new(&reference.table, &reference.target);
        let (have, other) = match self.has(name) {
            true => (own, target),
            false => (self.meeting(text, &target, workload)?, own),
        };
        self.add(text, have, other, workload)
    }

    /// The column that the record has of what a reference points to.
    fn meeting(&self, text: &str, target: &ColumnOf, workload: &Workload) -> Result<ColumnOf, RecordError> {
        if self.has(&target.table) {
            return Ok(target.clone());
        }
        let points = |one: &&Reference| one.table == target.table && one.target == target.column;
        let tables = self.tables.iter().filter_map(|name| workload.table(name));
        let mut meeting = tables.flat_map(|table| {
            table.references.iter().filter(points).map(|one| ColumnOf::new(&table.name, &one.column))
        });
        match (meeting.next(), meeting.next()) {
            (None, _) => Err(RecordError::NoReference(text.to_owned())),
            (Some(one), None) => Ok(one),
            (Some(one), Some(two)) => {
                let columns = Box::new((one, two));
                Err(RecordError::Ambiguous { reference: text.to_owned(), columns })
            }
        }
    }

    fn add(
        &mut self,
        text: &str,
        have: ColumnOf,
        other: ColumnOf,
        workload: &Workload,
    ) -> Result<(), RecordError> {
        if self.has(&other.table) {
            return Err(RecordError::Twice { reference: text.to_owned(), table: other.table });
        }
        let table = workload.table(&other.table).ok_or_else(|| RecordError::NoTable(other.table.clone()))?;
        // What a reference points to is one row, also where nobody declared that as a key.
        let is_target = format!("{}.{}", other.table, other.column) != text;
        let to_many = match table.key.as_slice() {
            [] if is_target => false,
            [] => return Err(RecordError::NoKey(other.table)),
            [only] => *only != other.column,
            _ => true,
        };
        self.tables.push(other.table.clone());
        self.columns.push(names(table));
        self.joins.push(JoinOn { have, other, to_many });
        Ok(())
    }

    /// Whether a table is part of it.
    pub fn has(&self, table: &str) -> bool {
        self.tables.iter().any(|name| name == table)
    }

    /// The column behind a field: `since` is of the first table, `user.name` of a joined one.
    pub fn column(&self, field: &str) -> Option<ColumnOf> {
        let (from, own) = (self.tables.first()?, self.columns.first()?);
        if own.iter().any(|column| column == field) {
            return Some(ColumnOf::new(from, field));
        }
        let (table, column) = field.rsplit_once('.')?;
        let at = self.tables.iter().position(|name| name == table)?;
        self.columns.get(at)?.iter().any(|name| name == column).then(|| ColumnOf::new(table, column))
    }

    /// The field that a column is called by here.
    pub fn field(&self, column: &ColumnOf) -> Option<String> {
        let at = self.tables.iter().position(|name| *name == column.table)?;
        let is_there = self.columns.get(at)?.contains(&column.column);
        is_there.then(|| if at == 0 { column.column.clone() } else { column.to_string() })
    }

    /// All fields, those of the first table first.
    pub fn fields(&self) -> Vec<String> {
        let tables = self.tables.iter().zip(&self.columns);
        let all =
            tables.flat_map(|(table, columns)| columns.iter().map(move |one| ColumnOf::new(table, one)));
        all.filter_map(|column| self.field(&column)).collect()
    }

    /// The fields that tell records apart: the key of the first table, and what the keys of tables joined to many have
    /// beside the column that they are joined on.
    pub fn identity(&self, workload: &Workload) -> Vec<String> {
        let key_of = |table: &str| {
            let key = workload.table(table).map(|table| table.key.as_slice()).unwrap_or_default();
            key.iter().map(|column| ColumnOf::new(table, column)).collect::<Vec<_>>()
        };
        let first = self.tables.first().map(|name| key_of(name)).unwrap_or_default();
        let many = self.joins.iter().filter(|join| join.to_many).flat_map(|join| {
            key_of(&join.other.table).into_iter().filter(move |column| *column != join.other)
        });
        first.into_iter().chain(many).filter_map(|column| self.field(&column)).collect()
    }

    /// The first column of the record that always has the value of this one.
    pub fn same_as(&self, column: &ColumnOf) -> ColumnOf {
        let back = self.joins.iter().rev().fold(column.clone(), |column, join| {
            if join.other == column { join.have.clone() } else { column }
        });
        if back == *column { back } else { self.same_as(&back) }
    }
}

fn names(table: &Table) -> Vec<String> {
    table.columns.iter().map(|column| column.name.clone()).collect()
}

impl ColumnOf {
    /// A column of a table.
    pub fn new(table: impl Into<String>, column: impl Into<String>) -> Self {
        Self { table: table.into(), column: column.into() }
    }
}

impl fmt::Display for ColumnOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.table, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Key;

    const WORKLOAD: &str = r#"
version = 1
[[table]]
name = "user"
key = ["id"]
columns = { id = { type = "string" }, name = { type = "string" } }
[[table]]
name = "follow"
key = ["follower", "followed"]
columns = { follower = { type = "string" }, followed = { type = "string" }, since = { type = "timestamp" } }
references = { follower = "user.id", followed = "user.id" }
[[table]]
name = "twit"
key = ["id"]
columns = { id = { type = "int" }, author = { type = "string" }, text = { type = "string" } }
references = { author = "user.id" }
[[table]]
name = "note"
columns = { of = { type = "string" } }
references = { of = "user.id" }
"#;

    fn record(from: &str, join: &[&str]) -> Result<Record, RecordError> {
        let rows = Rows {
            from: from.to_owned(),
            join: join.iter().map(|one| (*one).to_owned()).collect(),
            key: Key::row_number(),
            cells: Vec::new(),
        };
        Record::of(&rows, &workload())
    }

    fn workload() -> Workload {
        Workload::parse(WORKLOAD).unwrap()
    }

    fn said(record: &Record) -> Vec<String> {
        let one = |join: &JoinOn| {
            format!("{} = {}{}", join.have, join.other, if join.to_many { " (many)" } else { "" })
        };
        record.joins.iter().map(one).collect()
    }

    #[test]
    fn a_reference_leads_to_one_row_and_back_to_many() {
        assert_eq!(said(&record("follow", &["follow.followed"]).unwrap()), ["follow.followed = user.id"]);
        let stream = record("twit", &["follow.followed"]).unwrap();
        assert_eq!(said(&stream), ["twit.author = follow.followed (many)"]);
        assert_eq!(stream.identity(&workload()), ["id", "follow.follower"]);
        let with_names = record("twit", &["twit.author", "follow.followed"]).unwrap();
        assert_eq!(said(&with_names), ["twit.author = user.id", "user.id = follow.followed (many)"]);
        assert_eq!(with_names.identity(&workload()), ["id", "follow.follower"]);
    }

    #[test]
    fn fields_are_named_by_table_except_those_of_the_first() {
        let record = record("follow", &["follow.followed"]).unwrap();
        for field in ["since", "user.name"] {
            assert_eq!(record.field(&record.column(field).unwrap()).as_deref(), Some(field));
        }
        assert_eq!(record.column("follow.since"), record.column("since"));
        assert_eq!((record.column("name"), record.column("twit.text")), (None, None));
        assert_eq!(record.fields(), ["follower", "followed", "since", "user.id", "user.name"]);
    }

    #[test]
    fn what_is_no_record_says_why() {
        let refused = |from: &str, join: &[&str]| record(from, join).unwrap_err();
        assert_eq!(refused("tweet", &[]), RecordError::NoTable("tweet".into()));
        assert_eq!(refused("twit", &["twit.text"]), RecordError::NoReference("twit.text".into()));
        assert!(matches!(refused("follow", &["twit.author"]), RecordError::Ambiguous { .. }));
        let twice = refused("follow", &["follow.followed", "follow.follower"]);
        assert!(twice.to_string().contains("\"user\" a second time"), "{twice}");
        assert_eq!(refused("user", &["note.of"]), RecordError::NoKey("note".into()));
    }
}
