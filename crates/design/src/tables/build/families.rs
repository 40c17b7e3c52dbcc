//! Families of a tall table: by the decider of families, where there are enough columns for it to matter.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use tablesmith_model::design::Cells;
use tablesmith_plan::{AccessKind, StoredRows, statistics};

use super::usage::Use;
use crate::families::cost::store::Store;
use crate::families::exact::Exact;
use crate::families::{Access, Ask, Column, ColumnSet, Evaluator, FamilyLimit, Method, Problem};
use crate::settings::family_name;
use crate::tables::predict::Ground;

/// Fewer cells in a row are not worth a second family.
const FEW_CELLS: usize = 4;
/// HBase flushes all families of a region together, which makes many of them dear.
const MOST_FAMILIES: usize = 3;
/// How long one table may take.
const TIME: Duration = Duration::from_secs(2);

/// Cells in their families, and why.
pub struct Grouped {
    /// The cells.
    pub cells: Vec<Cells>,
    /// Why, in sentences.
    pub reasons: Vec<String>,
}

/// Groups the cells of a tall entry into families.
pub fn group(ground: &Ground<'_>, entry: &StoredRows, uses: &[Use]) -> Grouped {
    let units = units(&entry.rows.cells);
    let one = |why: &str| Grouped { cells: entry.rows.cells.clone(), reasons: vec![why.to_owned()] };
    if units.len() < FEW_CELLS {
        return one("one family: there are too few columns for a second one to be worth its seek");
    }
    let problem = problem(ground, entry, uses, &units);
    let store = Store { prices: ground.prices.clone() };
    let evaluator = Evaluator::new(&problem, &store, Some(Instant::now() + TIME));
    let families = Exact::default().run(&evaluator, 1).families.unwrap_or_default();
    if families.len() < 2 {
        return one("one family: what is read together outweighs what is not");
    }
    let mut cells: Vec<Cells> = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let place = families.iter().position(|family| family.contains(number)).unwrap_or(0);
        let unit = Cells { family: family_name(place), ..unit.clone() };
        let is_plain = |cells: &Cells| !cells.together && cells.encoding.is_none();
        match cells.iter_mut().find(|known| known.family == unit.family && is_plain(known) && is_plain(&unit))
        {
            Some(known) => known.columns.extend(unit.columns),
            None => cells.push(unit),
        }
    }
    let used: BTreeSet<&String> = cells.iter().map(|cells| &cells.family).collect();
    if used.len() < 2 {
        return one("one family: what is read together outweighs what is not");
    }
    let reason = format!("{} families: columns that are read at different times lie apart", used.len());
    Grouped { cells, reasons: vec![reason] }
}

/// Cells one by one: columns that share a cell stay together.
fn units(cells: &[Cells]) -> Vec<Cells> {
    let split = |cells: &Cells| match cells.together {
        true => vec![cells.clone()],
        false => cells
            .columns
            .iter()
            .map(|column| Cells { columns: vec![column.clone()], ..cells.clone() })
            .collect(),
    };
    cells.iter().flat_map(split).collect()
}

fn problem(ground: &Ground<'_>, entry: &StoredRows, uses: &[Use], units: &[Cells]) -> Problem {
    let column =
        |field: &String| entry.record.column(field).map(|of| statistics::column(ground.workload, &of));
    let columns = units.iter().map(|unit| {
        let known: Vec<_> = unit.columns.iter().filter_map(column).collect();
        let filled = known.iter().map(|column| 1.0 - column.nulls.unwrap_or(0.0)).fold(0.0, f64::max);
        Column {
            name: unit.columns.first().cloned().unwrap_or_default(),
            bytes: known.iter().map(statistics::value_bytes).sum(),
            filled,
        }
    });
    let touched = |is_touched: &dyn Fn(&String) -> bool| -> ColumnSet {
        let all = units.iter().enumerate();
        all.filter(|(_, unit)| unit.columns.iter().any(is_touched)).map(|(number, _)| number).collect()
    };
    let asks = uses.iter().map(|one| {
        let (access, rows, columns) = match &one.read {
            Some((want, read)) => {
                let access = if matches!(read.access, AccessKind::Gets) { Access::Get } else { Access::Scan };
                let is_read = |field: &String| {
                    let of = entry.column(field);
                    want.columns.iter().any(|read| Some(entry.record.same_as(read)) == of)
                };
                (access, read.operations.rows, touched(&is_read))
            }
            None => {
                let is_written =
                    |field: &String| entry.column(field).is_some_and(|of| one.written.contains(&of));
                (Access::Write, one.puts, touched(&is_written))
            }
        };
        Ask { name: one.query.clone(), access, columns, rows: rows.max(1.0), rate: one.rate }
    });
    Problem {
        table: entry.rows.from.clone(),
        rows: entry.size.records as u64,
        key_bytes: entry.size.key_bytes,
        columns: columns.collect(),
        asks: asks.filter(|ask| !ask.columns.is_empty()).collect(),
        limit: FamilyLimit::AtMost(MOST_FAMILIES),
        current: None,
    }
}
