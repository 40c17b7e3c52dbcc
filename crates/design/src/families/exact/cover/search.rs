//! Branch and bound over groupings with copies: each element goes to any of f families, at least one.
//!
//! Elements are placed one by one, in order. Families are columns of a matrix with a row for each element; swapping two
//! of them changes nothing, nor does swapping the rows of interchangeable elements. Of all such matrices the greatest
//! when read row by row has its columns in falling order, and its interchangeable rows too: only those are looked at.

use smallvec::SmallVec;

use crate::families::Evaluator;
use crate::families::exact::search::is_hopeless;

/// Most families: each element has 2^f - 1 places.
pub(super) const FAMILIES_MOST: usize = 10;

/// Bounds worked out before a proof is given up: a minute or so.
const BOUNDS_MOST: u64 = 20_000_000;

/// Bounds between two looks at the clock.
const BOUNDS_A_LOOK: u64 = 1 << 6;

/// The elements of each family, as bits.
pub(super) type Families = SmallVec<[u32; FAMILIES_MOST]>;

/// Lower bounds for groupings with copies.
pub(super) trait Bounds {
    /// At least what it costs to go on from families that hold elements of `placed`, all of which have their places. The
    /// other elements still come to at least one family each.
    fn at_least(&self, families: &[u32], placed: u32) -> f64;

    /// At least what any grouping with so many families costs.
    fn at_least_with(&self, families: usize) -> f64;
}

/// What a search of this kind found out.
pub(super) struct Found {
    /// What was not looked at costs at least this; infinity when all was.
    pub(super) open: f64,
    /// The least bound of all groupings that were looked at one by one.
    pub(super) least_visited: f64,
}

/// A search among groupings with a given number of families.
pub(super) struct CoverSearch<'a, 'e, B, V> {
    pub(super) bounds: &'a B,
    pub(super) evaluator: &'a Evaluator<'e>,
    pub(super) elements: usize,
    /// Whether an element is interchangeable with the one before.
    pub(super) is_like_last: &'a [bool],
    /// Sees groupings whose bound is below the best known cost; gives that cost.
    pub(super) visit: V,
    pub(super) best_known: f64,
    /// Bounds worked out, and how many at the last look at the clock.
    pub(super) bounded: (u64, u64),
    pub(super) least_visited: f64,
}

impl<B: Bounds, V: FnMut(&[u32]) -> f64> CoverSearch<'_, '_, B, V> {
    /// Looks at the groupings with so many families.
    pub(super) fn run(&mut self, families: usize) -> Found {
        self.least_visited = f64::INFINITY;
        let nothing: Families = SmallVec::from_elem(0, families.min(FAMILIES_MOST));
        let bound = self.bounds.at_least(&nothing, 0);
        let open = self.go_on(&nothing, 0, u32::MAX, bound);
        self.evaluator.count(self.bounded.0 - self.bounded.1);
        self.bounded.1 = self.bounded.0;
        Found { open, least_visited: self.least_visited }
    }

    /// Places an element and all after it. Gives the least bound of what it had to leave out.
    fn go_on(&mut self, families: &Families, element: usize, last: u32, bound: f64) -> f64 {
        if is_hopeless(bound, self.best_known) {
            return f64::INFINITY;
        }
        if self.must_stop() {
            return bound;
        }
        if element == self.elements {
            self.leaf(families, bound);
            return f64::INFINITY;
        }
        let is_like_last = self.is_like_last.get(element).copied().unwrap_or(false);
        let row_most = if is_like_last { last } else { u32::MAX };
        let children = self.children(families, element, row_most);
        let mut children = children.into_iter();
        while let Some((bound, row, child)) = children.next() {
            let open = self.go_on(&child, element + 1, row, bound);
            if open < f64::INFINITY {
                return children.next().map_or(open, |(next, ..)| open.min(next));
            }
        }
        f64::INFINITY
    }

    /// The places for an element that may be part of something better, the most promising first.
    fn children(&mut self, families: &Families, element: usize, row_most: u32) -> Vec<(f64, u32, Families)> {
        let count = families.len();
        let bit = 1 << element;
        let placed = (bit << 1) - 1;
        let mut children = Vec::new();
        // The first family is the highest bit of a row.
        for row in 1..(1_u32 << count).min(row_most.saturating_add(1)) {
            let has = |family: usize| row >> (count - 1 - family) & 1 == 1;
            let pairs = families.iter().zip(families.iter().skip(1)).enumerate();
            let mut twins = pairs.filter(|(_, (a, b))| a == b);
            if twins.any(|(first, _)| has(first + 1) && !has(first)) {
                continue;
            }
            let mut child = families.clone();
            child.iter_mut().enumerate().filter(|(family, _)| has(*family)).for_each(|(_, set)| *set |= bit);
            self.bounded.0 += 1;
            let bound = self.bounds.at_least(&child, placed);
            if !is_hopeless(bound, self.best_known) {
                children.push((bound, row, child));
            }
        }
        children.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        children
    }

    fn leaf(&mut self, families: &Families, bound: f64) {
        let all_differ = families.iter().zip(families.iter().skip(1)).all(|(a, b)| a != b);
        if all_differ && !families.contains(&0) {
            self.least_visited = self.least_visited.min(bound);
            self.best_known = (self.visit)(families);
        }
    }

    fn must_stop(&mut self) -> bool {
        let (bounded, counted) = self.bounded;
        if bounded - counted < BOUNDS_A_LOOK {
            return false;
        }
        self.evaluator.count(bounded - counted);
        self.bounded.1 = bounded;
        bounded > BOUNDS_MOST || self.evaluator.is_time_up()
    }
}
