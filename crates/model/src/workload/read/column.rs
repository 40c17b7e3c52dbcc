//! Reads the columns of a table.

use toml_edit::Value;

use crate::document::{Entry, Section};
use crate::nearest::one_of;
use crate::value::{self, ValueType};

use super::super::{Column, Heavy};
use super::{magnitude, share};

/// The columns of `[table.columns]`, in the order of the file.
pub fn read_all(section: &Section<'_>) -> Vec<Column> {
    let columns: Vec<Column> = section.entries().iter().map(read).collect();
    if columns.is_empty() {
        section.note("`columns` is empty", "at least one column, as in id = { type = \"int\" }");
    }
    columns
}

/// A column keeps its name when the rest of it is wrong, so that those who use the name are not blamed.
fn read(entry: &Entry<'_>) -> Column {
    let mut column = Column::new(entry.key(), ValueType::String);
    if entry.key().is_empty() {
        entry.note("a column has an empty name", "a name");
    }
    let Some(section) = entry.section() else { return column };
    let names = || ValueType::ALL.iter().map(|value_type| value_type.name());
    if let Some(entry) = section.required("type", &one_of("", names()))
        && let Some(name) = entry.string()
    {
        match ValueType::from_name(name) {
            Some(value_type) => column.value_type = value_type,
            None => entry.note(format!("`{name}` is no type"), one_of(name, names())),
        }
    }
    column.distinct = section.entry("distinct").and_then(|entry| entry.unsigned());
    column.bytes = section.entry("bytes").and_then(|entry| magnitude(&entry));
    column.nulls = section.entry("nulls").and_then(|entry| share(&entry));
    let (min, max) = ends(&section, column.value_type);
    (column.min, column.max) = (min, max);
    column.monotone = section.entry("monotone").and_then(|entry| entry.boolean()).unwrap_or_default();
    column.heavy = section.sections("heavy").iter().filter_map(heavy).collect();
    section.finish();
    column
}

/// The least and the greatest value: values of the column's type, in this order.
fn ends(section: &Section<'_>, value_type: ValueType) -> (Option<String>, Option<String>) {
    let typed = |entry: &Entry<'_>| {
        let text = scalar(entry)?;
        match value::Value::parse(value_type, &text) {
            Ok(value) => Some((text, value)),
            Err(error) => {
                let message =
                    format!("`{}` is {text:?}, which is no value of type {value_type}", entry.key());
                entry.note(message, error.expected);
                None
            }
        }
    };
    let min = section.entry("min").and_then(|entry| typed(&entry));
    let greatest = section.entry("max");
    let max = greatest.as_ref().and_then(typed);
    if let (Some((low, min)), Some((high, max)), Some(entry)) = (&min, &max, &greatest)
        && min > max
    {
        entry.note(format!("`max` is {high:?}, which is below `min` ({low:?})"), "a value from `min` up");
    }
    (min.map(|(text, _)| text), max.map(|(text, _)| text))
}

fn heavy(section: &Section<'_>) -> Option<Heavy> {
    let value = section.required("value", "a value of the column").and_then(|entry| scalar(&entry));
    let share = section.required("share", "the share of rows that have it").and_then(|entry| share(&entry));
    section.finish();
    Some(Heavy { value: value?, share: share? })
}

/// A value as text, however it is written.
fn scalar(entry: &Entry<'_>) -> Option<String> {
    let text = match entry.value() {
        Some(Value::String(text)) => Some(text.value().clone()),
        Some(Value::Integer(number)) => Some(number.value().to_string()),
        Some(Value::Float(number)) => Some(number.value().to_string()),
        Some(Value::Boolean(flag)) => Some(flag.value().to_string()),
        Some(Value::Datetime(time)) => Some(time.value().to_string()),
        _ => None,
    };
    if text.is_none() {
        entry.note(
            format!("`{}` is not a single value", entry.key()),
            "a string, a number, true or false, or a date",
        );
    }
    text
}
