//! A quick bound for tables of any size: only the elements that matter most are grouped.
//!
//! Leave all but a few columns T out of every family. What a query reads of T, in how many families, only shrinks; its
//! needs outside T are still read. With p restricted to T, S ≥ |p ∪ C_q| as before, and [`Smooth`] does not depend on
//! how wide p is besides: the sum over the families of T, and the bytes outside T, is a lower bound.

use super::pricing::{self, DiskPricing, Query};
use super::seconds::{Rounded, Seconds, Smooth};
use crate::families::cost::Disk;
use crate::families::exact::additive::Completion;
use crate::families::exact::reduce::Elements;
use crate::families::exact::search::Pricing;
use crate::families::{ColumnSet, Evaluator};

/// How many elements are grouped, again and again while there is time: from a few thousand steps to many millions for
/// each number of families.
const ELEMENTS: [usize; 4] = [8, 13, 16, 18];

/// A lower bound of every grouping into at most so many families. The elements come in order, what matters most last.
pub(super) fn bound(disk: Disk, evaluator: &Evaluator<'_>, elements: &Elements, families_most: usize) -> f64 {
    let mut best = one_family_each(disk, evaluator);
    for count in ELEMENTS.into_iter().take_while(|count| *count <= elements.len()) {
        let Some(bound) = grouped(disk, evaluator, &elements.last(count), families_most) else { break };
        best = best.max(bound);
    }
    best
}

/// A bound in no time.
pub(super) fn quick_bound(
    disk: Disk,
    evaluator: &Evaluator<'_>,
    elements: &Elements,
    families_most: usize,
) -> f64 {
    let [few, ..] = ELEMENTS;
    let alone = one_family_each(disk, evaluator);
    grouped(disk, evaluator, &elements.last(few), families_most).map_or(alone, |bound| bound.max(alone))
}

/// Every query finds just what it needs, in one family.
fn one_family_each(disk: Disk, evaluator: &Evaluator<'_>) -> f64 {
    let problem = evaluator.problem();
    let seconds = Rounded { disk, rows: problem.rows as f64 };
    let of_ask = |columns: &ColumnSet| {
        let width = pricing::width_of(problem, columns);
        seconds.at_least(width, width, width)
    };
    problem.reads().map(|ask| ask.rate * of_ask(&ask.columns)).sum()
}

fn grouped(disk: Disk, evaluator: &Evaluator<'_>, elements: &Elements, families_most: usize) -> Option<f64> {
    let problem = evaluator.problem();
    let smooth = Smooth::new(disk, problem);
    let rounded = Rounded { disk, rows: problem.rows as f64 };
    let of_query = |query: &Query| {
        let width = query.needs_width;
        let inside = pricing::width_of(problem, &elements.columns_of(query.needs));
        let seconds = match query.needs {
            0 => rounded.at_least(width, width, width),
            _ => smooth.more_s((width - inside).max(0.0), width),
        };
        query.rate * seconds
    };
    let outside: f64 = pricing::queries(problem, elements).iter().map(of_query).sum();
    let pricing = DiskPricing::new(smooth, elements, evaluator)?;
    let families = 1..=families_most.min(elements.len());
    let completion = Completion::new(pricing.families(), elements.len(), &families, evaluator)?;
    Some(outside + completion.least_of_all(pricing.families()))
}
