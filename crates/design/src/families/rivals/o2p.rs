//! O2P: Navathe's method made online. Asks come one after the other; each strengthens the bonds of its columns, and only
//! these look for a new place in the order. Then one split line is drawn at a time, where it is best; of a part that was
//! not cut last, the best line and its cost are remembered, not looked for again.

use super::units;
use crate::families::ledger::{Ledger, is_less};
use crate::families::split_lines::SplitLines;
use crate::families::{ColumnSet, Evaluator, Method, Outcome, Problem, affinity, limit};

/// O2P.
#[derive(Clone, Copy, Debug, Default)]
pub struct O2p;

impl Method for O2p {
    fn name(&self) -> &'static str {
        "o2p"
    }

    fn origin(&self) -> &'static str {
        "Jindal and Dittrich, Relax and Let the Database Do the Partitioning Online, BIRTE 2011"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        if let Some(outcome) = limit::no_columns(evaluator) {
            return outcome;
        }
        let mut outcome = Outcome::default();
        let problem = evaluator.problem();
        let pricing = evaluator.model().pricing(problem);
        let units = units(problem, &mut outcome);
        let order = order_online(problem, &units, evaluator);
        let row = SplitLines::new(units, order);
        let mut ledger = Ledger::new(evaluator, &*pricing, problem.one_family());
        let (fewest, most) = limit::bounds(problem);
        let best = draw_lines(&mut ledger, &row, fewest, most);
        let stopped_by_limit = ledger.len() == most && most < row.len();
        ledger.replace_all(best);
        if stopped_by_limit {
            outcome.notes.push(format!("drew split lines for at most {most} families"));
        }
        outcome.out_of_time = evaluator.is_time_up();
        limit::settle(&mut ledger, &mut outcome);
        limit::close(&ledger, outcome)
    }
}

/// The order after all asks have come, one by one.
fn order_online(problem: &Problem, units: &[ColumnSet], evaluator: &Evaluator<'_>) -> Vec<usize> {
    let mut affinity = vec![vec![0.0; units.len()]; units.len()];
    let mut order: Vec<usize> = (0..units.len()).collect();
    for ask in problem.reads() {
        if evaluator.is_time_up() {
            break;
        }
        let used = affinity::used(units, &ask.columns);
        affinity::add(&mut affinity, &used, ask.rate);
        order.retain(|unit| !used.contains(unit));
        for unit in used {
            if evaluator.is_time_up() {
                order.push(unit);
            } else {
                affinity::place(&affinity, &mut order, unit);
            }
        }
    }
    order
}

/// A part of the row between two split lines, with the best line in it and the cost with that line.
struct Part {
    from: usize,
    to: usize,
    best: Option<(usize, f64)>,
}

/// Draws lines until there are no more to draw, and returns the cheapest grouping on the way that the limit allows.
fn draw_lines(ledger: &mut Ledger<'_>, row: &SplitLines, fewest: usize, most: usize) -> Vec<ColumnSet> {
    let mut parts = vec![Part { from: 0, to: row.len(), best: None }];
    let mut best: Option<(f64, Vec<ColumnSet>)> = None;
    let mut fresh = vec![0];
    loop {
        if ledger.len() >= fewest && best.as_ref().is_none_or(|(cost, _)| is_less(ledger.cost(), *cost)) {
            best = Some((ledger.cost(), ledger.families()));
        }
        if ledger.len() >= most || ledger.evaluator().is_time_up() {
            break;
        }
        for at in &fresh {
            if let Some(part) = parts.get_mut(*at) {
                part.best = best_line(ledger, row, part.from, part.to);
            }
        }
        let cheapest = (0..parts.len())
            .filter_map(|at| parts.get(at).and_then(|part| part.best).map(|(line, cost)| (at, line, cost)))
            .min_by(|x, y| x.2.total_cmp(&y.2));
        let Some((at, line, _)) = cheapest else { break };
        let Some(part) = parts.get_mut(at) else { break };
        let right = Part { from: line, to: part.to, best: None };
        cut(ledger, row, part.from, line, part.to);
        part.to = line;
        part.best = None;
        parts.push(right);
        fresh = vec![at, parts.len() - 1];
    }
    best.map(|(_, families)| families).unwrap_or_else(|| ledger.families())
}

/// The line in a part that costs least, with the other lines as they are.
fn best_line(ledger: &mut Ledger<'_>, row: &SplitLines, from: usize, to: usize) -> Option<(usize, f64)> {
    let whole = row.columns(from..to);
    let position = ledger.families().iter().position(|family| *family == whole)?;
    let mut best: Option<(usize, f64)> = None;
    for line in from + 1..to {
        let change = ledger.splitting(position, &row.columns(line..to));
        let cost = ledger.price(&change);
        if best.is_none_or(|(_, best)| is_less(cost, best)) {
            best = Some((line, cost));
        }
    }
    best
}

fn cut(ledger: &mut Ledger<'_>, row: &SplitLines, from: usize, line: usize, to: usize) {
    let whole = row.columns(from..to);
    if let Some(position) = ledger.families().iter().position(|family| *family == whole) {
        let change = ledger.splitting(position, &row.columns(line..to));
        ledger.apply(change);
    }
}
