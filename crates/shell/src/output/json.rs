//! Replies as JSON: one object on one line for each command.

use std::io::{self, Write};

use serde_json::{Value, json};
use tablesmith_model::Cell;
use tablesmith_model::bytes_text::{is_printable, to_text};
use tablesmith_store::Row;

use crate::error::ShellError;

use super::print::PrintError;
use super::{FoundRows, Outcome, Reply, describe, region_table, status};

/// A scan's line is held back up to this size. A scan that fails before is then only an error, as it should be; a
/// larger one is written while it is read.
const HELD_BACK_BYTES: usize = 1 << 20;

type Out<'a> = &'a mut (dyn Write + Send);

/// Prints a reply; its notes are for people only.
pub(crate) async fn reply(reply: Reply, out: Out<'_>) -> Result<(), PrintError> {
    match reply.outcome {
        Outcome::Rows(rows) => scanned_rows(rows, out).await,
        Outcome::Count(count) => {
            // Nothing is printed meanwhile; but a count that nobody reads ends here.
            let count = count.finish(|_, _| out.flush()).await?;
            Ok(line(&json!({ "count": count }), out)?)
        }
        plain => Ok(line(&plain_json(plain), out)?),
    }
}

/// Prints why a command failed.
pub(crate) fn error(error: &ShellError, out: Out<'_>) -> io::Result<()> {
    line(&json!({ "error": error.exception(), "message": error.to_string() }), out)
}

fn line(object: &Value, out: Out<'_>) -> io::Result<()> {
    writeln!(out, "{}", printable_json(object))
}

/// JSON that no terminal obeys. It must escape only the control characters of ASCII; all others stand in strings, where
/// `\u009b` means the same.
fn printable_json(value: &Value) -> String {
    let json = value.to_string();
    if json.chars().all(is_printable) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        match is_printable(character) {
            true => escaped.push(character),
            // All of them are in the first plane, so that one code unit is enough.
            false => escaped.push_str(&format!("\\u{:04x}", u32::from(character))),
        }
    }
    escaped
}

async fn scanned_rows(mut found: FoundRows, out: Out<'_>) -> Result<(), PrintError> {
    let mut held = br#"{"rows":["#.to_vec();
    let (mut first, mut begun) = (true, false);
    loop {
        let rows = match found.scanner.next_rows().await {
            Ok(rows) => rows,
            Err(error) if begun => return Err(cut_short(error.into(), &held, out)?),
            Err(error) => return Err(error.into()),
        };
        if rows.is_empty() {
            held.extend_from_slice(b"]}\n");
            return Ok(out.write_all(&held)?);
        }
        for row in &rows {
            if !std::mem::take(&mut first) {
                held.push(b',');
            }
            row_json(row, &mut held)?;
        }
        if held.len() > HELD_BACK_BYTES {
            begun = true;
            out.write_all(&held)?;
            out.flush()?;
            held.clear();
        }
    }
}

/// Ends a line whose rows are already written with the error that ended the scan.
fn cut_short(error: ShellError, held: &[u8], out: Out<'_>) -> io::Result<PrintError> {
    out.write_all(held)?;
    let (name, message) = (json!(error.exception()), printable_json(&json!(error.to_string())));
    writeln!(out, "],\"error\":{name},\"message\":{message}}}")?;
    Ok(PrintError::Reported(error))
}

fn row_json(row: &Row, out: &mut Vec<u8>) -> io::Result<()> {
    write!(out, "{{\"row\":{},\"cells\":[", json!(to_text(&row.row)))?;
    for (at, cell) in row.cells.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(out, "{comma}{}", cell_json(cell))?;
    }
    out.write_all(b"]}")
}

fn cell_json(cell: &Cell) -> Value {
    json!({
        "column": format!("{}:{}", to_text(&cell.family), to_text(&cell.qualifier)),
        "timestamp": cell.timestamp,
        "type": cell.kind.name(),
        "value": to_text(&cell.value),
    })
}

