//! Names: each given once, and every name that is used must be one that was given.

use std::collections::HashSet;

use crate::document::Entry;
use crate::nearest::one_of;

use super::super::Table;

/// The names that were given in one kind of section.
pub struct Names {
    kind: &'static str,
    given: HashSet<String>,
}

impl Names {
    /// No names yet, for sections that messages call `kind`.
    pub fn of(kind: &'static str) -> Self {
        Self { kind, given: HashSet::new() }
    }

    /// Gives a name, and notes when it was given before.
    pub fn give(&mut self, name: &str, entry: &Entry<'_>) {
        if !self.given.insert(name.to_owned()) {
            entry.note(format!("two {} have the name `{name}`", self.kind), "a name of its own for each");
        }
    }
}

/// The columns that an array names: each must be a column of the table, and stand there once.
pub fn columns(array: &Entry<'_>, table: &Table) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for element in array.elements() {
        let Some(name) = column(&element, table) else { continue };
        if columns.contains(&name) {
            element.note(format!("`{name}` stands twice in `{}`", array.key()), "each column once");
        } else {
            columns.push(name);
        }
    }
    columns
}

/// The column that a text names.
pub fn column(entry: &Entry<'_>, table: &Table) -> Option<String> {
    let name = entry.string()?;
    expect_column(entry, name, table);
    Some(name.to_owned())
}

/// Notes when the table has no such column. A table whose columns could not be read has said so.
pub fn expect_column(entry: &Entry<'_>, name: &str, table: &Table) {
    if table.column(name).is_none() && !table.columns.is_empty() {
        let known = table.columns.iter().map(|column| column.name.as_str());
        entry.note(format!("table `{}` has no column `{name}`", table.name), one_of(name, known));
    }
}

/// The table of this name, or a note that there is none.
pub fn table<'t>(entry: &Entry<'_>, name: &str, tables: &'t [Table]) -> Option<&'t Table> {
    let found = tables.iter().find(|table| table.name == name);
    if found.is_none() {
        let known = tables.iter().map(|table| table.name.as_str());
        entry.note(format!("there is no table `{name}`"), one_of(name, known));
    }
    found
}
