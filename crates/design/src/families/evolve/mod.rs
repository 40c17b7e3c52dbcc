//! The evolutionary algorithm of Yang, Cao and Milosevic, as their paper has it.
//!
//! An individual is a grouping; each of its chromosomes is a family, each gene a column. Individuals survive in proportion
//! to their fitness and change by mutation, crossover, split-up, merge and cross-fertilisation. There is no elitism: the
//! best individual ever seen is the answer.

pub mod individual;
pub mod operators;
mod parameters;
pub mod selection;

pub use individual::{Individual, Rules};
pub use parameters::{Parameters, Rates};

use super::ledger::is_less;
use super::{Evaluator, Method, Outcome, limit};

/// The algorithm with its parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evolve {
    /// Its parameters.
    pub parameters: Parameters,
}

impl Method for Evolve {
    fn name(&self) -> &'static str {
        "evolve"
    }

    fn origin(&self) -> &'static str {
        "Yang, Cao and Milosevic, An Evolutionary Algorithm for Column Family Schema Optimization in HBase"
    }

    fn run(&self, evaluator: &Evaluator<'_>, seed: u64) -> Outcome {
        if let Some(outcome) = limit::no_columns(evaluator) {
            return outcome;
        }
        let rules = Rules::of(evaluator, self.parameters.families_max);
        let mut run = Run::new(self.parameters, evaluator, rules, seed);
        run.evolve();
        let mut outcome = run.outcome;
        if !rules.may_duplicate {
            outcome.notes.push(format!(
                "cost {} knows no duplicates: of the copies of a column, one is kept",
                evaluator.model().name()
            ));
        }
        outcome
    }
}

/// A member of the population with its cost.
#[derive(Clone, Debug)]
struct Member {
    individual: Individual,
    cost: f64,
}

struct Run<'a> {
    parameters: Parameters,
    evaluator: &'a Evaluator<'a>,
    rules: Rules,
    random: fastrand::Rng,
    /// What a cost is divided by: 1 for the paper's, which is from 0 to 1; for others, what one family costs.
    unit: f64,
    best: Option<f64>,
    outcome: Outcome,
}

impl<'a> Run<'a> {
    fn new(parameters: Parameters, evaluator: &'a Evaluator<'a>, rules: Rules, seed: u64) -> Self {
        let unit = match evaluator.model().name() {
            "paper" => 1.0,
            _ => evaluator.cost(&evaluator.problem().one_family()).max(f64::MIN_POSITIVE),
        };
        let random = fastrand::Rng::with_seed(seed);
        Self { parameters, evaluator, rules, random, unit, best: None, outcome: Outcome::default() }
    }

    fn evolve(&mut self) {
        let mut population: Vec<Member> = Vec::new();
        for _ in 0..self.parameters.population.max(2) {
            let individual = Individual::random(&self.rules, &mut self.random);
            population.push(self.judge(individual));
        }
        for _ in 0..self.parameters.generations {
            let survivors = self.select(&population);
            population.clear();
            for at in 0..survivors.len() {
                if self.evaluator.is_time_up() {
                    self.outcome.out_of_time = true;
                    return;
                }
                let child = self.recombine(&survivors, at);
                population.push(self.judge(child));
            }
        }
    }

    /// Prices an individual, and keeps it when it is the best so far.
    fn judge(&mut self, individual: Individual) -> Member {
        let families = individual.families();
        let cost = self.evaluator.cost(&families);
        if self.best.is_none_or(|best| is_less(cost, best)) {
            self.best = Some(cost);
            self.outcome.convergence.push((self.evaluator.evaluations(), cost));
            self.outcome.families = Some(limit::in_order(families));
        }
        Member { individual, cost }
    }

    fn select(&mut self, population: &[Member]) -> Vec<Individual> {
        let fitness: Vec<f64> = population
            .iter()
            .map(|member| selection::fitness(self.parameters.alpha, member.cost / self.unit))
            .collect();
        let chosen = selection::proportional(&fitness, population.len(), &mut self.random);
        chosen
            .into_iter()
            .filter_map(|at| population.get(at))
            .map(|member| member.individual.clone())
            .collect()
    }

    /// A child of a survivor: each operator acts with its rate.
    fn recombine(&mut self, survivors: &[Individual], at: usize) -> Individual {
        let rates = self.parameters.rates;
        let Some(parent) = survivors.get(at) else {
            return Individual::random(&self.rules, &mut self.random);
        };
        let mut child = parent.clone();
        if self.random.f64() < rates.cross_fertilisation {
            let mate = self.random.usize(0..survivors.len());
            if let Some(father) = survivors.get(mate) {
                child = operators::cross_fertilisation::random(&child, father, &self.rules, &mut self.random);
            }
        }
        if self.random.f64() < rates.crossover {
            operators::crossover::random(&mut child, &self.rules, &mut self.random);
        }
        if self.random.f64() < rates.mutation {
            operators::mutation::random(&mut child, &self.rules, &mut self.random);
        }
        if self.random.f64() < rates.split_up {
            operators::split_up::random(&mut child, &self.rules, &mut self.random);
        }
        if self.random.f64() < rates.merge {
            operators::merge::random(&mut child, &self.rules, &mut self.random);
        }
        child
    }
}