fn plain_json(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Row(found) => {
            json!({ "row": to_text(&found.row), "cells": found.cells.iter().map(cell_json).collect::<Vec<_>>() })
        }
        Outcome::Counter(value) => json!({ "value": value }),
        Outcome::Appended(value) => json!({ "value": value.map(|value| to_text(&value)) }),
        Outcome::Exists { exists, .. } => json!({ "exists": exists }),
        Outcome::Enabled(state) => json!({ "enabled": state }),
        Outcome::Disabled(state) => json!({ "disabled": state }),
        Outcome::Tables(tables) => json!({ "tables": tables }),
        Outcome::Namespaces(namespaces) => json!({ "namespaces": namespaces }),
        Outcome::Table(table) => describe::json(&table),
        Outcome::Namespace(name) => json!({ "namespace": name }),
        Outcome::Regions(list) => {
            json!({ "regions": list.regions.iter().map(region_table::json).collect::<Vec<_>>() })
        }
        Outcome::Splits(splits) => {
            json!({ "splits": splits.iter().map(|key| to_text(key)).collect::<Vec<_>>() })
        }
        Outcome::Location(region) => json!({ "region": region_table::json(&region) }),
        Outcome::Status(report) => status::json(&report),
        Outcome::Changed(changed) => json!({ changed.done: changed.tables, "failed": changed.failed }),
        Outcome::Version => json!({ "version": env!("CARGO_PKG_VERSION") }),
        Outcome::Help(text) => json!({ "help": text }),
        Outcome::Done | Outcome::Exit | Outcome::Rows(_) | Outcome::Count(_) => json!({ "ok": true }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::CellView;
    use crate::output::testing::Portions;
    use tablesmith_store::StoreError;

    fn rows(key: &str, count: usize, value_bytes: usize) -> Vec<Row> {
        let row = |at| {
            let key = format!("{key}{at}");
            let cells = vec![Cell::put(key.clone(), "f", "q", 1, vec![b'v'; value_bytes])];
            Row { row: key.into(), cells }
        };
        (0..count).map(row).collect()
    }

    async fn print(portions: Vec<Result<Vec<Row>, StoreError>>) -> (Value, Result<(), PrintError>) {
        let mut out = Vec::new();
        let found = FoundRows {
            scanner: Box::new(Portions::new(portions)),
            view: CellView::default(),
            metrics: None,
        };
        let result = reply(Outcome::Rows(found).into(), &mut out).await;
        let text = String::from_utf8(out).unwrap();
        assert!(text.is_empty() || text.ends_with('\n') && text.lines().count() == 1, "{text}");
        (serde_json::from_str(&text).unwrap_or_default(), result)
    }

    #[tokio::test]
    async fn a_scan_is_one_line() {
        let (line, result) = print(vec![Ok(rows("a", 2, 1)), Ok(rows("b", 1, 1))]).await;
        assert!(result.is_ok());
        let expected = r#"{"rows":[
            {"row":"a0","cells":[{"column":"f:q","timestamp":1,"type":"Put","value":"v"}]},
            {"row":"a1","cells":[{"column":"f:q","timestamp":1,"type":"Put","value":"v"}]},
            {"row":"b0","cells":[{"column":"f:q","timestamp":1,"type":"Put","value":"v"}]}]}"#;
        assert_eq!(line, serde_json::from_str::<Value>(expected).unwrap());
    }

    #[tokio::test]
    async fn a_scan_that_fails_early_is_only_an_error() {
        let (line, result) = print(vec![Ok(rows("a", 2, 1)), Err(StoreError::Io("disk".into()))]).await;
        assert_eq!(line, Value::Null);
        assert!(matches!(result, Err(PrintError::Command(error)) if error.exception() == "IOException"));
    }

    #[tokio::test]
    async fn a_scan_that_fails_late_says_so_on_its_line() {
        let large = rows("a", 3, HELD_BACK_BYTES);
        let (line, result) =
            print(vec![Ok(large), Ok(rows("b", 1, 1)), Err(StoreError::Io("disk".into()))]).await;
        assert_eq!((line["rows"].as_array().unwrap().len(), &line["error"]), (4, &json!("IOException")));
        assert_eq!(line["message"], "disk");
        assert!(matches!(result, Err(PrintError::Reported(_))));
    }

    #[tokio::test]
    async fn a_terminal_obeys_nothing_and_programs_read_it_as_it_was() {
        let evil = "s\u{1b}[2J\u{7f}\u{9b}2J\u{202e} größe".to_owned();
        let mut out = Vec::new();
        reply(Outcome::Namespaces(vec![evil.clone()]).into(), &mut out).await.ok().unwrap();
        error(&StoreError::Io(evil.clone()).into(), &mut out).unwrap();
        cut_short(StoreError::Io(evil.clone()).into(), br#"{"rows":["#, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().all(|line| line.chars().all(is_printable)), "{text:?}");
        assert!(text.contains("größe"), "{text}");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0]["namespaces"][0], evil);
        assert_eq!((&lines[1]["message"], &lines[2]["message"]), (&json!(evil), &json!(evil)));
    }
}
