//! Everything in one family, as people do who know nothing of the queries.

use crate::families::{Evaluator, FamilyLimit, Method, Outcome};

/// Everything in one family.
#[derive(Clone, Copy, Debug, Default)]
pub struct One;

impl Method for One {
    fn name(&self) -> &'static str {
        "one"
    }

    fn origin(&self) -> &'static str {
        "All columns in one family: ref01 of Yang, Cao and Milosevic"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        let problem = evaluator.problem();
        match problem.limit {
            FamilyLimit::Exactly(wanted) if wanted.min(problem.columns.len()) > 1 => {
                Outcome { notes: vec![format!("one family is not {wanted}")], ..Outcome::default() }
            }
            _ => Outcome { families: Some(problem.one_family()), ..Outcome::default() },
        }
    }
}
