//! What can be set of the evolution.

/// Parameters of the evolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// m: the most families of an individual. Without it the problem's limit.
    pub families_max: Option<usize>,
    /// α of equation (7): how much a lower cost counts for survival.
    pub alpha: f64,
    /// Individuals in the population.
    pub population: usize,
    /// Generations.
    pub generations: usize,
    /// How often each operator acts.
    pub rates: Rates,
}

/// The share of children on which each operator acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Adding or deleting columns of a family.
    pub mutation: f64,
    /// Exchanging columns between two families.
    pub crossover: f64,
    /// Cutting a family in two.
    pub split_up: f64,
    /// Putting two families together.
    pub merge: f64,
    /// Taking families of two parents.
    pub cross_fertilisation: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { families_max: None, alpha: 60.0, population: 60, generations: 300, rates: Rates::default() }
    }
}

impl Parameters {
    /// Sets worth trying, each in words, for a judge who has other queries. The first is the usual one.
    pub fn sets(self) -> [(&'static str, Self); 3] {
        let rates = Rates { mutation: 0.6, crossover: 0.3, ..self.rates };
        [
            ("the usual one", self),
            ("a softer selection", Self { alpha: self.alpha / 3.0, ..self }),
            ("more mutation and crossover", Self { rates, ..self }),
        ]
    }
}

impl Default for Rates {
    fn default() -> Self {
        Self { mutation: 0.4, crossover: 0.15, split_up: 0.1, merge: 0.1, cross_fertilisation: 0.3 }
    }
}
