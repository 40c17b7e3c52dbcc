//! All kinds of candidates, in the order in which they are made.

use std::collections::BTreeSet;

use tablesmith_model::cost::Prices;
use tablesmith_model::design::ColumnOf;
use tablesmith_plan::{AccessPattern, EqualityPredicate, StoredRows};

use super::draft::{Draft, Drafts};
use super::time::Readings;
use super::{Ground, counters, hashed, mixed, nested, tall, together, wide};
use crate::tables::candidate::{Candidate, Shape};

/// A kind of rows: its name, and how it is made of a pattern.
pub struct Kind {
    /// The name.
    pub name: &'static str,
    make: fn(&Ground<'_>, &AccessPattern, &mut Drafts),
}

/// The kinds that begin with what a query wants; the others change or join what these make.
pub const KINDS: &[Kind] =
    &[Kind { name: "tall", make: tall::make }, Kind { name: "wide", make: wide::make }];

/// All candidates for what is wanted, each once.
pub fn candidates(
    ground: &Ground<'_>,
    wants: &[AccessPattern],
    readings: &[Readings],
    prices: &Prices,
) -> Vec<Candidate> {
    let mut drafts = Drafts::default();
    let declared: Vec<AccessPattern> =
        ground.workload.tables.iter().map(|table| declared(&table.name, &table.key)).collect();
    for pattern in declared.iter().chain(wants) {
        KINDS.iter().for_each(|kind| (kind.make)(ground, pattern, &mut drafts));
    }
    let mut all = All::default();
    for draft in &drafts.all {
        variants(ground, draft).into_iter().for_each(|candidate| all.add(candidate));
    }
    for pattern in wants {
        nested::make(ground, pattern).into_iter().filter(is_small).for_each(|candidate| all.add(candidate));
        mixed::make(ground, pattern).into_iter().for_each(|candidate| all.add(candidate));
    }
    for table in ground.workload.tables.iter().filter(|table| table.key.is_empty()) {
        let rows = tablesmith_model::design::Table::of_workload(table).rows.into_iter().next();
        let entry = rows.and_then(|rows| StoredRows::new(rows, ground.workload));
        let candidate = entry.map(|entry| Candidate { shape: Shape::Tall, entries: vec![entry] });
        candidate.into_iter().for_each(|candidate| all.add(candidate));
    }
    for readings in readings {
        readings.candidates(ground.workload, prices).into_iter().for_each(|candidate| all.add(candidate));
    }
    all.candidates
}

/// Rows by their declared key: what every table can fall back on.
fn declared(table: &str, key: &[String]) -> AccessPattern {
    let equality =
        |column: &String| EqualityPredicate { column: ColumnOf::new(table, column), values: 1.0, share: 1.0 };
    let equalities: Vec<EqualityPredicate> = key.iter().map(equality).collect();
    let columns = equalities.iter().map(|equality| equality.column.clone()).collect();
    AccessPattern {
        tables: vec![table.to_owned()],
        equalities,
        columns,
        executions: 1.0,
        ..AccessPattern::default()
    }
}

/// What can be made of a draft: with the columns that are read or with all, hashed or not, together or not.
fn variants(ground: &Ground<'_>, draft: &Draft) -> Vec<Candidate> {
    let filled = [draft.with_reads(ground.workload), draft.with_all(ground.workload)];
    let mut entries: Vec<StoredRows> = Vec::new();
    for entry in filled.into_iter().flatten().map(|entry| counters::of(entry, ground)) {
        let hashed = hashed::of(&entry, ground.workload);
        for entry in [Some(entry), hashed].into_iter().flatten() {
            entries.extend(together::of(&entry, ground));
            entries.push(entry);
        }
    }
    let candidate = |entry: StoredRows| {
        let shape = if entry.is_wide() { Shape::Wide } else { Shape::Tall };
        Candidate { shape, entries: vec![entry] }
    };
    entries.into_iter().map(candidate).filter(is_small).collect()
}

/// Whether no row grows too large.
fn is_small(candidate: &Candidate) -> bool {
    let bytes: f64 =
        candidate.entries.iter().map(|entry| entry.size.row_records_most * entry.size.bytes).sum();
    bytes <= wide::ROW_BYTES_MOST
}

/// Candidates, each once.
#[derive(Default)]
struct All {
    seen: BTreeSet<String>,
    candidates: Vec<Candidate>,
}

impl All {
    fn add(&mut self, candidate: Candidate) {
        let rows: Vec<_> = candidate.entries.iter().map(|entry| &entry.rows).collect();
        if self.seen.insert(format!("{rows:?}")) {
            self.candidates.push(candidate);
        }
    }
}
