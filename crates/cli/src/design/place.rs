//! Points at the place of a workload that no design can be made of.

use std::path::Path;

use tablesmith_design::tables::TablesError;

use crate::failure::Failure;
use crate::pointer::Pointer;

/// The failure, drawn at the query or the reference that it is about.
pub fn failure(path: &Path, error: &TablesError) -> Failure {
    let message = error.to_string();
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let found = match (error.query(), error.column()) {
        (Some(query), _) => query_line(&text, query),
        (None, Some((table, column))) => reference_line(&text, table, column),
        (None, None) => None,
    };
    let Some((number, line)) = found else {
        return Failure::BadFile(format!("{}: {message}", path.display()));
    };
    let indent = line.chars().take_while(|letter| letter.is_whitespace()).count();
    let pointer = Pointer {
        path: &path.display(),
        line: number as u64 + 1,
        column: indent as u64 + 1,
        width: line.trim().chars().count(),
        text: line,
        message: &message,
        expected: "",
    };
    Failure::BadFile(pointer.draw())
}

/// The line that names a query.
fn query_line<'t>(text: &'t str, query: &str) -> Option<(usize, &'t str)> {
    let mut is_query = false;
    text.lines().enumerate().find(|(_, line)| {
        let line = line.trim();
        if line.starts_with('[') {
            is_query = line.starts_with("[[query]]");
        }
        is_query && value_of(line, "name") == Some(query)
    })
}

/// The line of a reference.
fn reference_line<'t>(text: &'t str, table: &str, column: &str) -> Option<(usize, &'t str)> {
    let (mut is_table, mut is_references) = (false, false);
    text.lines().enumerate().find(|(_, line)| {
        let line = line.trim();
        if line.starts_with("[[table]]") {
            (is_table, is_references) = (false, false);
        } else if line.starts_with('[') {
            is_references = line.starts_with("[table.references]");
        }
        is_table |= value_of(line, "name") == Some(table);
        is_table && is_references && value_of(line, column).is_some()
    })
}

/// The text that a line gives a key: `name = "…"`.
fn value_of<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let (name, value) = line.split_once('=')?;
    let value = value.trim().trim_matches(['"', '\'']);
    (name.trim().trim_matches('"') == key).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_and_references_are_found_by_their_lines() {
        let text = "[[table]]\nname = \"q\"\n[table.columns]\nx = { type = \"int\" }\n[table.references]\nx = \"b.y\"\n[[query]]\n  name = \"q\"\n";
        assert_eq!(query_line(text, "q"), Some((7, "  name = \"q\"")));
        assert_eq!(reference_line(text, "q", "x"), Some((5, "x = \"b.y\"")));
        assert_eq!((query_line(text, "r"), reference_line(text, "r", "x")), (None, None));
    }
}
