//! Lower bounds for the cost of Yang, Cao and Milosevic, equations (1) to (6), for a given number f of families.
//!
//! - C: a query needs at least the fewest families that cover what is placed of it, and one.
//! - S_k and D: each column that is not placed yet comes at least once. D = A / (m · n_atts) where A is at least so many;
//!   for each A that is still possible S_k is least when the columns that come go to the smallest families.
//! - S_c = 1 / f.
//! - L_b: a query whose columns are all placed, with only one smallest cover, loads what it loads. The others, with a
//!   share r of all queries, add from 0 to r to the load of each family; see [`least_spread`].

use smallvec::SmallVec;

use super::search::{Bounds, FAMILIES_MOST};
use crate::families::Problem;
use crate::families::cost::Paper;
use crate::families::exact::reduce::Elements;

/// Bounds of the paper's cost of one problem.
pub(super) struct PaperBounds {
    /// W₁ / m.
    consume: f64,
    skew: f64,
    /// W₃ / (m · n_atts).
    duplicate: f64,
    scatter: f64,
    balance: f64,
    columns: usize,
    /// What each query needs, and its share of all queries.
    queries: Vec<(u32, f64)>,
    /// All choices among so many families, the smallest first.
    choices: Vec<Vec<u32>>,
}

/// Shares of queries that are sure to load each family.
type Loads = SmallVec<[f64; FAMILIES_MOST]>;

impl PaperBounds {
    /// The bounds for groupings of columns.
    pub(super) fn new(paper: &Paper, problem: &Problem, elements: &Elements) -> Self {
        let [consume, skew, duplicate, scatter, balance] = paper.weights.to_array();
        let m = paper.most_families(problem);
        let rates: f64 = problem.reads().map(|ask| ask.rate).sum();
        let reads = problem.reads().filter(|ask| ask.rate > 0.0 && !ask.columns.is_empty());
        let choices_among = |families: usize| {
            let mut choices: Vec<u32> = (1..1 << families).collect();
            choices.sort_by_key(|choice| choice.count_ones());
            choices
        };
        Self {
            consume: consume / m,
            skew,
            duplicate: duplicate / (m * problem.columns.len().max(1) as f64),
            scatter,
            balance,
            columns: problem.columns.len(),
            queries: reads.map(|ask| (elements.touched_by(&ask.columns), ask.rate / rates)).collect(),
            choices: (0..=FAMILIES_MOST).map(choices_among).collect(),
        }
    }

    /// At least C, times m, and L_b.
    fn consume_and_balance(&self, families: &[u32], placed: u32) -> (f64, f64) {
        let held = unions(families);
        let choices = self.choices.get(families.len()).map_or(&[][..], Vec::as_slice);
        let holds =
            |choice: u32, needs: u32| held.get(choice as usize).is_some_and(|held| needs & !held == 0);
        let mut loads: Loads = SmallVec::from_elem(0.0, families.len());
        let (mut consume, mut unsure) = (0.0, 0.0);
        for (needs, share) in &self.queries {
            let mut covers = choices.iter().filter(|choice| holds(**choice, needs & placed));
            let Some(cover) = covers.next() else { continue };
            consume += share * f64::from(cover.count_ones());
            let is_only = covers.next().is_none_or(|next| next.count_ones() > cover.count_ones());
            if needs & !placed == 0 && is_only {
                let loaded = loads.iter_mut().enumerate().filter(|(family, _)| cover >> family & 1 == 1);
                loaded.for_each(|(_, load)| *load += share);
            } else {
                unsure += share;
            }
        }
        let spread = if self.balance > 0.0 { least_spread(&loads, unsure) } else { 0.0 };
        (consume, spread)
    }

    /// At least W₂ · S_k + W₃ · D, when so many columns are yet to come.
    fn skew_and_duplicate(&self, families: &[u32], unplaced: usize) -> f64 {
        let mut sizes: SmallVec<[usize; FAMILIES_MOST]> =
            families.iter().map(|set| set.count_ones() as usize).collect();
        (0..unplaced).for_each(|_| raise_smallest(&mut sizes));
        let mut columns = sizes.iter().sum::<usize>();
        let mut least = f64::INFINITY;
        while self.duplicate * (columns as f64) < least {
            least = least.min(self.skew * skew_of(&sizes, columns) + self.duplicate * columns as f64);
            // When all columns are placed none comes any more, and no family has more than all.
            if unplaced == 0 || sizes.iter().all(|size| *size >= self.columns) {
                break;
            }
            raise_smallest(&mut sizes);
            columns += 1;
        }
        least
    }
}

