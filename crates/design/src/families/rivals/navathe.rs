//! Navathe's method: columns in an order in which those used together stand side by side, cut in two again and again as
//! long as that lowers the cost. An inner block can be cut out too: the order is a ring, as the paper's SHIFT makes it.
//!
//! The paper cuts first by counts of accesses and then refines by the cost of the physical environment; the cost is known
//! here from the beginning, so it alone decides where to cut.

use std::ops::Range;

use super::units;
use crate::families::ledger::{Change, Ledger, is_less};
use crate::families::split_lines::SplitLines;
use crate::families::{ColumnSet, Evaluator, Method, Outcome, affinity, limit};

/// Up to so many units inner blocks are cut out too: there are as many as pairs of units.
const INNER_BLOCKS_MAX: usize = 128;

/// Navathe's method.
#[derive(Clone, Copy, Debug, Default)]
pub struct Navathe;

impl Method for Navathe {
    fn name(&self) -> &'static str {
        "navathe"
    }

    fn origin(&self) -> &'static str {
        "Navathe, Ceri, Wiederhold and Dou, Vertical Partitioning Algorithms for Database Design, ACM TODS 9(4), 1984"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        if let Some(outcome) = limit::no_columns(evaluator) {
            return outcome;
        }
        let mut outcome = Outcome::default();
        let problem = evaluator.problem();
        let pricing = evaluator.model().pricing(problem);
        let units = units(problem, &mut outcome);
        let order = affinity::cluster(&affinity::matrix(problem, &units));
        let ring = SplitLines::new(units, order);
        let mut ledger = Ledger::new(evaluator, &*pricing, problem.one_family());
        let (fewest, most) = limit::bounds(problem);
        let mut is_more_wanted = true;
        while ledger.len() < most && is_more_wanted && !evaluator.is_time_up() {
            is_more_wanted = match best_cut(&mut ledger, &ring) {
                Some((cost, cut)) if is_less(cost, ledger.cost()) || ledger.len() < fewest => {
                    ledger.apply(cut);
                    true
                }
                _ => false,
            };
        }
        if is_more_wanted && ledger.len() == most && most < problem.columns.len() {
            outcome.notes.push(format!("stopped cutting at {most} families"));
        }
        outcome.out_of_time = evaluator.is_time_up();
        limit::settle(&mut ledger, &mut outcome);
        limit::close(&ledger, outcome)
    }
}

/// The cheapest way to cut one family in two along the ring.
fn best_cut(ledger: &mut Ledger<'_>, ring: &SplitLines) -> Option<(f64, Change)> {
    let mut best: Option<(f64, Change)> = None;
    for position in 0..ledger.len() {
        let Some(family) = ledger.family(position).cloned() else { continue };
        for block in blocks(ring, &family) {
            if ledger.evaluator().is_time_up() {
                return best;
            }
            let cut = ledger.splitting(position, &block);
            let cost = ledger.price(&cut);
            if best.as_ref().is_none_or(|(best, _)| is_less(cost, *best)) {
                best = Some((cost, cut));
            }
        }
    }
    best
}

/// The blocks of neighbours that can be cut out of a family, each as one side of a cut.
fn blocks(ring: &SplitLines, family: &ColumnSet) -> Vec<ColumnSet> {
    let members: Vec<usize> =
        (0..ring.len()).filter(|place| ring.columns(*place..place + 1).intersects(family)).collect();
    let ranges: Vec<Range<usize>> = if ring.len() <= INNER_BLOCKS_MAX {
        // A block that reaches the end is the other side of one that begins at the start.
        (0..members.len()).flat_map(|from| (from + 1..members.len()).map(move |to| from..to)).collect()
    } else {
        (1..members.len()).map(|to| 0..to).collect()
    };
    let mut block = |range: Range<usize>| {
        let places = members.get(range).unwrap_or_default();
        places.iter().fold(ColumnSet::new(), |all, place| all.union(&ring.columns(*place..place + 1)))
    };
    ranges.into_iter().map(&mut block).collect()
}
