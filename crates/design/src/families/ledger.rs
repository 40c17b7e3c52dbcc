//! A grouping with what each ask costs in it, so that a change to a few families is priced without the rest.

use super::cost::{Pricing, Weighed};
use super::{Ask, ColumnSet, Evaluator};

/// A cost has to be less by this share to count as less: sums in another order differ in their last bits.
const NOTICEABLE: f64 = 1e-11;

/// Whether a cost is less than another by more than rounding.
pub fn is_less(cost: f64, than: f64) -> bool {
    cost < than - NOTICEABLE * than.abs()
}

/// Families that leave a grouping and those that take their place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Positions of the families that leave.
    pub out: Vec<usize>,
    /// The families that come.
    pub into: Vec<ColumnSet>,
}

/// A grouping and its cost, ask by ask.
pub struct Ledger<'a> {
    evaluator: &'a Evaluator<'a>,
    pricing: &'a dyn Pricing,
    asks: Vec<&'a Ask>,
    families: Vec<Weighed>,
    entries: Vec<Entry>,
    /// Sum of rates that load each family; empty when the model does not mind.
    loads: Vec<f64>,
    asks_cost: f64,
    cost: f64,
    scratch: Scratch,
}

/// What is known of one ask.
#[derive(Clone, Debug, Default)]
struct Entry {
    cost: f64,
    /// Positions of the families that have a column of it.
    touched: Vec<usize>,
    /// Positions of the families that it loads.
    loaded: Vec<usize>,
}

/// Where a family is that an ask would touch.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// At this position of the grouping.
    Staying(usize),
    /// At this position of those that come.
    Coming(usize),
}

#[derive(Default)]
struct Scratch {
    sources: Vec<Source>,
    loaded: Vec<usize>,
    summary: Vec<(f64, f64)>,
}

impl<'a> Ledger<'a> {
    /// Opens the books of a grouping. It may leave columns out; asks are then priced for what is there.
    pub fn new(evaluator: &'a Evaluator<'a>, pricing: &'a dyn Pricing, families: Vec<ColumnSet>) -> Self {
        let asks: Vec<&Ask> = evaluator.problem().asks.iter().filter(|ask| !ask.columns.is_empty()).collect();
        let entries = vec![Entry::default(); asks.len()];
        let mut ledger = Self {
            evaluator,
            pricing,
            asks,
            families: Vec::new(),
            entries,
            loads: Vec::new(),
            asks_cost: 0.0,
            cost: 0.0,
            scratch: Scratch::default(),
        };
        ledger.replace_all(families);
        ledger
    }

    /// Starts over with another grouping.
    pub fn replace_all(&mut self, families: Vec<ColumnSet>) {
        self.families = families.into_iter().map(|columns| Weighed::new(self.pricing, columns)).collect();
        self.evaluator.count(1);
        (0..self.asks.len()).for_each(|ask| self.enter(ask));
        self.add_up();
    }

    /// The evaluator that counts.
    pub fn evaluator(&self) -> &'a Evaluator<'a> {
        self.evaluator
    }

    /// The cost of the grouping as it stands.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// How many families there are.
    pub fn len(&self) -> usize {
        self.families.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.families.is_empty()
    }

    /// The columns of a family.
    pub fn family(&self, position: usize) -> Option<&ColumnSet> {
        self.families.get(position).map(|family| &family.columns)
    }

    /// The grouping as it stands.
    pub fn families(&self) -> Vec<ColumnSet> {
        self.families.iter().map(|family| family.columns.clone()).collect()
    }

    /// What the grouping would cost after a change.
    pub fn price(&mut self, change: &Change) -> f64 {
        self.evaluator.count(1);
        let into: Vec<Weighed> =
            change.into.iter().map(|columns| Weighed::new(self.pricing, columns.clone())).collect();
        let mut loads = if self.pricing.minds_loads() { self.loads.clone() } else { Vec::new() };
        let mut new_loads = vec![0.0; into.len()];
        let asks_cost = self.asks_after(&change.out, &into, &mut loads, &mut new_loads);
        let summary = &mut self.scratch.summary;
        summary.clear();
        let load = |position: usize| loads.get(position).copied().unwrap_or(0.0);
        let stay = self.families.iter().enumerate().filter(|(position, _)| !change.out.contains(position));
        summary.extend(stay.map(|(position, family)| (family.weight, load(position))));
        summary.extend(into.iter().zip(&new_loads).map(|(family, load)| (family.weight, *load)));
        asks_cost + self.pricing.whole(summary)
    }

