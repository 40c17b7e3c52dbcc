//! Groupings that part columns which are used alike.
//!
//! Without rounding ([`Smooth`]) nothing is gained by parting columns that exactly the same queries read: with the other
//! columns where they are, the cost is a sum of concave functions of the widths that each family has of them, so that it
//! is least with all of them in one family; and there fewer families are read. Step by step, every grouping g turns into
//! one, g', that parts nothing, with smooth(g') ≤ smooth(g) ≤ cost(g).
//!
//! Rounding can make parting pay. So the search visits every g' whose smooth cost is below the best known cost, and from
//! there takes the steps back, one bundle at a time, as long as the smooth cost stays below.

use std::ops::RangeInclusive;

use super::pricing::{Query, width_of};
use super::seconds::Smooth;
use crate::families::exact::reduce::Elements;
use crate::families::exact::search::{Visitor, is_hopeless};
use crate::families::{ColumnSet, Evaluator};

/// Groupings looked at before parting is given up: some seconds.
const STEPS_MOST: u64 = 4_000_000;

/// Steps between two looks at the clock.
const STEPS_A_LOOK: u64 = 1 << 8;

/// Columns that the same queries read.
struct Bundle {
    bit: u32,
    /// Its columns and their widths, the widest first.
    columns: Vec<(usize, f64)>,
}

/// A family under way.
#[derive(Clone)]
struct Family {
    columns: ColumnSet,
    bundles: u32,
    width: f64,
}

/// Tries to part bundles of groupings that come by.
pub(super) struct Parting<'a, 'e> {
    evaluator: &'a Evaluator<'e>,
    smooth: &'a Smooth,
    seek_s: f64,
    queries: &'a [Query],
    elements: &'a Elements,
    bundles: Vec<Bundle>,
    allowed: RangeInclusive<usize>,
    families: Vec<Family>,
    steps: u64,
    /// The best grouping that is known, and its cost.
    pub(super) best: (Vec<ColumnSet>, f64),
}

/// Where the columns of a bundle go, one after another.
#[derive(Clone, Copy)]
struct Step {
    bundle: usize,
    column: usize,
    home: usize,
    /// Where the column before went, if it is as wide: columns of one width are interchangeable.
    place_before: usize,
    stays: bool,
    moves: bool,
    floating: f64,
}

