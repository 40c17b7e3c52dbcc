//! The cost of Yang, Cao and Milosevic, equations (1) to (6): five factors from 0 to 1, weighed and added up.
//!
//! Where the paper is open: c_i is the fewest families that cover query i (of equals, those that come first), S_i the share
//! of a family in the sum of columns, l_i the share of queries, by rate, that load it. Writes are no queries here.

use super::{Cost, Pricing, Weighed, cover};
use crate::families::{Access, Ask, ColumnSet, FamilyLimit, Problem};

/// Equation (1) and what it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Paper {
    /// W₁ to W₅.
    pub weights: Weights,
    /// m, the most families. Without it the problem's limit; without that the number of columns.
    pub most: Option<usize>,
}

/// W₁ to W₅ of equation (1). Their sum is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    consume: f64,
    skew: f64,
    duplicate: f64,
    scatter: f64,
    balance: f64,
}

/// Weights that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WrongWeights {
    /// One of them is negative, or no number.
    #[error("the weight {0} is not a number from 0 to 1; give five such numbers whose sum is 1")]
    OutOfRange(f64),
    /// Their sum is not one.
    #[error("the five weights add up to {0}; make their sum 1")]
    Sum(f64),
}

impl Weights {
    /// Weights in the order of the factors: consume, skew, duplicate, scatter, load balance.
    ///
    /// # Errors
    /// When one is not from 0 to 1 or the sum is not one.
    pub fn new(weights: [f64; 5]) -> Result<Self, WrongWeights> {
        if let Some(wrong) = weights.iter().find(|weight| !(0.0..=1.0).contains(*weight)) {
            return Err(WrongWeights::OutOfRange(*wrong));
        }
        let sum: f64 = weights.iter().sum();
        if (sum - 1.0).abs() > 1e-6 {
            return Err(WrongWeights::Sum(sum));
        }
        let [consume, skew, duplicate, scatter, balance] = weights;
        Ok(Self { consume, skew, duplicate, scatter, balance })
    }

    /// The weights in the order of the factors.
    pub fn to_array(self) -> [f64; 5] {
        [self.consume, self.skew, self.duplicate, self.scatter, self.balance]
    }
}

impl Default for Weights {
    /// What a query loads counts most; a family more pays when queries need few families each; the two balances decide
    /// among groupings that are otherwise alike.
    fn default() -> Self {
        Self { consume: 0.4, skew: 0.1, duplicate: 0.2, scatter: 0.2, balance: 0.1 }
    }
}

/// The five factors of a grouping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// C, equation (2): families that a query needs, as a share of m.
    pub consume: f64,
    /// S_k, equation (3): how unevenly columns are spread.
    pub skew: f64,
    /// D, equation (4): columns with their copies, as a share of m times the columns.
    pub duplicate: f64,
    /// S_c, equation (5): one by the number of families.
    pub scatter: f64,
    /// L_b, equation (6): how unevenly families are loaded.
    pub balance: f64,
}

impl Paper {
    /// m for a problem.
    pub fn most_families(&self, problem: &Problem) -> f64 {
        let most = self.most.unwrap_or(match problem.limit {
            FamilyLimit::None => problem.columns.len(),
            FamilyLimit::AtMost(limit) | FamilyLimit::Exactly(limit) => limit,
        });
        most.max(1) as f64
    }

    /// The five factors of a grouping, each as equation (1) would have it with all weight on it.
    pub fn factors(&self, problem: &Problem, families: &[ColumnSet]) -> Factors {
        let alone = |weights: Weights| Paper { weights, ..*self }.of(problem, families);
        let none = Weights { consume: 0.0, skew: 0.0, duplicate: 0.0, scatter: 0.0, balance: 0.0 };
        Factors {
            consume: alone(Weights { consume: 1.0, ..none }),
            skew: alone(Weights { skew: 1.0, ..none }),
            duplicate: alone(Weights { duplicate: 1.0, ..none }),
            scatter: alone(Weights { scatter: 1.0, ..none }),
            balance: alone(Weights { balance: 1.0, ..none }),
        }
    }
}

impl Cost for Paper {
    fn name(&self) -> &'static str {
        "paper"
    }

    fn unit(&self) -> &'static str {
        ""
    }

    fn allows_duplicates(&self) -> bool {
        true
    }

    fn pricing<'a>(&'a self, problem: &'a Problem) -> Box<dyn Pricing + 'a> {
        Box::new(Prepared {
            weights: self.weights,
            m: self.most_families(problem),
            queries: problem.reads().map(|ask| ask.rate).sum(),
            columns: problem.columns.len().max(1) as f64,
        })
    }
}

struct Prepared {
    weights: Weights,
    m: f64,
    /// n: the rates of all queries added up.
    queries: f64,
    /// n_atts.
    columns: f64,
}

fn share(part: f64, all: f64) -> f64 {
    if all > 0.0 { part / all } else { 0.0 }
}

/// Twice the standard deviation, as equations (3) and (6) have it.
fn spread(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    2.0 * (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

impl Pricing for Prepared {
    fn weight(&self, _column: usize) -> f64 {
        1.0
    }

    fn ask(&self, ask: &Ask, touched: &[&Weighed], loaded: &mut Vec<usize>) -> f64 {
        if ask.access == Access::Write || ask.rate <= 0.0 {
            return 0.0;
        }
        cover::cheapest(&ask.columns, touched, |_| 1.0, loaded);
        // Equation (2), this query's part of it.
        self.weights.consume * ask.rate * loaded.len() as f64 / (self.m * self.queries)
    }

    fn whole(&self, families: &[(f64, f64)]) -> f64 {
        let columns: f64 = families.iter().map(|(columns, _)| columns).sum();
        let skew = spread(families.iter().map(|(count, _)| share(*count, columns)));
        let duplicate = columns / (self.m * self.columns);
        let scatter = 1.0 / families.len().max(1) as f64;
        let balance = spread(families.iter().map(|(_, load)| share(*load, self.queries)));
        self.weights.skew * skew
            + self.weights.duplicate * duplicate
            + self.weights.scatter * scatter
            + self.weights.balance * balance
    }

    fn minds_loads(&self) -> bool {
        self.weights.balance > 0.0
    }
}

#[cfg(test)]
mod tests;
