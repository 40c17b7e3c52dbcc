//! Lower bounds for linear costs, with copies.
//!
//! Columns that are yet to be placed make families wider and covers dearer, never the other way round. So a read costs at
//! least the cheapest cover of what it needs among what is placed; and since Σ ceil(x) ≥ ceil(Σ x), what it needs besides
//! adds its weight to the blocks of that cover. Each column is stored and written once at least.

use super::search::Bounds;
use crate::families::cost::{Linear, Pricing};
use crate::families::exact::reduce::Elements;
use crate::families::{Access, ColumnSet, Problem};

/// Sums in different orders differ by less than this part; bounds give way by as much.
const NOISE: f64 = 1e-12;

/// A read: so many rows side by side of each family, so many times.
struct Read {
    needs: u32,
    times: f64,
    rows: f64,
    needs_weight: f64,
    /// The weight of needs that are in no element that is searched.
    outside_weight: f64,
}

struct Write {
    needs: u32,
    times: f64,
    /// What it takes to write the needs that are in no element that is searched.
    outside: f64,
}

/// Bounds of the linear cost of one problem.
pub(super) struct LinearBounds {
    prices: Linear,
    /// What a row of each element takes to read.
    weights: Vec<f64>,
    weights_together: f64,
    /// What a row of each element takes to write.
    written: Vec<f64>,
    /// What calls cost whatever the families are.
    constant: f64,
    reads: Vec<Read>,
    writes: Vec<Write>,
    /// Whether elements are bundles: then blocks are not rounded, so that parting a bundle cannot be cheaper.
    is_smooth: bool,
}

impl LinearBounds {
    /// The bounds for groupings of elements.
    pub(super) fn new(prices: Linear, problem: &Problem, elements: &Elements) -> Self {
        let weight = |columns: &ColumnSet| columns.iter().map(|column| prices.weight(column)).sum::<f64>();
        let written = |columns: &ColumnSet| written(&prices, columns);
        let weights: Vec<f64> = elements.columns.iter().map(weight).collect();
        let mut bounds = Self {
            weights_together: weights.iter().sum(),
            weights,
            written: elements.columns.iter().map(written).collect(),
            constant: problem.asks.iter().map(|ask| prices.constant(ask)).sum(),
            reads: Vec::new(),
            writes: Vec::new(),
            is_smooth: elements.are_bundles,
            prices: prices.clone(),
        };
        for ask in problem.asks.iter().filter(|ask| !ask.columns.is_empty()) {
            let needs = elements.touched_by(&ask.columns);
            let (times, rows) = prices.times_and_rows(ask);
            if ask.access == Access::Write {
                let outside = (written(&ask.columns) - sum_of(&bounds.written, needs)).max(0.0);
                bounds.writes.push(Write { needs, times, outside });
            } else {
                let needs_weight = weight(&ask.columns);
                let outside_weight = (needs_weight - bounds.weight_of(needs)).max(0.0);
                bounds.reads.push(Read { needs, times, rows, needs_weight, outside_weight });
            }
        }
        bounds
    }

    fn weight_of(&self, set: u32) -> f64 {
        sum_of(&self.weights, set)
    }

    /// At least what a read costs when it takes families of these weights, and so much weight from somewhere besides.
    fn read(&self, read: &Read, families: impl Iterator<Item = f64>, besides: f64) -> f64 {
        let (mut count, mut blocks, mut together) = (0.0, 0.0, besides);
        let in_blocks =
            |block: f64, weight: f64| (read.rows * weight / block * (1.0 - NOISE)).ceil().max(1.0);
        for weight in families {
            count += 1.0;
            blocks += self.prices.block.map_or(0.0, |block| in_blocks(block, weight));
            together += weight;
        }
        count = f64::max(count, 1.0);
        let all = read.rows * together * (1.0 - NOISE);
        let what_is_read = match self.prices.block {
            None => all,
            Some(block) if !self.is_smooth => block * f64::max(blocks, in_blocks(block, together)),
            Some(block) if read.rows * read.needs_weight <= block => block * count,
            Some(_) => all,
        };
        read.times * (count * (self.prices.seek + read.rows * self.prices.family_row) + what_is_read)
    }

    /// At least the cheapest cover of what is placed.
    fn cheapest_read(&self, read: &Read, families: &[(u32, f64)], placed: u32) -> f64 {
        let besides = read.outside_weight + self.weight_of(read.needs & !placed);
        let open = read.needs & placed;
        let covers = |chosen: u32| {
            let chosen_sets = chosen_of(families, chosen);
            chosen_sets.fold(0, |sets, (set, _)| sets | set) & open == open
        };
        let useful = families.iter().enumerate().filter(|(_, (set, _))| set & open != 0);
        let useful = useful.fold(0_u32, |bits, (family, _)| bits | 1 << family);
        let mut least = f64::INFINITY;
        let mut chosen = useful;
        loop {
            if covers(chosen) {
                let weights = chosen_of(families, chosen).map(|(_, weight)| *weight);
                least = least.min(self.read(read, weights, besides));
            }
            if chosen == 0 {
                return least;
            }
            chosen = (chosen - 1) & useful;
        }
    }

    fn write(&self, write: &Write, families: &[(u32, f64)], placed: u32) -> f64 {
        let touched = families.iter().filter(|(set, _)| set & write.needs != 0);
        let (mut count, mut columns) = (0.0, write.outside + sum_of(&self.written, write.needs & !placed));
        for (set, _) in touched {
            count += 1.0;
            columns += sum_of(&self.written, set & write.needs);
        }
        write.times * (f64::max(count, 1.0) * self.prices.family_put + columns)
    }
}

/// What a row of these columns takes to write.
pub(super) fn written(prices: &Linear, columns: &ColumnSet) -> f64 {
    columns.iter().map(|column| prices.column(column).written).sum()
}

fn sum_of(amounts: &[f64], set: u32) -> f64 {
    let amounts = amounts.iter().take(32).enumerate();
    amounts.filter(|(element, _)| set >> element & 1 == 1).map(|(_, amount)| amount).sum()
}

fn chosen_of(families: &[(u32, f64)], chosen: u32) -> impl Iterator<Item = &(u32, f64)> {
    families.iter().enumerate().filter(move |(family, _)| chosen >> family & 1 == 1).map(|(_, family)| family)
}

impl Bounds for LinearBounds {
    fn at_least(&self, families: &[u32], placed: u32) -> f64 {
        let families: Vec<(u32, f64)> = families.iter().map(|set| (*set, self.weight_of(*set))).collect();
        let copies: f64 = families.iter().map(|(_, weight)| weight).sum();
        let unplaced = self.weights_together - self.weight_of(placed);
        let reads: f64 = self.reads.iter().map(|read| self.cheapest_read(read, &families, placed)).sum();
        let writes: f64 = self.writes.iter().map(|write| self.write(write, &families, placed)).sum();
        self.constant + reads + writes + self.prices.stored * (copies + unplaced.max(0.0))
    }

    fn at_least_with(&self, _families: usize) -> f64 {
        self.at_least(&[], 0)
    }
}
