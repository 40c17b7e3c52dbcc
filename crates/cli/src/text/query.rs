//! What came of a statement that has no rows: what it changed, or its plan.

use std::io::{self, Write};

use tablesmith_app::query::{Change, ChangeKind, QueryResult, StatementCost};

/// Writes how many rows were changed, and with `explains` also how.
pub fn write(out: &mut dyn Write, result: &QueryResult, explains: bool) -> io::Result<()> {
    match result {
        QueryResult::Rows { .. } => Ok(()),
        QueryResult::Explained { plan } => write!(out, "{}", plan.0),
        QueryResult::Changed(change) => write_change(out, change, explains),
    }
}

fn write_change(out: &mut dyn Write, change: &Change, explains: bool) -> io::Result<()> {
    let verb = match change.kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
    };
    let if_there = if change.is_blind { ", if there" } else { "" };
    writeln!(out, "{} {verb}{if_there}", many(change.rows, "row"))?;
    if !explains {
        return Ok(());
    }
    let StatementCost { calls, rows_read, rows_written } = change.took;
    write!(out, "{}", change.plan.0)?;
    writeln!(
        out,
        "took: {}, {} read, {} written",
        many(calls, "call"),
        many(rows_read, "row"),
        many(rows_written, "row")
    )
}

fn many(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
