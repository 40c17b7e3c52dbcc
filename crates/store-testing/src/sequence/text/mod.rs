//! Requests and answers as short text, for people who read why two stores differ.
//!
//! A cell is `family:qualifier@timestamp=value`, a marker `family:qualifier@timestamp!Kind`; a row is its key, a colon
//! and its cells; rows are divided by ` | `. Requests look like the commands of HBase's shell.

mod reads;
mod writes;

use tablesmith_model::bytes_text::to_text;
use tablesmith_model::{Cell, FamilyDescriptor, TableDescriptor, Timestamp};
use tablesmith_store::Row;

pub(crate) use reads::{aggregate, get, scan};
pub(crate) use writes::{action, append, check_and_mutate, delete, increment, mutations, put};

/// Timestamps from here on were set by a store's clock: they are printed as `now`.
pub(crate) const SERVER_TIME_MS: Timestamp = 1_000_000_000_000;

/// A timestamp, or `now` when a store's clock made it.
pub(crate) fn timestamp(timestamp: Timestamp) -> String {
    if timestamp >= SERVER_TIME_MS { "now".to_owned() } else { timestamp.to_string() }
}

/// `family:qualifier`.
pub(crate) fn column(family: &[u8], qualifier: &[u8]) -> String {
    format!("{}:{}", to_text(family), to_text(qualifier))
}

/// One cell.
pub(crate) fn cell(cell: &Cell) -> String {
    let column = column(&cell.family, &cell.qualifier);
    let timestamp = timestamp(cell.timestamp);
    if cell.kind.is_marker() {
        format!("{column}@{timestamp}!{}", cell.kind.name())
    } else {
        format!("{column}@{timestamp}={}", to_text(&cell.value))
    }
}

/// The cells of a row, divided by spaces.
pub(crate) fn cells(cells: &[Cell]) -> String {
    if cells.is_empty() {
        return "nothing".to_owned();
    }
    cells.iter().map(cell).collect::<Vec<_>>().join(" ")
}

/// Rows with their cells.
pub(crate) fn rows(rows: &[Row]) -> String {
    if rows.is_empty() {
        return "nothing".to_owned();
    }
    let rows: Vec<_> =
        rows.iter().map(|row| format!("{}: {}", to_text(&row.row), cells(&row.cells))).collect();
    rows.join(" | ")
}

/// A family with the settings that are not the default.
pub(crate) fn family(family: &FamilyDescriptor) -> String {
    let plain = FamilyDescriptor::new(family.name.clone()).settings();
    let changed: Vec<_> = family
        .settings()
        .into_iter()
        .filter(|setting| !plain.contains(setting))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let name = to_text(&family.name);
    if changed.is_empty() { name } else { format!("{name}({})", changed.join(" ")) }
}

/// The families of a table.
pub(crate) fn families(table: &TableDescriptor) -> String {
    table.families.iter().map(family).collect::<Vec<_>>().join(", ")
}

/// Joins what there is to say, leaving out what is empty.
fn joined(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use tablesmith_model::CellType;

    use super::*;

    #[test]
    fn cells_print_short() {
        let put = Cell::put("r", "f", "q", 5, "v\x00");
        let marker =
            Cell { kind: CellType::DeleteFamily, value: "".into(), qualifier: "".into(), ..put.clone() };
        let now = Cell { timestamp: SERVER_TIME_MS, ..put.clone() };
        let row = Row { row: "r".into(), cells: vec![marker, now, put] };
        assert_eq!(
            rows(&[row, Row::default()]),
            "r: f:@5!DeleteFamily f:q@now=v\\x00 f:q@5=v\\x00 | : nothing"
        );
    }

    #[test]
    fn families_print_what_is_set() {
        let table = TableDescriptor::new(
            "t".parse().unwrap(),
            [FamilyDescriptor::new("f").with_versions(3), FamilyDescriptor::new("g")],
        );
        assert_eq!(families(&table), "f(VERSIONS=3), g");
    }
}
