//! Nested: parent and children in one row, each in a family of its own.
//!
//! # What
//! The row of a user has the user's columns in one family and a cell for each order in another.
//!
//! # Why
//! One get brings both, and one row is written atomically.
//!
//! # When
//! A query reads a parent by its key together with its children, and there are not too many of these. Each family is read
//! alone too, so that the parent without its children costs no more than in a table of its own.

use tablesmith_model::design::{Cells, Rows};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::KeyEncoding;
use tablesmith_model::workload::Table;
use tablesmith_plan::{AccessPattern, StoredRows};

use super::Ground;
use super::draft::{FAMILY, wide};
use super::kin::{Kin, kin};
use crate::tables::candidate::{Candidate, Shape};

/// The family of the children.
const CHILDREN: &str = "c";

/// The nested candidates of a pattern.
pub fn make(ground: &Ground<'_>, pattern: &AccessPattern) -> Vec<Candidate> {
    kin(ground, pattern).iter().filter_map(|kin| nested(ground, kin)).collect()
}

fn nested(ground: &Ground<'_>, kin: &Kin<'_>) -> Option<Candidate> {
    let mut children = wide(kin.child_columns(), &kin.rest);
    children.family = CHILDREN.to_owned();
    let own = Cells { family: FAMILY.to_owned(), columns: kin.parent_columns(), ..Cells::default() };
    let entries = vec![
        StoredRows::new(rows(kin.parent, kin.key, own), ground.workload)?,
        StoredRows::new(rows(kin.child, kin.reference, children), ground.workload)?,
    ];
    Some(Candidate { shape: Shape::Nested, entries })
}

fn rows(table: &Table, key: &str, cells: Cells) -> Rows {
    let key = Key { parts: vec![Part::Field(key.to_owned())], encoding: KeyEncoding::Binary };
    Rows { from: table.name.clone(), join: Vec::new(), key, cells: vec![cells] }
}
