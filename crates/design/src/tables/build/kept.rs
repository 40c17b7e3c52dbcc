//! A candidate that is kept: its name, and the table that it becomes.

use std::collections::BTreeSet;

use tablesmith_model::design::{Family, Reason, Rows, Table};
use tablesmith_plan::{RowsSize, StoredRows};

use super::{families, key, names, usage};
use crate::settings;
use crate::tables::ask::Ask;
use crate::tables::candidate::{Candidate, Shape};
use crate::tables::pose::{Posed, What};
use crate::tables::predict::Ground;
use crate::tables::select::Selection;

/// A candidate that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its number among the candidates.
    pub number: usize,
    /// The candidate.
    pub candidate: Candidate,
    /// The tables of the workload that it is the master of.
    pub base_of: Vec<String>,
    /// The table of the design.
    pub table: Table,
    /// Why its families, settings, prefix and splits are as they are.
    pub reasons: Vec<Reason>,
}

/// All candidates that are kept, masters first, in the order of the workload.
pub fn all(ground: &Ground<'_>, candidates: &[Candidate], posed: &Posed, selection: &Selection) -> Vec<Kept> {
    let mut kept: Vec<(usize, &Candidate, Vec<String>)> = candidates
        .iter()
        .enumerate()
        .filter(|(number, _)| selection.kept.get(*number).copied().unwrap_or(false))
        .map(|(number, candidate)| (number, candidate, Vec::new()))
        .collect();
    for table in &ground.workload.tables {
        // Of several places with all columns the one that is read fresh is where copies are made from, else the smallest.
        let masters = kept
            .iter_mut()
            .filter(|(_, candidate, _)| candidate.base_of(&table.name, ground.workload).is_some());
        let fresh = read_fresh(ground, posed, selection, &table.name);
        let rank = |number: usize, candidate: &Candidate| {
            let bytes: f64 = candidate.entries.iter().map(|entry| entry.size.total_bytes()).sum();
            if fresh.contains(&number) { -1.0 } else { bytes }
        };
        if let Some((_, _, of)) = masters.min_by(|one, two| rank(one.0, one.1).total_cmp(&rank(two.0, two.1)))
        {
            of.push(table.name.clone());
        }
    }
    let place = |of: &Vec<String>, candidate: &Candidate| {
        let from = candidate.entries.first().map(|entry| entry.rows.from.as_str()).unwrap_or_default();
        let at = ground.workload.tables.iter().position(|table| table.name == from);
        (of.is_empty(), at.unwrap_or(usize::MAX))
    };
    kept.sort_by_key(|(number, candidate, of)| (place(of, candidate), *number));
    let mut taken = BTreeSet::new();
    kept.into_iter()
        .map(|(number, candidate, base_of)| {
            let name = names::name(candidate, !base_of.is_empty(), &mut taken);
            one(ground, posed, selection, number, candidate, base_of, name)
        })
        .collect()
}

/// The candidates that serve queries which wish to read a table fresh.
fn read_fresh(ground: &Ground<'_>, posed: &Posed, selection: &Selection, table: &str) -> Vec<usize> {
    let demands = posed.problem.demands.iter().zip(&posed.demands);
    let of_fresh = demands.filter(|(_, posing)| {
        let ask = posing.what.ask().and_then(|number| ground.asks.get(number));
        let reads = |ask: &Ask| ask.needs.iter().any(|need| need.table == table);
        matches!(posing.what, What::Answer(_)) && ask.is_some_and(|ask| ask.wishes.fresh && reads(ask))
    });
    of_fresh.filter_map(|(demand, _)| demand.served(&selection.kept)).flat_map(|one| one.candidates).collect()
}

fn one(
    ground: &Ground<'_>,
    posed: &Posed,
    selection: &Selection,
    number: usize,
    candidate: &Candidate,
    base_of: Vec<String>,
    name: String,
) -> Kept {
    let uses = usage::uses(ground, posed, selection, number, candidate);
    let mut reasons = Vec::new();
    let mut rows: Vec<_> = candidate.entries.iter().map(|entry| entry.rows.clone()).collect();
    let mut family_names: Vec<String> = Vec::new();
    match &candidate.shape {
        Shape::Tall => {
            if let (Some(rows), Some(entry)) = (rows.first_mut(), candidate.entries.first()) {
                let grouped = families::group(ground, entry, &uses);
                rows.cells = grouped.cells;
                reasons.extend(
                    grouped.reasons.into_iter().map(|text| Reason::new(format!("{name}.families"), text)),
                );
            }
        }
        Shape::Wide | Shape::Nested | Shape::Mixed | Shape::Time(_) => {}
    }
    for cells in rows.iter().flat_map(|rows| &rows.cells) {
        if !family_names.contains(&cells.family) {
            family_names.push(cells.family.clone());
        }
    }
    let spread = key::spread(ground, candidate, &uses, &mut rows);
    reasons.extend(spread.reasons.into_iter().map(|text| Reason::new(format!("{name}.splits"), text)));
    let family = |family: &String| {
        let usage = usage::of_family(ground, candidate, &uses, family);
        let decided = settings::settings(&usage);
        for decision in &decided {
            let at = format!("{name}.family.{family}.{}", decision.setting);
            reasons.push(Reason::new(at.clone(), decision.reason.clone()));
            reasons.push(Reason::new(at, format!("measured on HBase 2.6.1: {}", decision.measured)));
        }
        let settings = decided.into_iter().map(|one| (one.setting.to_owned(), one.value)).collect();
        Family { name: family.clone(), settings }
    };
    let families = family_names.iter().map(family).collect();
    let table = Table { name, splits: spread.splits, families, rows };
    Kept { number, candidate: as_built(ground, candidate, &table), base_of, table, reasons }
}

/// The candidate with the families, the salt and the regions of its table, so that plans are estimated as they will run.
fn as_built(ground: &Ground<'_>, candidate: &Candidate, table: &Table) -> Candidate {
    let regions = (!table.splits.is_empty()).then_some((table.splits.len() + 1) as f64);
    let entry = |(entry, rows): (&StoredRows, &Rows)| {
        let size = RowsSize::of(rows, &entry.record, ground.workload);
        StoredRows { rows: rows.clone(), record: entry.record.clone(), size, regions }
    };
    let entries = candidate.entries.iter().zip(&table.rows).map(entry).collect();
    Candidate { shape: candidate.shape.clone(), entries }
}
