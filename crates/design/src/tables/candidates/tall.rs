//! Tall: a row of the store for every record.
//!
//! # What
//! The key begins with the columns whose values a query knows, goes on with the column of a range or of the order (turned
//! round with `desc` where large values come first, so that the newest are read first), and ends with what is left of the
//! record's identity.
//!
//! # Why
//! Rows lie in the order of their keys, and nothing else is indexed (Khurana, "HBase Table Design Fundamentals"): what is
//! asked for together then is one stretch, or one row (Khurana, figure 9).
//!
//! # When
//! Always possible. A row is the unit of atomicity, so records of one parent are not written together.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::key::Part;
use tablesmith_plan::AccessPattern;

use super::Ground;
use super::draft::{Draft, Drafts};
use super::joined::record_of;

/// Up to so many known columns come in every order.
const PERMUTED: usize = 3;

/// The tall drafts of a pattern.
pub fn make(ground: &Ground<'_>, pattern: &AccessPattern, drafts: &mut Drafts) {
    let Some((from, join, record)) = record_of(pattern, ground.workload) else { return };
    let identity = record.identity(ground.workload);
    if identity.is_empty() {
        return;
    }
    let field = |column: &ColumnOf| record.field(&record.same_as(column));
    let given: Vec<String> = distinct(pattern.equalities.iter().filter_map(|given| field(&given.column)));
    let ranges: Vec<Part> =
        pattern.ranges.iter().filter_map(|range| field(&range.column)).map(Part::Field).collect();
    let order: Vec<Part> = pattern
        .order
        .iter()
        .filter_map(|(column, falls)| Some((field(column)?, *falls)))
        .map(|(field, falls)| if falls { Part::Desc(field) } else { Part::Field(field) })
        .collect();
    let groups: Vec<Part> = pattern.grouping.iter().filter_map(field).map(Part::Field).collect();
    for first in orders(&given) {
        for middle in [&order, &ranges, &groups] {
            let mut key: Vec<Part> = first.iter().cloned().map(Part::Field).collect();
            // A range takes one column; an order may take several.
            let wanted = if std::ptr::eq(middle, &ranges) { 1 } else { middle.len() };
            middle.iter().take(wanted).for_each(|part| push(&mut key, part.clone()));
            identity.iter().for_each(|field| push(&mut key, Part::Field(field.clone())));
            drafts.add(Draft {
                from: from.clone(),
                join: join.clone(),
                record: record.clone(),
                key,
                qualifier: Vec::new(),
                reads: pattern.columns.clone(),
            });
        }
    }
}

/// Adds a part unless its field is there already.
pub fn push(key: &mut Vec<Part>, part: Part) {
    if !key.iter().any(|there| there.fields() == part.fields()) {
        key.push(part);
    }
}

/// Each once, in order.
pub fn distinct(fields: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    fields.for_each(|field| {
        if !all.contains(&field) {
            all.push(field);
        }
    });
    all
}

/// Every order of a few columns; of many only the one that they come in.
pub fn orders(columns: &[String]) -> Vec<Vec<String>> {
    if columns.len() > PERMUTED {
        return vec![columns.to_vec()];
    }
    if columns.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, first) in columns.iter().enumerate() {
        let rest: Vec<String> = columns
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != place)
            .map(|(_, one)| one.clone())
            .collect();
        for mut order in orders(&rest) {
            order.insert(0, first.clone());
            all.push(order);
        }
    }
    all
}
