//! Cardinalities and sizes of the workload's tables: rows, distinct values, bytes; what is not declared is assumed.

use tablesmith_model::cost::CELL_OVERHEAD_BYTES;
use tablesmith_model::design::{ColumnOf, Record};
use tablesmith_model::key::Part;
use tablesmith_model::key::digest::DIGEST_BYTES;
use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, ROWS_ASSUMED, Table, Workload};

/// A family's name is one letter.
pub const FAMILY_BYTES: f64 = 1.0;
/// Bytes of a number that spreads rows over regions.
const PREFIX_BYTES: f64 = 3.0;

/// Rows of a table of the workload.
pub fn rows(table: &Table) -> f64 {
    table.rows.unwrap_or(ROWS_ASSUMED).max(1) as f64
}

/// A column of the workload; one of which nothing is known when there is none.
pub fn column(workload: &Workload, of: &ColumnOf) -> Column {
    let known = workload.table(&of.table).and_then(|table| table.column(&of.column));
    known.cloned().unwrap_or_else(|| Column::new(of.column.as_str(), ValueType::String))
}

/// Different values of a column.
pub fn distinct(workload: &Workload, of: &ColumnOf) -> f64 {
    let share = column(workload, of).share_of_any();
    if share > 0.0 { (1.0 / share).max(1.0) } else { 1.0 }
}

/// Pairs of rows that have the same value in two columns: as many as is known, or as there are when rows are spread evenly.
pub fn pairs(workload: &Workload, one: &ColumnOf, other: &ColumnOf) -> f64 {
    let rows = |of: &ColumnOf| workload.table(&of.table).map_or(1.0, rows);
    match workload.joined_rows(one, other) {
        Some(pairs) => pairs as f64,
        None => rows(one) * rows(other) / distinct(workload, one).max(distinct(workload, other)),
    }
}

/// The share of rows with the value in one column that a row of another table has in another.
pub fn share_with(workload: &Workload, column: &ColumnOf, same_as: &ColumnOf) -> f64 {
    let rows = |of: &ColumnOf| workload.table(&of.table).map_or(1.0, rows);
    match workload.joined_rows(column, same_as) {
        Some(pairs) => (pairs as f64 / (rows(column) * rows(same_as))).min(1.0),
        None => 1.0 / distinct(workload, column),
    }
}

/// How many records there are: rows of the first table, times how many rows of the others belong to each.
pub fn records(workload: &Workload, record: &Record) -> f64 {
    let first = record.tables.first().and_then(|name| workload.table(name)).map_or(1.0, rows);
    let of_join = |join: &tablesmith_model::design::JoinOn| match join.to_many {
        false => 1.0,
        true => pairs(workload, &join.have, &join.other) / workload.table(&join.have.table).map_or(1.0, rows),
    };
    (first * record.joins.iter().map(of_join).product::<f64>()).max(1.0)
}

/// Bytes of a value as text or bytes, measured or assumed by its type.
pub fn bytes(column: &Column) -> f64 {
    column.bytes.unwrap_or(match column.value_type {
        ValueType::Bool => 1.0,
        ValueType::Int | ValueType::Float | ValueType::Date | ValueType::Timestamp | ValueType::Decimal => {
            8.0
        }
        ValueType::String => 16.0,
        ValueType::Bytes => 64.0,
    })
}

/// Bytes of a value in a cell.
pub fn value_bytes(column: &Column) -> f64 {
    match column.value_type {
        ValueType::Int | ValueType::Float | ValueType::Timestamp => 8.0,
        _ => bytes(column),
    }
}

/// Bytes of a part of a binary key.
pub fn part_bytes(part: &Part, column: Option<&Column>) -> f64 {
    match part {
        Part::Const(bytes) => bytes.len() as f64,
        Part::Md5 { bytes, .. } => bytes.unwrap_or(DIGEST_BYTES) as f64,
        Part::Pad { width, .. } => *width as f64,
        Part::RowNumber => 8.0,
        Part::Md5Mod { .. } | Part::Mod { .. } | Part::Random(_) | Part::Md5LineMod(_) => PREFIX_BYTES,
        Part::Field(_) | Part::Desc(_) | Part::Reverse(_) | Part::Bucket { .. } => match column {
            Some(column) => ordered_bytes(column),
            None => 8.0,
        },
    }
}

/// Bytes of an order-preserving encoding: a text has a terminator.
fn ordered_bytes(column: &Column) -> f64 {
    match column.value_type {
        ValueType::Bool => 1.0,
        ValueType::Date => 4.0,
        ValueType::Int | ValueType::Float | ValueType::Timestamp => 8.0,
        ValueType::Decimal => 12.0,
        ValueType::String | ValueType::Bytes => bytes(column) + 1.0,
    }
}

/// Bytes of a stored cell: every one carries its row's key and its names.
pub fn cell_bytes(key_bytes: f64, qualifier_bytes: f64, value_bytes: f64) -> f64 {
    key_bytes + FAMILY_BYTES + qualifier_bytes + CELL_OVERHEAD_BYTES + value_bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::workload::Join;

    #[test]
    fn popular_people_have_more_rows_than_the_average() {
        let mut workload = Workload::parse(
            "version = 1\n[[table]]\nname = \"follow\"\nrows = 8_000\nkey = [\"a\"]\n[table.columns]\n\
             a = { type = \"int\", distinct = 1_000 }\n\
             [[table]]\nname = \"twit\"\nrows = 4_000\nkey = [\"id\"]\n[table.columns]\n\
             by = { type = \"int\", distinct = 1_000 }\nid = { type = \"int\" }\n",
        )
        .unwrap();
        let (followed, by) = (ColumnOf::new("follow", "a"), ColumnOf::new("twit", "by"));
        let amounts = |workload: &Workload| {
            (pairs(workload, &followed, &by).round(), 4_000.0 * share_with(workload, &by, &followed))
        };
        assert_eq!(amounts(&workload), (32_000.0, 4.0));
        workload.joins = vec![Join { one: by.clone(), other: followed.clone(), rows: 88_000 }];
        assert_eq!(amounts(&workload), (88_000.0, 11.0));
    }

    #[test]
    fn what_nobody_said_follows_from_keys_and_references() {
        let workload = Workload::parse(
            "version = 1\n[[table]]\nname = \"user\"\nrows = 500\nkey = [\"id\"]\n[table.columns]\nid = { type = \"int\" }\n\
             [[table]]\nname = \"follow\"\nrows = 10_000\nkey = [\"a\", \"b\"]\n[table.columns]\na = { type = \"int\" }\n\
             b = { type = \"int\" }\nok = { type = \"bool\" }\nx = { type = \"int\", distinct = 7 }\n[table.references]\na = \"user.id\"\n",
        )
        .unwrap();
        let filled = workload.with_assumptions();
        let of = |table: &str, name: &str| distinct(&filled, &ColumnOf::new(table, name)).round();
        assert_eq!((of("user", "id"), of("follow", "a"), of("follow", "b")), (500.0, 500.0, 100.0));
        assert_eq!((of("follow", "ok"), of("follow", "x")), (2.0, 7.0));
    }
}