    /// What all asks would cost after a change. Only those are priced that use a family that leaves or comes. Loads are
    /// brought up to date where the model minds them.
    fn asks_after(
        &mut self,
        out: &[usize],
        into: &[Weighed],
        loads: &mut [f64],
        new_loads: &mut [f64],
    ) -> f64 {
        let minds_loads = self.pricing.minds_loads();
        let mut cost = self.asks_cost;
        let mut touched: Vec<&Weighed> = Vec::new();
        let (sources, loaded) = (&mut self.scratch.sources, &mut self.scratch.loaded);
        for (ask, entry) in self.asks.iter().zip(&self.entries) {
            let is_touched = |family: &Weighed| family.columns.intersects(&ask.columns);
            if !entry.touched.iter().any(|at| out.contains(at)) && !into.iter().any(is_touched) {
                continue;
            }
            touched.clear();
            sources.clear();
            loaded.clear();
            for position in entry.touched.iter().filter(|at| !out.contains(at)) {
                touched.extend(self.families.get(*position));
                sources.push(Source::Staying(*position));
            }
            for (position, family) in into.iter().enumerate().filter(|(_, family)| is_touched(family)) {
                touched.push(family);
                sources.push(Source::Coming(position));
            }
            cost += self.pricing.ask(ask, &touched, loaded) - entry.cost;
            if minds_loads {
                entry.loaded.iter().for_each(|at| add(loads, *at, -ask.rate));
                for source in loaded.iter().filter_map(|at| sources.get(*at)) {
                    match source {
                        Source::Staying(position) => add(loads, *position, ask.rate),
                        Source::Coming(position) => add(new_loads, *position, ask.rate),
                    }
                }
            }
        }
        cost
    }

    /// Makes a change. A family that comes takes the position of one that leaves; the last ones fill gaps.
    pub fn apply(&mut self, change: Change) {
        let mut gaps = change.out;
        gaps.sort_unstable();
        gaps.dedup();
        let mut stale = ColumnSet::new();
        gaps.iter().filter_map(|gap| self.families.get(*gap)).for_each(|family| stale.unite(&family.columns));
        gaps.reverse();
        for columns in change.into {
            stale.unite(&columns);
            let family = Weighed::new(self.pricing, columns);
            match gaps.pop().and_then(|gap| self.families.get_mut(gap)) {
                Some(place) => *place = family,
                None => self.families.push(family),
            }
        }
        // From the highest gap down, so that the family that moves is never one that leaves.
        for gap in gaps {
            if gap < self.families.len() {
                self.families.last().into_iter().for_each(|moved| stale.unite(&moved.columns));
                self.families.swap_remove(gap);
            }
        }
        for ask in 0..self.asks.len() {
            if self.asks.get(ask).is_some_and(|ask| ask.columns.intersects(&stale)) {
                self.enter(ask);
            }
        }
        self.add_up();
    }

    /// The change that puts two families together.
    pub fn merging(&self, a: usize, b: usize) -> Change {
        let mut together = self.family(a).cloned().unwrap_or_default();
        if let Some(other) = self.family(b) {
            together.unite(other);
        }
        Change { out: vec![a, b], into: vec![together] }
    }

    /// The change that cuts columns out of a family into one of their own.
    pub fn splitting(&self, position: usize, columns: &ColumnSet) -> Change {
        let mut rest = self.family(position).cloned().unwrap_or_default();
        rest.subtract(columns);
        Change { out: vec![position], into: vec![rest, columns.clone()] }
    }

    /// The change that moves columns from one family to another. A family that has nothing left goes.
    pub fn moving(&self, columns: &ColumnSet, from: usize, to: usize) -> Change {
        let mut rest = self.family(from).cloned().unwrap_or_default();
        rest.subtract(columns);
        let grown = self.family(to).map(|family| family.union(columns)).unwrap_or_default();
        let into = if rest.is_empty() { vec![grown] } else { vec![rest, grown] };
        Change { out: vec![from, to], into }
    }

    /// Prices one ask anew.
    fn enter(&mut self, ask: usize) {
        let (Some(ask), Some(entry)) = (self.asks.get(ask), self.entries.get_mut(ask)) else { return };
        entry.touched.clear();
        entry.touched.extend(positions(&self.families, |family| family.columns.intersects(&ask.columns)));
        let touched: Vec<&Weighed> = entry.touched.iter().filter_map(|at| self.families.get(*at)).collect();
        self.scratch.loaded.clear();
        entry.cost = self.pricing.ask(ask, &touched, &mut self.scratch.loaded);
        entry.loaded.clear();
        entry.loaded.extend(self.scratch.loaded.iter().filter_map(|at| entry.touched.get(*at)));
    }

    /// Sums, from the beginning, so that rounding does not pile up over many changes.
    fn add_up(&mut self) {
        self.asks_cost = self.entries.iter().map(|entry| entry.cost).sum();
        self.loads.clear();
        self.loads.resize(self.families.len(), 0.0);
        if self.pricing.minds_loads() {
            for (ask, entry) in self.asks.iter().zip(&self.entries) {
                entry.loaded.iter().for_each(|at| add(&mut self.loads, *at, ask.rate));
            }
        }
        let summary = &mut self.scratch.summary;
        summary.clear();
        summary.extend(self.families.iter().zip(&self.loads).map(|(family, load)| (family.weight, *load)));
        self.cost = self.asks_cost + self.pricing.whole(summary);
    }
}

fn positions(families: &[Weighed], is: impl Fn(&Weighed) -> bool) -> impl Iterator<Item = usize> {
    families.iter().enumerate().filter(move |(_, family)| is(family)).map(|(position, _)| position)
}

fn add(sums: &mut [f64], position: usize, amount: f64) {
    if let Some(sum) = sums.get_mut(position) {
        *sum += amount;
    }
}

#[cfg(test)]
mod tests;
