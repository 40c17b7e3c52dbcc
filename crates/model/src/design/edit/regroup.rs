//! Which cells a kind of rows gets when its columns go to other families. Decides only.

use super::super::{Cells, Rows};
use super::FamilyColumns;

/// The cells of `rows` with its columns in these families. What is said about a column's cells (encoding, version,
/// qualifier, packing) goes with it; columns that no family names, and cells that are not about columns, stay.
pub(super) fn regrouped(rows: &Rows, families: &[FamilyColumns]) -> Vec<Cells> {
    let mut cells: Vec<Cells> = Vec::new();
    for family in families {
        for column in &family.columns {
            let shape = shape_of(rows, column, &family.name);
            add(&mut cells, Cells { family: family.name.clone(), columns: vec![column.clone()], ..shape });
        }
    }
    for entry in &rows.cells {
        let is_named = |column: &String| families.iter().any(|family| family.columns.contains(column));
        let left: Vec<String> = entry.columns.iter().filter(|column| !is_named(column)).cloned().collect();
        if entry.columns.is_empty() || !left.is_empty() {
            add(&mut cells, Cells { columns: left, ..entry.clone() });
        }
    }
    cells
}

/// How a column's cells look now: in the same family if they are there, else in the first one; plain if nowhere.
fn shape_of(rows: &Rows, column: &String, family: &str) -> Cells {
    let holding = || rows.cells.iter().filter(|entry| entry.columns.contains(column));
    let found = holding().find(|entry| entry.family == family).or_else(|| holding().next());
    found.cloned().unwrap_or_default()
}

/// Adds an entry, to one of the same shape if there is one.
fn add(cells: &mut Vec<Cells>, entry: Cells) {
    match cells.iter_mut().find(|known| !entry.columns.is_empty() && known.same_shape(&entry)) {
        Some(known) => {
            let new = entry.columns.into_iter().filter(|column| !known.columns.contains(column));
            let new: Vec<String> = new.collect();
            known.columns.extend(new);
        }
        None => cells.push(entry),
    }
}
