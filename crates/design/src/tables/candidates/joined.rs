//! Copies along references: rows of several tables as one record.
//!
//! # What
//! A pattern of several tables is the record of a `rows` entry where its equalities run along declared references: to one
//! (`follow` with the name of the followed `user`), or to many (`twit` with `follow`: every twit once for each follower
//! of its author, the stream).
//!
//! # Why
//! A store joins nothing. What is read together is found in one call only where it lies together (Khurana, figure 10, and
//! HBase in Action, section 4.2).
//!
//! # When
//! Where reads save more than writes cost: a change of one row has to be carried to all its copies.

use tablesmith_model::design::{Record, Rows};
use tablesmith_model::key::Key;
use tablesmith_model::workload::Workload;
use tablesmith_plan::AccessPattern;

/// `from` and `join` of the record that a pattern is about; `None` where its equalities do not run along references, or where
/// joined records could not be told apart.
pub fn record_of(pattern: &AccessPattern, workload: &Workload) -> Option<(String, Vec<String>, Record)> {
    let has_key = |name: &String| workload.table(name).is_some_and(|table| !table.key.is_empty());
    if pattern.tables.len() > 1 && !pattern.tables.iter().all(has_key) {
        return None;
    }
    let mut found: Vec<(usize, String, Vec<String>, Record)> = Vec::new();
    for from in &pattern.tables {
        if let Some((join, record)) = follow(pattern, workload, from, Vec::new()) {
            let many = record.joins.iter().filter(|join| join.to_many).count();
            found.push((many, from.clone(), join, record));
        }
    }
    let best = found.into_iter().min_by_key(|(many, from, ..)| (*many, from.clone()))?;
    Some((best.1, best.2, best.3))
}

/// Follows references until all tables of the pattern are there.
fn follow(
    pattern: &AccessPattern,
    workload: &Workload,
    from: &str,
    join: Vec<String>,
) -> Option<(Vec<String>, Record)> {
    let rows = Rows { from: from.to_owned(), join, key: Key::default(), cells: Vec::new() };
    let record = Record::of(&rows, workload).ok()?;
    let last = record.joins.last();
    if last.is_some_and(|join| !pattern.are_equal(&join.have, &join.other)) {
        return None;
    }
    if record.tables.len() == pattern.tables.len() {
        let all_hold = pattern.joins.iter().all(|(one, two)| record.same_as(one) == record.same_as(two));
        let is_whole = all_hold && pattern.is_of(&record.tables);
        return is_whole.then_some((rows.join, record));
    }
    let of_tables = pattern.tables.iter().filter_map(|name| workload.table(name));
    let mut references = of_tables
        .flat_map(|table| table.references.iter().map(|one| format!("{}.{}", table.name, one.column)))
        .filter(|reference| !rows.join.contains(reference));
    references.find_map(|reference| {
        let mut longer = rows.join.clone();
        longer.push(reference);
        follow(pattern, workload, from, longer)
    })
}
