//! Reads `[[join]]` sections.

use crate::design::ColumnOf;
use crate::document::{Entry, Section};

use super::super::{Join, Table};
use super::names;

const EXPECTED: &str = "\"table.column\"";

/// One section; none when it lacks something, which has been noted.
pub fn read(section: &Section<'_>, tables: &[Table]) -> Option<Join> {
    let one = section.required("one", EXPECTED);
    let other = section.required("other", EXPECTED);
    let rows = section.required("rows", "how many pairs of rows have the same value in both");
    let rows = rows.and_then(|entry| entry.unsigned());
    section.finish();
    let one = column(&one?, tables);
    let other_entry = other?;
    let other = column(&other_entry, tables);
    if let (Some(one), Some(other)) = (&one, &other)
        && one.table == other.table
    {
        other_entry.note(format!("both columns are of `{}`", one.table), "columns of two tables");
    }
    Some(Join { one: one?, other: other?, rows: rows? })
}

/// `table.column`.
fn column(entry: &Entry<'_>, tables: &[Table]) -> Option<ColumnOf> {
    let text = entry.string()?;
    let Some((table, column)) = text.split_once('.') else {
        entry.note(format!("`{text}` names no column of a table"), EXPECTED);
        return None;
    };
    names::expect_column(entry, column, names::table(entry, table, tables)?);
    Some(ColumnOf::new(table, column))
}
