//! The one place where methods ask what a grouping costs: it counts, and it knows when time is up.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::{ColumnSet, Cost, Problem};

/// Tells a method what groupings of one problem cost.
pub struct Evaluator<'a> {
    problem: &'a Problem,
    cost: &'a dyn Cost,
    deadline: Option<Instant>,
    evaluations: AtomicU64,
}

impl<'a> Evaluator<'a> {
    /// Nothing is counted yet. Without a deadline there is all the time of the world.
    pub fn new(problem: &'a Problem, cost: &'a dyn Cost, deadline: Option<Instant>) -> Self {
        Self { problem, cost, deadline, evaluations: AtomicU64::new(0) }
    }

    /// An evaluator of the same problem that has so much of the time left, from 0 to 1. It counts by itself.
    pub fn sooner(&self, share: f64) -> Self {
        let now = Instant::now();
        let left = |deadline: Instant| deadline.saturating_duration_since(now).mul_f64(share.clamp(0.0, 1.0));
        Self::new(self.problem, self.cost, self.deadline.map(|deadline| now + left(deadline)))
    }

    /// The problem.
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The model of cost, for methods that know how to work with one of them. What they evaluate by themselves they
    /// [count](Self::count).
    pub fn model(&self) -> &'a dyn Cost {
        self.cost
    }

    /// What a grouping costs.
    pub fn cost(&self, families: &[ColumnSet]) -> f64 {
        self.count(1);
        self.cost.of(self.problem, families)
    }

    /// Counts evaluations that a method made by itself.
    pub fn count(&self, evaluations: u64) {
        self.evaluations.fetch_add(evaluations, Ordering::Relaxed);
    }

    /// How many evaluations there were.
    pub fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Whether a method has to end with the best it has.
    pub fn is_time_up(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
