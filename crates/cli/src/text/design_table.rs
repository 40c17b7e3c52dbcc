//! A table drawn as papers do: the parts of its key, its families, and some cells, from data where there is some.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::terminal::Style;
use tablesmith_app::design::DesignResult;
use tablesmith_model::design::{Cells, Rows, Table};
use tablesmith_model::key::Part;
use tablesmith_model::value::Value;
use tablesmith_model::workload;
use tablesmith_observe::rows;

use crate::text_table::{self, Column};

/// Rows of the data that are looked at.
const LOOKED_AT: usize = 400;
/// Rows that are drawn.
const DRAWN: usize = 3;
/// Cells of a row that are drawn.
const CELLS: usize = 3;
/// Longer values are cut.
const LETTERS: usize = 18;

/// A row of the data, by the names of its columns.
type Example = BTreeMap<String, String>;

/// Draws a table.
pub fn table(out: &mut dyn Write, answer: &DesignResult, table: &Table) -> io::Result<()> {
    for entry in &table.rows {
        let examples = examples(answer, entry);
        let key: Vec<String> = entry.key.parts.iter().map(ToString::to_string).collect();
        let mut drawn =
            text_table::Table::new([Column::words("row key"), Column::words("cells, as family:name=value")]);
        drawn.add(Style::new().bold(), [key.join(" + "), shapes(entry)]);
        for (key, cells) in example_rows(entry, &examples) {
            drawn.add(Style::new(), [key, cells]);
        }
        drawn.write(out)?;
    }
    Ok(())
}

/// What cells look like, in general.
fn shapes(entry: &Rows) -> String {
    let one = |cells: &Cells| {
        let family = &cells.family;
        match (&cells.qualifier, &cells.value) {
            (Some(qualifier), Some(value)) => format!("{family}:<{qualifier}>=<{value}> …"),
            (Some(qualifier), None) if cells.columns.is_empty() => format!("{family}:<{qualifier}> …"),
            (Some(qualifier), None) => format!("{family}:<{qualifier}>=<{}> …", cells.columns.join(", ")),
            (None, _) if cells.together => {
                format!(
                    "{family}:{}=<{}>",
                    cells.columns.first().map(String::as_str).unwrap_or_default(),
                    cells.columns.join(", ")
                )
            }
            (None, _) => {
                cells.columns.iter().map(|column| format!("{family}:{column}")).collect::<Vec<_>>().join(" ")
            }
        }
    };
    entry.cells.iter().map(one).collect::<Vec<_>>().join("  ")
}

/// Some rows of the data; none where there is no file, or rows are joined of several tables.
fn examples(answer: &DesignResult, entry: &Rows) -> Vec<Example> {
    let Some(source) = answer.workload.table(&entry.from).filter(|_| entry.join.is_empty()) else {
        return Vec::new();
    };
    let Some(data) = &source.data else { return Vec::new() };
    let Ok(rows) = rows::open(&answer.directory.join(data), source) else { return Vec::new() };
    let mut examples = Vec::new();
    for row in rows {
        if let Ok(row) = row {
            examples.push(example(source, &row.values));
        }
        if examples.len() >= LOOKED_AT {
            break;
        }
    }
    examples
}

fn example(source: &workload::Table, values: &[Value]) -> Example {
    let columns = source.columns.iter().zip(values).filter(|(_, value)| !value.is_null());
    columns.map(|(column, value)| (column.name.clone(), shortened(&value.to_string()))).collect()
}

/// Rows of the store that examples make: key and cells.
fn example_rows(entry: &Rows, examples: &[Example]) -> Vec<(String, String)> {
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for (number, example) in examples.iter().enumerate() {
        let text = |part: &Part| match part {
            Part::RowNumber => number.to_string(),
            part => part_text(part, example),
        };
        let key: Vec<String> = entry.key.parts.iter().map(text).collect();
        let key = key.join(" + ");
        let cells = cells_of(entry, example);
        let is_full = rows.len() >= DRAWN;
        match rows.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => known.extend(cells),
            None if is_full => {}
            None => rows.push((key, cells)),
        }
    }
    let text = |cells: Vec<String>| {
        let more = cells.len().saturating_sub(CELLS);
        let shown = cells.into_iter().take(CELLS).collect::<Vec<_>>().join("  ");
        if more == 0 { shown } else { format!("{shown}  … {more} more") }
    };
    rows.into_iter().map(|(key, cells)| (key, text(cells))).collect()
}

fn cells_of(entry: &Rows, example: &Example) -> Vec<String> {
    let value = |field: &String| example.get(field).cloned().unwrap_or_default();
    let one = |cells: &Cells| -> Vec<String> {
        let family = &cells.family;
        if let Some(qualifier) = &cells.qualifier {
            let name: Vec<String> =
                qualifier.fields().into_iter().map(|field| value(&field.to_owned())).collect();
            let values: Vec<String> = cells.value.iter().chain(&cells.columns).map(value).collect();
            return vec![format!("{family}:{}={}", name.join("+"), values.join(","))];
        }
        if cells.together {
            let values: Vec<String> = cells.columns.iter().map(value).collect();
            let name = cells.columns.first().map(String::as_str).unwrap_or_default();
            return vec![format!("{family}:{name}={}", values.join(","))];
        }
        let there = cells.columns.iter().filter(|column| example.contains_key(*column));
        there.map(|column| format!("{family}:{column}={}", value(column))).collect()
    };
    entry.cells.iter().flat_map(one).collect()
}

fn part_text(part: &Part, example: &Example) -> String {
    let value = part.fields().first().and_then(|field| example.get(field)).cloned().unwrap_or_default();
    match part {
        Part::Field(_) | Part::Desc(_) | Part::Pad { .. } => value,
        Part::Md5 { .. } => format!("md5({value})"),
        Part::Reverse(_) => value.chars().rev().collect(),
        Part::Bucket { width, .. } => format!("{value}/{width}"),
        Part::Const(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Part::Md5Mod { .. } | Part::Mod { .. } | Part::Random(_) | Part::Md5LineMod(_) | Part::RowNumber => {
            "#".to_owned()
        }
    }
}

fn shortened(text: &str) -> String {
    let is_cut = text.chars().nth(LETTERS).is_some();
    // Lines of a value would break those of the drawing.
    let shown = |letter: char| if letter.is_control() { '·' } else { letter };
    let letters: String = text.chars().take(LETTERS).map(shown).collect();
    if is_cut { format!("{letters}…") } else { letters }
}
