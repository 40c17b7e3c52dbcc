//! The grouping that the table has at present.

use crate::families::{Evaluator, Method, Outcome, limit};

/// The schema given. It is shown as it is, also where the limit would not allow it; a note then says so.
#[derive(Clone, Copy, Debug, Default)]
pub struct Current;

impl Method for Current {
    fn name(&self) -> &'static str {
        "current"
    }

    fn origin(&self) -> &'static str {
        "The grouping that the table has at present"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        let problem = evaluator.problem();
        let Some(families) = problem.current.clone() else {
            return Outcome { notes: vec!["no present schema is known".to_owned()], ..Outcome::default() };
        };
        let mut notes = Vec::new();
        if !problem.allows(&families) {
            notes.push(format!("the present {} families are not within the limit", families.len()));
        }
        Outcome { families: Some(limit::in_order(families)), notes, ..Outcome::default() }
    }
}
