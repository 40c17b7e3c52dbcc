//! Every column in a family of its own. Within a limit, columns are dealt out in their order, as evenly as it goes.

use crate::families::{ColumnSet, Evaluator, Method, Outcome, limit};

/// Every column alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Each;

impl Method for Each {
    fn name(&self) -> &'static str {
        "each"
    }

    fn origin(&self) -> &'static str {
        "Every column in a family of its own, as column stores have it"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        let problem = evaluator.problem();
        let columns = problem.columns.len();
        let (_, most) = limit::bounds(problem);
        if columns <= most {
            return Outcome { families: Some(problem.each_alone()), ..Outcome::default() };
        }
        let most = most.max(1);
        let run = |family: usize| -> ColumnSet {
            (family * columns / most..(family + 1) * columns / most).collect()
        };
        Outcome {
            families: Some((0..most).map(run).collect()),
            notes: vec![format!("dealt {columns} columns out to {most} families in their order")],
            ..Outcome::default()
        }
    }
}
