//! Mixed: rows of two kinds in one table, with a part of the key that says which kind a row is.
//!
//! # What
//! `ada·0` is the user, `ada·1·17` is one of her orders: the type stands behind what they have in common. Or it stands first,
//! `0·ada` and `1·ada·17`, and each kind is a stretch of its own.
//!
//! # Why
//! Behind the common part a parent and its children are neighbours: one scan brings both, stops at a limit, and, other than
//! one wide row, they can be as many as they like and lie in several regions. In front of it each kind is scanned without the
//! other, as in two tables, which is what it then has to be better than (*HBase in Action*, section 4.3).
//!
//! # When
//! A query reads a parent together with its children. Where all rows of one kind are read, a type that stands behind costs
//! reading the others, too.

use tablesmith_model::design::{Cells, Rows};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::KeyEncoding;
use tablesmith_model::workload::Table;
use tablesmith_plan::{AccessPattern, StoredRows};

use super::Ground;
use super::draft::FAMILY;
use super::kin::{Kin, kin};
use crate::tables::candidate::{Candidate, Shape};

/// The types: parents come before their children.
const PARENT: &[u8] = b"0";
const CHILD: &[u8] = b"1";

/// The mixed candidates of a pattern, with the type in either place.
pub fn make(ground: &Ground<'_>, pattern: &AccessPattern) -> Vec<Candidate> {
    let kin = kin(ground, pattern);
    let places = kin.iter().flat_map(|kin| [(kin, true), (kin, false)]);
    places.filter_map(|(kin, is_behind)| mixed(ground, kin, is_behind)).collect()
}

fn mixed(ground: &Ground<'_>, kin: &Kin<'_>, is_behind: bool) -> Option<Candidate> {
    let key = |field: &str, kind: &[u8], rest: &[Part]| {
        let common = Part::Field(field.to_owned());
        let kind = Part::Const(kind.to_vec());
        let lead = if is_behind { [common, kind] } else { [kind, common] };
        lead.into_iter().chain(rest.iter().cloned()).collect::<Vec<_>>()
    };
    let mut child = kin.child_columns();
    if child.is_empty() {
        // A row must have a cell.
        child.push(kin.reference.to_owned());
    }
    let entries = vec![
        entry(ground, kin.parent, key(kin.key, PARENT, &[]), kin.parent_columns())?,
        entry(ground, kin.child, key(kin.reference, CHILD, &kin.rest), child)?,
    ];
    Some(Candidate { shape: Shape::Mixed, entries })
}

fn entry(ground: &Ground<'_>, table: &Table, parts: Vec<Part>, columns: Vec<String>) -> Option<StoredRows> {
    let cells = vec![Cells { family: FAMILY.to_owned(), columns, ..Cells::default() }];
    let key = Key { parts, encoding: KeyEncoding::Binary };
    StoredRows::new(Rows { from: table.name.clone(), join: Vec::new(), key, cells }, ground.workload)
}