impl<'a, 'e> Parting<'a, 'e> {
    /// Ready to visit groupings of the elements.
    pub(super) fn new(
        evaluator: &'a Evaluator<'e>,
        (smooth, seek_s): (&'a Smooth, f64),
        (elements, queries): (&'a Elements, &'a [Query]),
        allowed: RangeInclusive<usize>,
        best: (Vec<ColumnSet>, f64),
    ) -> Self {
        let mut bundles: Vec<Bundle> = Vec::new();
        for (index, columns) in elements.columns.iter().enumerate().filter(|(_, columns)| columns.len() > 1) {
            let width =
                |column: usize| (column, width_of(evaluator.problem(), &ColumnSet::from_iter([column])));
            let mut columns: Vec<_> = columns.iter().map(width).collect();
            columns.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            bundles.push(Bundle { bit: 1 << index, columns });
        }
        // What nobody reads comes last: when all else has its place, one family for it is as good as several.
        bundles.sort_by_key(|bundle| !queries.iter().any(|query| query.needs & bundle.bit != 0));
        let families = Vec::new();
        Self { evaluator, smooth, seek_s, queries, elements, bundles, allowed, families, steps: 0, best }
    }

    /// Parts the bundles from the given one on. False: it has to end.
    fn part_from(&mut self, index: usize) -> bool {
        let Some(bundle) = self.bundles.get(index) else { return true };
        let (bit, columns) = (bundle.bit, bundle.columns.clone());
        if !self.part_from(index + 1) {
            return false;
        }
        let Some(home) = self.families.iter().position(|family| family.bundles & bit != 0) else {
            return true;
        };
        let Some(family) = self.families.get_mut(home) else { return true };
        let whole = family.clone();
        let floating = columns.iter().map(|(_, width)| width).sum();
        columns.iter().for_each(|(column, _)| {
            family.columns.remove(*column);
        });
        family.bundles &= !bit;
        family.width = if family.bundles == 0 { 0.0 } else { family.width - floating };
        let step =
            Step { bundle: index, column: 0, home, place_before: 0, stays: false, moves: false, floating };
        let goes_on = self.place(step);
        if let Some(family) = self.families.get_mut(home) {
            *family = whole;
        }
        goes_on
    }

    /// Puts the next column of a bundle in every place that may pay.
    fn place(&mut self, step: Step) -> bool {
        self.steps += 1;
        if self.steps > STEPS_MOST || self.steps.is_multiple_of(STEPS_A_LOOK) && self.evaluator.is_time_up() {
            return false;
        }
        let Some(bundle) = self.bundles.get(step.bundle) else { return true };
        let bit = bundle.bit;
        if is_hopeless(self.smooth_cost(bit, step.floating), self.best.1) {
            return true;
        }
        let Some(&(column, width)) = bundle.columns.get(step.column) else {
            return !(step.stays && step.moves) || self.parted(step.bundle);
        };
        let is_as_wide = |other: usize| bundle.columns.get(other).is_some_and(|(_, other)| *other == width);
        let first = if step.column > 0 && is_as_wide(step.column - 1) { step.place_before } else { 0 };
        let places = self.families.len() + usize::from(self.may_open(step.home, bit));
        (first..places).all(|place| self.put(step, place, column, width, bit))
    }

    /// Puts a column into a family, goes on, and takes it out again.
    fn put(&mut self, step: Step, place: usize, column: usize, width: f64, bit: u32) -> bool {
        let is_new = place == self.families.len();
        if is_new {
            self.families.push(Family { columns: ColumnSet::new(), bundles: 0, width: 0.0 });
        }
        let Some(family) = self.families.get_mut(place) else { return true };
        let before = family.clone();
        family.columns.insert(column);
        family.bundles |= bit;
        family.width += width;
        let goes_on = self.place(Step {
            column: step.column + 1,
            place_before: place,
            stays: step.stays || place == step.home,
            moves: step.moves || place != step.home,
            floating: step.floating - width,
            ..step
        });
        if is_new {
            self.families.pop();
        } else if let Some(family) = self.families.get_mut(place) {
            *family = before;
        }
        goes_on
    }

    /// Whether a bundle may take a new family.
    fn may_open(&self, home: usize, bit: u32) -> bool {
        if self.families.len() >= *self.allowed.end() {
            return false;
        }
        let is_read = self.queries.iter().any(|query| query.needs & bit != 0);
        let home_is_free = self.families.get(home).is_some_and(|family| family.bundles & !bit == 0);
        let has_own = self.families.iter().any(|family| family.bundles == bit);
        is_read || *self.allowed.start() > 1 || !(home_is_free || has_own)
    }

    /// A bundle is parted: the grouping is one to look at, and to go on from.
    fn parted(&mut self, bundle: usize) -> bool {
        if self.allowed.contains(&self.families.len()) {
            let families: Vec<ColumnSet> =
                self.families.iter().map(|family| family.columns.clone()).collect();
            let cost = self.evaluator.cost(&families);
            if cost < self.best.1 {
                self.best = (families, cost);
            }
        }
        self.part_from(bundle + 1)
    }

    /// The cost without rounding when some width of a bundle has no place yet: its queries read it all the same.
    fn smooth_cost(&self, bundle: u32, floating: f64) -> f64 {
        let of_query = |query: &Query| {
            let read = || self.families.iter().filter(|family| query.needs & family.bundles != 0);
            let floating = if query.needs & bundle == 0 { 0.0 } else { floating };
            let together: f64 = read().map(|family| family.width).sum::<f64>() + floating;
            let families = read().filter(|family| family.width > 0.0).count();
            let transfer: f64 = read().map(|family| self.transfer_s(family.width, query)).sum();
            let rest = match families {
                0 => self.transfer_s(floating, query),
                _ => self.smooth.more_s(floating, query.needs_width),
            };
            let families = families.max(usize::from(floating > 0.0)) as f64;
            let seeks = families * self.smooth.seeks(together, query.needs_width);
            query.rate * (self.seek_s * seeks + transfer + rest)
        };
        self.queries.iter().map(of_query).sum()
    }

    fn transfer_s(&self, width: f64, query: &Query) -> f64 {
        if width > 0.0 { self.smooth.transfer_s(width, query.needs_width) } else { 0.0 }
    }
}

impl Visitor for Parting<'_, '_> {
    fn best_known(&self) -> f64 {
        self.best.1
    }

    fn visit(&mut self, families: &[u32]) -> bool {
        if families.len() > *self.allowed.end() {
            return true;
        }
        let problem = self.evaluator.problem();
        let family = |bundles: &u32| {
            let columns = self.elements.columns_of(*bundles);
            Family { width: width_of(problem, &columns), columns, bundles: *bundles }
        };
        self.families = families.iter().map(family).collect();
        self.part_from(0)
    }
}