/// What each choice of families holds together.
fn unions(families: &[u32]) -> SmallVec<[u32; 64]> {
    let mut unions = SmallVec::from_elem(0, 1);
    for family in families {
        let with: SmallVec<[u32; 64]> = unions.iter().map(|held| held | family).collect();
        unions.extend(with);
    }
    unions
}

fn raise_smallest(sizes: &mut [usize]) {
    sizes.iter_mut().min().into_iter().for_each(|size| *size += 1);
}

/// S_k, equation (3), of families with so many columns each.
fn skew_of(sizes: &[usize], columns: usize) -> f64 {
    let count = sizes.len().max(1) as f64;
    let share = |size: &usize| *size as f64 / columns.max(1) as f64;
    let variance = sizes.iter().map(|size| (share(size) - 1.0 / count).powi(2)).sum::<f64>() / count;
    2.0 * variance.sqrt()
}

/// The least that equation (6) can give when each load grows by anything from 0 to `room`.
///
/// Twice the root of the least mean of (l_i - x)² over x and loads l_i in their intervals: for a given x the nearest end
/// of each interval that x is not in. That is a convex function of x, a parabola between any two ends of intervals; it is
/// least at the vertex of one of them.
fn least_spread(loads: &[f64], room: f64) -> f64 {
    let mean_square = |center: f64| {
        let distance = |load: &f64| (load - center).max(center - load - room).max(0.0);
        loads.iter().map(|load| distance(load).powi(2)).sum::<f64>() / loads.len().max(1) as f64
    };
    let mut ends: SmallVec<[f64; 2 * FAMILIES_MOST]> =
        loads.iter().flat_map(|load| [*load, load + room]).collect();
    ends.sort_by(f64::total_cmp);
    let mut least = ends.iter().map(|end| mean_square(*end)).fold(f64::INFINITY, f64::min);
    for (low, high) in ends.iter().zip(ends.iter().skip(1)) {
        let middle = (low + high) / 2.0;
        let (mut sum, mut count) = (0.0, 0.0);
        for load in loads {
            let outside =
                if *load > middle { Some(*load) } else { Some(load + room).filter(|end| *end < middle) };
            sum += outside.unwrap_or(0.0);
            count += f64::from(u8::from(outside.is_some()));
        }
        if count > 0.0 {
            least = least.min(mean_square((sum / count).clamp(*low, *high)));
        }
    }
    if least.is_finite() { 2.0 * least.sqrt() } else { 0.0 }
}

impl Bounds for PaperBounds {
    fn at_least(&self, families: &[u32], placed: u32) -> f64 {
        let unplaced = self.columns.saturating_sub(placed.count_ones() as usize);
        let (consume, balance) = self.consume_and_balance(families, placed);
        self.consume * consume
            + self.skew_and_duplicate(families, unplaced)
            + self.scatter / families.len().max(1) as f64
            + self.balance * balance
    }

    fn at_least_with(&self, families: usize) -> f64 {
        let consume: f64 = self.queries.iter().map(|(_, share)| share).sum();
        self.consume * consume
            + self.duplicate * self.columns.max(families) as f64
            + self.scatter / families.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_spread_is_below_that_of_any_loads_and_reached_by_some() {
        let seed = 6;
        let mut random = fastrand::Rng::with_seed(seed);
        let spread = |loads: &[f64]| {
            let mean = loads.iter().sum::<f64>() / loads.len() as f64;
            2.0 * (loads.iter().map(|load| (load - mean).powi(2)).sum::<f64>() / loads.len() as f64).sqrt()
        };
        for case in 0..500 {
            let loads: Vec<f64> = (0..random.usize(1..6)).map(|_| random.f64()).collect();
            let room = random.f64() * 0.5;
            let least = least_spread(&loads, room);
            let mut reached = f64::INFINITY;
            for step in 0..=1_000 {
                let center = f64::from(step) * 1.5 / 1_000.0;
                let nearest: Vec<f64> = loads.iter().map(|load| center.clamp(*load, load + room)).collect();
                reached = reached.min(spread(&nearest));
            }
            assert!(least <= reached + 1e-12, "seed {seed} case {case}: {least} above {reached}");
            assert!(reached - least < 1e-2, "seed {seed} case {case}: {least}, but at best {reached}");
        }
    }

    #[test]
    fn the_skew_of_equation_3() {
        assert_eq!(skew_of(&[5, 0], 5), 1.0);
        assert_eq!(skew_of(&[3, 3, 3], 9), 0.0);
    }
}
