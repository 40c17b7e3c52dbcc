//! Whether an answer is one that SQLite could have given.

use std::collections::BTreeMap;

use tablesmith_access::answer::Row;

use super::sqlite::{Form, of_ours};
use super::statement::Written;

/// Holds an answer against that of SQLite, with and without the limit.
///
/// Without a limit both have the same rows, whatever their order. With one, as many rows, all of them among those without the
/// limit. What the query sorts by is the same in every place.
pub fn same(rows: &[Row], expected: &[Vec<Form>], all: &[Vec<Form>], asked: &Written, told: &str) {
    let ours: Vec<Vec<Form>> = rows.iter().map(|row| row.iter().map(of_ours).collect()).collect();
    assert_eq!(ours.len(), expected.len(), "rows: {ours:?}\nSQLite: {expected:?}\n{told}");
    let sorted_by = |rows: &[Vec<Form>]| -> Vec<Vec<Form>> {
        rows.iter().map(|row| asked.order.iter().map(|at| row[*at].clone()).collect()).collect()
    };
    assert_eq!(sorted_by(&ours), sorted_by(expected), "the order\n{told}");
    let mut left: BTreeMap<&Vec<Form>, usize> = BTreeMap::new();
    all.iter().for_each(|row| *left.entry(row).or_default() += 1);
    for row in &ours {
        match left.get_mut(row) {
            Some(count) if *count > 0 => *count -= 1,
            _ => panic!("{row:?} is not in SQLite's answer {all:?}\n{told}"),
        }
    }
}
