//! A model of cost made ready for one problem: what each ask costs, and what belongs to no ask.
//!
//! A change to two families leaves most asks as they are; methods that try many changes price only the others.

use crate::families::{Ask, ColumnSet, Problem};

/// A family with its weight: bytes of a row, or columns, as its model counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// Its columns.
    pub columns: ColumnSet,
    /// The weights of its columns added up.
    pub weight: f64,
}

impl Weighed {
    /// Weighs a family. The sum goes in the order of columns, so that equal families weigh the same to the last bit.
    pub fn new(pricing: &dyn Pricing, columns: ColumnSet) -> Self {
        let weight = columns.iter().map(|column| pricing.weight(column)).sum();
        Self { columns, weight }
    }
}

/// A model of cost for one problem.
pub trait Pricing: Send + Sync {
    /// What a column adds to the weight of its family.
    fn weight(&self, column: usize) -> f64;

    /// What an ask costs, at its rate. `touched` are the families that have a column of it; the positions of those that it
    /// loads go to `loaded`, which comes empty.
    fn ask(&self, ask: &Ask, touched: &[&Weighed], loaded: &mut Vec<usize>) -> f64;

    /// What belongs to no ask. Each family comes with its weight and the sum of rates that load it.
    fn whole(&self, families: &[(f64, f64)]) -> f64;

    /// Whether `whole` looks at the rates that load a family.
    fn minds_loads(&self) -> bool {
        false
    }
}

/// The cost of a grouping.
pub fn total(pricing: &dyn Pricing, problem: &Problem, families: &[ColumnSet]) -> f64 {
    let families: Vec<Weighed> =
        families.iter().map(|family| Weighed::new(pricing, family.clone())).collect();
    let mut summary: Vec<(f64, f64)> = families.iter().map(|family| (family.weight, 0.0)).collect();
    let (mut cost, mut touched, mut positions, mut loaded) = (0.0, Vec::new(), Vec::new(), Vec::new());
    for ask in &problem.asks {
        touched.clear();
        positions.clear();
        loaded.clear();
        for (position, family) in families.iter().enumerate() {
            if family.columns.intersects(&ask.columns) {
                touched.push(family);
                positions.push(position);
            }
        }
        cost += pricing.ask(ask, &touched, &mut loaded);
        for position in loaded.iter().filter_map(|loaded| positions.get(*loaded)) {
            if let Some((_, load)) = summary.get_mut(*position) {
                *load += ask.rate;
            }
        }
    }
    cost + pricing.whole(&summary)
}
