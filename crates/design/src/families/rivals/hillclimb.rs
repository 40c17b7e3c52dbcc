//! HillClimb: every column alone, then the pair of families together that saves most, until none saves.

use super::units;
use crate::families::ledger::Ledger;
use crate::families::{Evaluator, Method, Outcome, greedy, limit};

/// HillClimb.
#[derive(Clone, Copy, Debug, Default)]
pub struct HillClimb;

impl Method for HillClimb {
    fn name(&self) -> &'static str {
        "hillclimb"
    }

    fn origin(&self) -> &'static str {
        "Hankins and Patel, Data Morphing: An Adaptive, Cache-Conscious Storage Technique, VLDB 2003"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        if let Some(outcome) = limit::no_columns(evaluator) {
            return outcome;
        }
        let mut outcome = Outcome::default();
        let problem = evaluator.problem();
        let pricing = evaluator.model().pricing(problem);
        let mut ledger = Ledger::new(evaluator, &*pricing, units(problem, &mut outcome));
        let (fewest, _) = limit::bounds(problem);
        outcome.out_of_time = !greedy::merge(&mut ledger, fewest, usize::MAX);
        limit::settle(&mut ledger, &mut outcome);
        limit::close(&ledger, outcome)
    }
}
