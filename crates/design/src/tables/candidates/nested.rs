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

use tablesmith_model::design::{Cells, ColumnOf, Rows};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::KeyEncoding;
use tablesmith_model::workload::{Reference, Table};

use super::Ground;
use super::draft::{FAMILY, wide};
use super::tall::push;
use crate::tables::candidate::{Candidate, Entry, Shape};
use crate::tables::want::Want;

/// The family of the children.
const CHILDREN: &str = "c";

/// The nested candidates of a want.
pub fn make(ground: &Ground<'_>, want: &Want) -> Vec<Candidate> {
    let [one, two] = want.tables.as_slice() else { return Vec::new() };
    let pairs = [(one, two), (two, one)];
    let tables = pairs
        .into_iter()
        .filter_map(|(parent, child)| Some((ground.workload.table(parent)?, ground.workload.table(child)?)));
    tables.filter_map(|(parent, child)| nested(ground, want, parent, child)).collect()
}

fn nested(ground: &Ground<'_>, want: &Want, parent: &Table, child: &Table) -> Option<Candidate> {
    let [key] = parent.key.as_slice() else { return None };
    let joins = |reference: &&Reference| {
        reference.table == parent.name
            && reference.target == *key
            && want
                .are_equal(&ColumnOf::new(&child.name, &reference.column), &ColumnOf::new(&parent.name, key))
    };
    let reference = child.references.iter().find(joins)?;
    let same_type = parent.column(key)?.value_type == child.column(&reference.column)?.value_type;
    if !same_type || child.key.is_empty() {
        return None;
    }
    let cells_of = |table: &Table, without: &[&String]| {
        let columns = table.columns.iter().map(|column| column.name.clone());
        columns.filter(|column| !without.contains(&column)).collect::<Vec<_>>()
    };
    let mut qualifier: Vec<Part> = Vec::new();
    for (column, falls) in want.order.iter().filter(|(column, _)| column.table == child.name) {
        let field = column.column.clone();
        push(&mut qualifier, if *falls { Part::Desc(field) } else { Part::Field(field) });
    }
    for field in child.key.iter().filter(|field| **field != reference.column) {
        push(&mut qualifier, Part::Field(field.clone()));
    }
    if qualifier.is_empty() {
        return None;
    }
    let inside: Vec<&String> = qualifier.iter().flat_map(Part::fields).chain([&reference.column]).collect();
    let mut children = wide(cells_of(child, &inside), &qualifier);
    children.family = CHILDREN.to_owned();
    let mut own = cells_of(parent, &[key]);
    if own.is_empty() {
        own.push(key.clone());
    }
    let own = Cells { family: FAMILY.to_owned(), columns: own, ..Cells::default() };
    let entries = vec![
        Entry::new(rows(parent, key, own), ground.workload)?,
        Entry::new(rows(child, &reference.column, children), ground.workload)?,
    ];
    Some(Candidate { shape: Shape::Nested, entries })
}

fn rows(table: &Table, key: &str, cells: Cells) -> Rows {
    let key = Key { parts: vec![Part::Field(key.to_owned())], encoding: KeyEncoding::Binary };
    Rows { from: table.name.clone(), join: Vec::new(), key, cells: vec![cells] }
}
