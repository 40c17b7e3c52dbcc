//! The published evolution made better: it begins with what the rivals found, every child climbs to a local optimum
//! before it is judged, and the best individuals never die.
//!
//! A local optimum is reached by steps on groups of columns used alike, and on single columns where that can pay. Children
//! come from cross-fertilisation of two of the best and from random changes to one. The search ends when so many children
//! in a row were no better.

mod climb;
mod kick;
mod pool;
mod seeds;
mod steps;

use super::evolve::{Individual, Rules, operators};
use super::ledger::{Ledger, is_less};
use super::{ColumnSet, Evaluator, Method, Outcome, limit};
use climb::Climber;
use pool::Pool;

/// Two steps are looked ahead from so many of the best before the search ends.
const LOOKED_AHEAD_FROM: usize = 4;

/// What can be set of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The best individuals that are kept.
    pub elite: usize,
    /// The search ends after so many children that were no better than the best.
    pub idle_children_max: usize,
    /// The search ends after so many evaluations.
    pub evaluations_max: u64,
    /// The share of children that have two parents.
    pub cross_fertilisation: f64,
    /// The share of children that are made of what asks read, where columns may have copies.
    pub from_asks: f64,
    /// The most families. Without it the problem's limit.
    pub families_max: Option<usize>,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            elite: 12,
            idle_children_max: 300,
            evaluations_max: 200_000,
            cross_fertilisation: 0.3,
            from_asks: 0.25,
            families_max: None,
        }
    }
}

/// The better evolution.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvolvePlus {
    /// Its parameters.
    pub parameters: Parameters,
}

impl Method for EvolvePlus {
    fn name(&self) -> &'static str {
        "evolve+"
    }

    fn origin(&self) -> &'static str {
        "The evolution of Yang, Cao and Milosevic with the rivals as first parents, local search and elitism"
    }

    fn run(&self, evaluator: &Evaluator<'_>, seed: u64) -> Outcome {
        if let Some(outcome) = limit::no_columns(evaluator) {
            return outcome;
        }
        let mut outcome = Outcome::default();
        let rules = Rules::of(evaluator, self.parameters.families_max);
        let pricing = evaluator.model().pricing(evaluator.problem());
        let ledger = Ledger::new(evaluator, &*pricing, evaluator.problem().one_family());
        let mut search = Search {
            parameters: self.parameters,
            evaluator,
            rules,
            climber: Climber::new(ledger, rules),
            random: fastrand::Rng::with_seed(seed),
            pool: Pool::new(self.parameters.elite),
        };
        let seeds = seeds::seeds(evaluator, &rules, seed);
        for families in &seeds {
            search.raise(families.clone(), &mut outcome);
        }
        search.evolve(&mut outcome);
        outcome.out_of_time = evaluator.is_time_up();
        outcome.families = search.best(seeds);
        outcome
    }
}

struct Search<'a> {
    parameters: Parameters,
    evaluator: &'a Evaluator<'a>,
    rules: Rules,
    climber: Climber<'a>,
    random: fastrand::Rng,
    pool: Pool,
}

impl Search<'_> {
    fn evolve(&mut self, outcome: &mut Outcome) {
        let most = self.evaluator.evaluations().saturating_add(self.parameters.evaluations_max);
        let mut idle_children = 0;
        while self.evaluator.evaluations() < most && !self.evaluator.is_time_up() {
            if idle_children < self.parameters.idle_children_max {
                let child = self.child();
                idle_children = if self.raise(child, outcome) { 0 } else { idle_children + 1 };
            } else if self.look_ahead(outcome) {
                idle_children = 0;
            } else {
                return;
            }
        }
    }

    /// Looks two steps ahead from each of the best; true when that leads to a new best.
    fn look_ahead(&mut self, outcome: &mut Outcome) -> bool {
        for families in self.pool.first(LOOKED_AHEAD_FROM) {
            if let Some(further) = self.climber.two_steps(families)
                && self.raise(further, outcome)
            {
                return true;
            }
        }
        false
    }

    /// A child of one or two of the best.
    fn child(&mut self) -> Vec<ColumnSet> {
        if self.rules.may_duplicate && self.random.f64() < self.parameters.from_asks {
            return kick::from_asks(self.evaluator.problem(), &self.rules, &mut self.random);
        }
        let mother = self.pool.any(&mut self.random);
        if self.random.f64() < self.parameters.cross_fertilisation {
            let father = Individual::of(&self.pool.any(&mut self.random));
            let mother = Individual::of(&mother);
            let child =
                operators::cross_fertilisation::random(&mother, &father, &self.rules, &mut self.random);
            return child.families();
        }
        kick::kick(mother, self.climber.units(), &self.rules, &mut self.random)
    }

    /// Lets a grouping climb and takes it into the pool; true when it is the best so far.
    fn raise(&mut self, families: Vec<ColumnSet>, outcome: &mut Outcome) -> bool {
        let (cost, families) = self.climber.climb(families, &mut self.random);
        let is_best = self.pool.best().is_none_or(|(best, _)| is_less(cost, *best));
        if is_best {
            outcome.convergence.push((self.evaluator.evaluations(), cost));
        }
        self.pool.add(cost, limit::in_order(families));
        is_best
    }

    /// The best of the pool, or a seed that is better by the last bits.
    fn best(&self, seeds: Vec<Vec<ColumnSet>>) -> Option<Vec<ColumnSet>> {
        let pooled = self.pool.best().map(|(_, families)| families.clone());
        let priced =
            pooled.into_iter().chain(seeds).map(|families| (self.evaluator.cost(&families), families));
        priced.min_by(|x, y| x.0.total_cmp(&y.0)).map(|(_, families)| limit::in_order(families))
    }
}
