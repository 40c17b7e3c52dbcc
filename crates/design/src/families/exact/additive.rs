//! Dynamic programming over sets of elements, for prices that are a sum over families.
//!
//! With c(p) the price of family p, the least price of grouping a set s into at most j families is
//!
//!   best_j(s) = min over p ⊆ s with the highest element of s: c(p) + best_{j-1}(s \ p),   best_j(∅) = 0.
//!
//! A family that holds the highest element of what is left gives every grouping once. The first family holds the highest
//! element of all, so tables are only needed for sets without it: 3^(n-1)/2 steps for each number of families.
#![expect(clippy::indexing_slicing, reason = "sets of elements index tables that have a place for every set")]

use std::ops::RangeInclusive;

use super::table;
use crate::families::Evaluator;

/// With more families than this, a table for any number of them saves more steps than it takes.
const FAMILIES_WORTH_A_FREE_TABLE: usize = 4;

/// The least price of what is left to group, whatever is left.
pub(super) struct Completion {
    /// By the number of families left, then by set; a single table when any number will do.
    tables: Vec<Vec<f64>>,
    families_most: usize,
    is_free: bool,
}

impl Completion {
    /// The tables for the prices of all sets of so many elements; `None` when time is up.
    pub(super) fn new(
        prices: &[f64],
        elements: usize,
        families: &RangeInclusive<usize>,
        evaluator: &Evaluator<'_>,
    ) -> Option<Self> {
        let is_free = *families.start() <= 1 && *families.end() >= elements;
        let tables = if is_free {
            vec![free_table(prices, elements, evaluator)?]
        } else {
            limited_tables(prices, elements, families, evaluator)?
        };
        Some(Self { tables, families_most: *families.end(), is_free })
    }

    /// Nothing that groups these elements into what is left of the families costs less.
    pub(super) fn least(&self, left: u32, families_used: usize) -> f64 {
        let families_left = if self.is_free { 0 } else { self.families_most.saturating_sub(families_used) };
        self.tables.get(families_left).map_or(f64::INFINITY, |table| table[left as usize])
    }

    /// Nothing that groups all elements costs less.
    pub(super) fn least_of_all(&self, prices: &[f64]) -> f64 {
        let highest = prices.len() / 2;
        let with_first =
            |others: usize| prices[highest | others] + self.least(((highest - 1) ^ others) as u32, 1);
        (0..highest).map(with_first).reduce(f64::min).unwrap_or(0.0)
    }
}

fn empty_table(elements: usize) -> Vec<f64> {
    let mut table = vec![f64::INFINITY; 1 << elements.saturating_sub(1)];
    table[0] = 0.0;
    table
}

fn free_table(prices: &[f64], elements: usize, evaluator: &Evaluator<'_>) -> Option<Vec<f64>> {
    let mut table = empty_table(elements);
    for height in 0..elements.saturating_sub(1) {
        let (lower, higher) = table.split_at_mut(1 << height);
        let prices = &prices[1 << height..2 << height];
        table::fill(&mut higher[..1 << height], evaluator, |others| cheapest_split(prices, lower, others))?;
    }
    Some(table)
}

fn limited_tables(
    prices: &[f64],
    elements: usize,
    families: &RangeInclusive<usize>,
    evaluator: &Evaluator<'_>,
) -> Option<Vec<Vec<f64>>> {
    let may_be_fewer = *families.start() <= 1;
    let free = match may_be_fewer && *families.end() > FAMILIES_WORTH_A_FREE_TABLE {
        true => free_table(prices, elements, evaluator)?,
        false => Vec::new(),
    };
    let mut tables = vec![empty_table(elements)];
    for _ in 1..*families.end() {
        let mut next = empty_table(elements);
        if !may_be_fewer {
            next[0] = f64::INFINITY;
        }
        let fewer = tables.last()?;
        for height in 0..elements.saturating_sub(1) {
            let heights = 1 << height..2 << height;
            let (lower, prices) = (&fewer[..1 << height], &prices[heights.clone()]);
            let (fewer, free) = (&fewer[heights.clone()], free.get(heights.clone()).unwrap_or_default());
            // What reaches the least of any number of families with fewer of them is settled.
            let settled = |others: usize| free.get(others).is_some_and(|free| fewer[others] <= *free);
            table::fill(&mut next[heights], evaluator, |others| match settled(others) {
                true => fewer[others],
                false => cheapest_split(prices, lower, others),
            })?;
        }
        tables.push(next);
    }
    Some(tables)
}

/// The cheapest way to take the highest element together with some of the others, given as bits.
fn cheapest_split(prices: &[f64], lower: &[f64], others: usize) -> f64 {
    let mut least = f64::INFINITY;
    let mut with = others;
    loop {
        least = least.min(prices[with] + lower[others ^ with]);
        if with == 0 {
            return least;
        }
        with = (with - 1) & others;
    }
}
