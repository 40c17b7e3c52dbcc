//! Lower bounds for the `disk` cost.
//!
//! The seconds of a family p under a query q grow with S, the widths that q reads together (a larger S gives a smaller
//! share). The families that q reads hold the columns C that q needs, and p, and no column twice, so S ≥ |p ∪ C|:
//!
//!   c(p) = Σ_q rate_q · seconds(|p|, |p ∪ C_q|)   over the queries that read p
//!
//! is a lower bound that is a sum over families, rounding included. With families p₁ … p_j placed, S ≥ |p₁ ∪ … ∪ C| over
//! those that q reads; that is S itself when all are placed, and the bound the cost.
#![expect(clippy::indexing_slicing, reason = "sets of elements index tables that have a place for every set")]

use super::seconds::Seconds;
use crate::families::exact::reduce::Elements;
use crate::families::exact::search::Pricing;
use crate::families::exact::table;
use crate::families::{ColumnSet, Evaluator, Problem};

/// A query, in terms of elements.
pub(super) struct Query {
    /// The elements that it needs.
    pub(super) needs: u32,
    /// Bytes a row of all that it needs, also of columns that are in no element.
    pub(super) needs_width: f64,
    pub(super) rate: f64,
}

/// The queries of a problem in terms of elements; those that need the same are one.
pub(super) fn queries(problem: &Problem, elements: &Elements) -> Vec<Query> {
    let mut queries: Vec<Query> = Vec::new();
    for ask in problem.reads() {
        let (needs, needs_width) = (elements.touched_by(&ask.columns), width_of(problem, &ask.columns));
        match queries.iter_mut().find(|query| query.needs == needs && query.needs_width == needs_width) {
            Some(query) => query.rate += ask.rate,
            None => queries.push(Query { needs, needs_width, rate: ask.rate }),
        }
    }
    queries
}

/// Bytes a row of some columns.
pub(super) fn width_of(problem: &Problem, columns: &ColumnSet) -> f64 {
    columns.iter().filter_map(|column| problem.columns.get(column)).map(|column| column.bytes).sum()
}

/// The bounds for families made of elements.
pub(super) struct DiskPricing<S> {
    seconds: S,
    queries: Vec<Query>,
    /// Bytes a row, by set.
    widths: Vec<f64>,
    families: Vec<f64>,
}

/// What a search knows of each query: bytes a row read beyond its needs, and at least what its families cost.
#[derive(Default)]
pub(super) struct Placed {
    by_query: Vec<(f64, f64)>,
}

impl<S: Seconds> DiskPricing<S> {
    /// The bounds, or `None` when time is up.
    pub(super) fn new(seconds: S, elements: &Elements, evaluator: &Evaluator<'_>) -> Option<Self> {
        let problem = evaluator.problem();
        let mut widths = vec![0.0; 1 << elements.len()];
        for (index, columns) in elements.columns.iter().enumerate() {
            let width = width_of(problem, columns);
            for set in 0..1 << index {
                widths[set | 1 << index] = widths[set] + width;
            }
        }
        let queries = queries(problem, elements);
        let mut families = vec![0.0; widths.len()];
        let mut pricing = Self { seconds, queries, widths, families: Vec::new() };
        table::fill(&mut families, evaluator, |family| pricing.alone(family as u32))?;
        pricing.families = families;
        Some(pricing)
    }

    fn alone(&self, family: u32) -> f64 {
        let width = self.widths[family as usize];
        let of_query = |query: &Query| {
            let beyond = self.widths[(family & !query.needs) as usize];
            query.rate * self.seconds.at_least(width, query.needs_width + beyond, query.needs_width)
        };
        self.queries.iter().filter(|query| query.needs & family != 0).map(of_query).sum()
    }
}

impl<S: Seconds> Pricing for DiskPricing<S> {
    type Placed = Placed;

    fn families(&self) -> &[f64] {
        &self.families
    }

    fn place(&self, state: &Placed, placed: &[u32], family: u32) -> Placed {
        let mut by_query = state.by_query.clone();
        by_query.resize(self.queries.len(), (0.0, 0.0));
        for (query, (beyond, cost)) in self.queries.iter().zip(&mut by_query) {
            if query.needs & family == 0 {
                continue;
            }
            *beyond += self.widths[(family & !query.needs) as usize];
            let together = query.needs_width + *beyond;
            let read = placed.iter().chain([&family]).filter(|placed| query.needs & **placed != 0);
            let widths = read.map(|placed| self.widths[*placed as usize]);
            let seconds = widths.map(|width| self.seconds.at_least(width, together, query.needs_width));
            *cost = query.rate * seconds.sum::<f64>();
        }
        Placed { by_query }
    }

    fn placed(&self, state: &Placed) -> f64 {
        state.by_query.iter().map(|(_, cost)| cost).sum()
    }
}
