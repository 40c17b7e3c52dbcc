//! Points at the place of a workload that no design can be made of.

use std::path::Path;

use tablesmith_design::tables::TablesError;

use crate::AppError;
use crate::input_file::{self, InputKind};
use crate::pointer::Pointer;

/// The error, drawn at the query or the reference that it is about.
pub fn undesignable(path: &Path, error: TablesError) -> AppError {
    AppError::Undesignable { message: drawn(path, &error), error: Box::new(error) }
}

fn drawn(path: &Path, error: &TablesError) -> String {
    let message = error.to_string();
    let text = input_file::read_text(path, InputKind::Workload).unwrap_or_default();
    let found = match (error.query(), error.column()) {
        (Some(query), _) => match error.about_statement() {
            Some(_) => statement_line(&text, query).or_else(|| query_line(&text, query)),
            None => query_line(&text, query),
        },
        (None, Some((table, column))) => reference_line(&text, table, column),
        (None, None) => None,
    };
    let Some((number, line)) = found else {
        return format!("{}: {message}", path.display());
    };
    let (column, width) = about(line, error.about_statement().flatten());
    let pointer = Pointer {
        path: &path.display(),
        line: number as u64 + 1,
        column: column as u64 + 1,
        width,
        text: line,
        message: &message,
        expected: "",
    };
    pointer.draw()
}

/// Where in a line it is, and how wide: the name that is wrong, else the whole line.
fn about(line: &str, name: Option<&str>) -> (usize, usize) {
    let whole =
        || (line.chars().take_while(|letter| letter.is_whitespace()).count(), line.trim().chars().count());
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let found = name.and_then(|name| {
        let at = line.match_indices(name).map(|(at, _)| at).find(|at| {
            let (before, after) =
                (line.get(..*at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
            !before.ends_with(is_part) && !after.starts_with(is_part)
        })?;
        Some((line.get(..at)?.chars().count(), name.chars().count()))
    });
    found.unwrap_or_else(whole)
}

/// The line with the statement of a query, before its name or behind it.
fn statement_line<'t>(text: &'t str, query: &str) -> Option<(usize, &'t str)> {
    let (named, _) = query_line(text, query)?;
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |line: &&str| line.trim_start().starts_with('[');
    let begin = lines.iter().take(named).rposition(is_head)?;
    let end = lines.iter().skip(named + 1).position(is_head).map_or(lines.len(), |more| named + 1 + more);
    let mut own = lines.iter().enumerate().take(end).skip(begin + 1);
    own.find(|(_, line)| value_of(line.trim(), "sql").is_some()).map(|(number, line)| (number, *line))
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

    #[test]
    fn a_wrong_name_is_pointed_at_inside_its_statement() {
        let text = "[[query]]\nsql = \"SELECT nam, name FROM a\"\nname = \"q\"\n[[query]]\nname = \"r\"\n";
        let (number, line) = statement_line(text, "q").unwrap();
        assert_eq!((number, about(line, Some("nam"))), (1, (14, 3)));
        assert_eq!(about("  x = 1", None), (2, 5));
        assert_eq!(statement_line(text, "r"), None);
    }
}
