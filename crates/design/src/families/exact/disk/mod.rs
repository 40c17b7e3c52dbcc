//! The optimum of the `disk` cost.
//!
//! 1. A good grouping by climbing.
//! 2. Elements: columns, or where there are many, bundles of columns that the same queries read.
//! 3. Branch and bound over elements, with bounds that hold for the rounded cost.
//! 4. Where elements are bundles: groupings that part them, see [`parted`].

mod parted;
mod pricing;
mod seconds;
mod sketch;

use std::ops::RangeInclusive;

use self::parted::Parting;
use self::pricing::DiskPricing;
use self::seconds::{Rounded, Smooth};
use super::additive::Completion;
use super::incumbent::{self, Grouping};
use super::reduce::Elements;
use super::search::{End, Pricing, Search, Visitor};
use super::{Answer, Sizes};
use crate::families::cost::Disk;
use crate::families::{ColumnSet, Evaluator};

/// Solves a problem that has columns and may be grouped.
pub(super) fn solve(
    disk: Disk,
    evaluator: &Evaluator<'_>,
    allowed: &RangeInclusive<usize>,
    sizes: Sizes,
) -> Answer {
    let problem = evaluator.problem();
    let columns = problem.columns.len();
    let elements = if columns <= sizes.columns {
        Elements::each_column(columns)
    } else {
        Elements::used_alike(columns, problem.reads()).broken_up(*allowed.start(), problem)
    };
    let elements = hottest_last(&elements, evaluator);
    let best = incumbent::climb(&elements.columns, allowed, evaluator);
    let solver = Solver { disk, evaluator, allowed, elements };
    if solver.elements.len() > sizes.elements {
        let bound = sketch::bound(disk, evaluator, &solver.elements, *allowed.end()).min(best.1);
        let note = format!(
            "{} kinds of columns are too many for a proof, which takes up to {}",
            solver.elements.len(),
            sizes.elements
        );
        let notes = if bound < best.1 { vec![note] } else { Vec::new() };
        return Answer {
            is_cut_short: bound < best.1 && evaluator.is_time_up(),
            bound: Some(bound),
            best,
            notes,
        };
    }
    let sketched = sketch::quick_bound(disk, evaluator, &solver.elements, *allowed.end());
    let (best, end) = solver.search_elements(best, sketched);
    let searched = end.bound(best.1).max(sketched).min(best.1);
    if searched < best.1 || !solver.elements.are_bundles {
        return Answer { is_cut_short: searched < best.1, bound: Some(searched), best, notes: Vec::new() };
    }
    let (best, end) = solver.search_parted(best, sketched);
    let bound = end.bound(best.1).max(sketched).min(best.1);
    let is_proven = bound >= best.1;
    let note = "no grouping costs less that keeps columns together which the same queries read; the bound is for those that part them";
    Answer {
        is_cut_short: !is_proven && evaluator.is_time_up(),
        bound: Some(bound),
        best,
        notes: if is_proven { Vec::new() } else { vec![note.into()] },
    }
}

/// The elements in the order in which the search takes them, from the last: those first that queries read most of.
fn hottest_last(elements: &Elements, evaluator: &Evaluator<'_>) -> Elements {
    let problem = evaluator.problem();
    let heat = |columns: &ColumnSet| -> f64 {
        let readers = problem.reads().filter(|ask| ask.columns.intersects(columns));
        pricing::width_of(problem, columns) * readers.map(|ask| ask.rate).sum::<f64>()
    };
    let heats: Vec<f64> = elements.columns.iter().map(heat).collect();
    elements.sorted_by(&heats)
}

struct Solver<'a, 'e> {
    disk: Disk,
    evaluator: &'a Evaluator<'e>,
    allowed: &'a RangeInclusive<usize>,
    elements: Elements,
}

impl<'a, 'e> Solver<'a, 'e> {
    /// The best grouping of elements. Without a limit first: where that keeps the limit, it is the answer, and a table
    /// for each number of families is not needed.
    fn search_elements(&self, best: Grouping, sketched: f64) -> (Grouping, End) {
        let rows = self.evaluator.problem().rows as f64;
        let seconds = Rounded { disk: self.disk, rows };
        let Some(pricing) = DiskPricing::new(seconds, &self.elements, self.evaluator) else {
            return (best, End::Stopped(sketched));
        };
        let mut keeper = Keeper { solver: self, best };
        if *self.allowed.start() <= 1 && *self.allowed.end() > 3 {
            let everything = 1..=self.elements.len();
            let mut free = Keeper { solver: self, best: keeper.best.clone() };
            let end = self.search(&pricing, &everything, &mut free);
            if free.best.0.len() <= *self.allowed.end() {
                return (free.best, end);
            }
        }
        let end = self.search(&pricing, self.allowed, &mut keeper);
        (keeper.best, end)
    }

    /// The best grouping that parts bundles.
    fn search_parted(&self, best: Grouping, sketched: f64) -> (Grouping, End) {
        let problem = self.evaluator.problem();
        let smooth = Smooth::new(self.disk, problem);
        let Some(pricing) = DiskPricing::new(Smooth::new(self.disk, problem), &self.elements, self.evaluator)
        else {
            return (best, End::Stopped(sketched));
        };
        let queries = pricing::queries(problem, &self.elements);
        let limit = *self.allowed.end();
        let families_most = if best.0.len() < limit { self.elements.len().max(limit) } else { limit };
        let mut parting = Parting::new(
            self.evaluator,
            (&smooth, self.disk.seek_s),
            (&self.elements, &queries),
            self.allowed.clone(),
            best,
        );
        // Putting a bundle together can empty a family: fewer families are a place to begin from, too. And where the limit
        // does not press, one table for any number of families bounds as well as one for each.
        let end = self.search(&pricing, &(1..=families_most), &mut parting);
        (parting.best, end)
    }

    fn search<P: Pricing, V: Visitor>(
        &self,
        pricing: &P,
        families: &RangeInclusive<usize>,
        visitor: &mut V,
    ) -> End {
        let elements = self.elements.len();
        let Some(completion) = Completion::new(pricing.families(), elements, families, self.evaluator) else {
            return End::Stopped(0.0);
        };
        let families = families.clone();
        let evaluator = self.evaluator;
        Search { pricing, completion: &completion, elements, families, evaluator, visitor, nodes: 0 }.run()
    }
}

/// Keeps the best grouping.
struct Keeper<'s, 'a, 'e> {
    solver: &'s Solver<'a, 'e>,
    best: Grouping,
}

impl Visitor for Keeper<'_, '_, '_> {
    fn best_known(&self) -> f64 {
        self.best.1
    }

    fn visit(&mut self, families: &[u32]) -> bool {
        let families: Vec<ColumnSet> =
            families.iter().map(|family| self.solver.elements.columns_of(*family)).collect();
        let cost = self.solver.evaluator.cost(&families);
        if cost < self.best.1 {
            self.best = (families, cost);
        }
        true
    }
}

#[cfg(test)]
mod tests;
