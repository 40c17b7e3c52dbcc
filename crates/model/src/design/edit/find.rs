//! Where things stand in a design's document.

use toml_edit::{ArrayOfTables, Item, Table as TomlTable, Value};

use super::super::{Cells, Design};
use super::EditError;

/// The place of the rows of a table of the workload: index of the design's table, index of its rows. Its own rows come
/// before copies made along a reference, the table of the same name before others.
pub(super) fn rows_of(design: &Design, from: &str) -> Result<(usize, usize), EditError> {
    let all = design.tables.iter().enumerate().flat_map(|(table_index, table)| {
        let rows = table.rows.iter().enumerate().filter(|(_, rows)| rows.from == from);
        rows.map(move |(rows_index, rows)| {
            ((!rows.join.is_empty(), table.name != from), (table_index, rows_index))
        })
    });
    all.min().map(|(_, place)| place).ok_or_else(|| EditError::NoTable(from.to_owned()))
}

/// The same where every record has cells of its own, named after columns: only then can key or families be others by themselves.
pub(super) fn plain_rows_of(design: &Design, from: &str) -> Result<(usize, usize), EditError> {
    let place = rows_of(design, from)?;
    let rows = design.tables.get(place.0).and_then(|table| table.rows.get(place.1));
    let by_data =
        |cells: &Cells| cells.qualifier.is_some() || cells.version.is_some() || cells.pack_by.is_some();
    match rows.is_some_and(|rows| !rows.cells.is_empty() && rows.cells.iter().all(by_data)) {
        true => Err(EditError::LaidByData(from.to_owned())),
        false => Ok(place),
    }
}

/// The tables of `key`, made if there are none, and out of an array of inline tables if they are written so.
pub(super) fn tables_mut<'d>(
    table: &'d mut TomlTable,
    key: &str,
) -> Result<&'d mut ArrayOfTables, EditError> {
    let item = table.entry(key).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    if item.is_value() {
        match std::mem::take(item).into_array_of_tables() {
            Ok(tables) => *item = Item::ArrayOfTables(tables),
            Err(other) => *item = other,
        }
    }
    item.as_array_of_tables_mut().ok_or_else(|| EditError::Shape(key.to_owned()))
}

/// One of the tables of `key`.
pub(super) fn table_mut<'d>(
    table: &'d mut TomlTable,
    key: &str,
    index: usize,
) -> Result<&'d mut TomlTable, EditError> {
    tables_mut(table, key)?.get_mut(index).ok_or_else(|| EditError::Shape(key.to_owned()))
}

/// Puts a value in the place of another one, with the comment that stands behind it.
pub(super) fn replace_value(table: &mut TomlTable, key: &str, value: impl Into<Value>) {
    let mut value = value.into();
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    table.insert(key, Item::Value(value));
}
