//! A way to look for a grouping.

use super::{ColumnSet, Evaluator};

/// A way to look for a grouping that costs little.
pub trait Method: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Where it comes from: the paper that describes it, or what it is for.
    fn origin(&self) -> &'static str;

    /// Looks for a grouping of the evaluator's problem within its limit. The same seed gives the same answer unless time
    /// runs out.
    fn run(&self, evaluator: &Evaluator<'_>, seed: u64) -> Outcome;
}

/// What a method found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The best grouping found; `None` where the method has none (there is no present schema, the problem is too large).
    pub families: Option<Vec<ColumnSet>>,
    /// Nothing can cost less than this, if the method knows. Equal to the cost of `families`: proven optimal.
    pub bound: Option<f64>,
    /// Whether time ran out before the method was through.
    pub out_of_time: bool,
    /// What the user should know: how a cap was met, why there is no answer.
    pub notes: Vec<String>,
    /// The best cost after so many evaluations, for methods that get better step by step.
    pub convergence: Vec<(u64, f64)>,
}
