//! From the chosen candidates to a design: names, families, prefixes, splits, settings, plans, and why all that.

mod crash;
mod families;
mod kept;
mod key;
mod names;
mod plans;
mod questions;
mod reasons;
mod rivals;
mod usage;

pub use kept::Kept;
pub use plans::{Answered, Step};
pub use questions::{Drawn, Question};
pub use rivals::{Rival, Without};

use tablesmith_model::design::{
    CostName, Design, Predicted, QueryPlan, Step as PlanStep, Table, TableStatistics,
};

use super::candidate::Candidate;
use super::pose::Posed;
use super::predict::Ground;
use super::select::Selection;

/// A design with all that was found out on the way to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The design.
    pub design: Design,
    /// Its tables, each with the questions that a design answers.
    pub tables: Vec<Drawn>,
    /// The queries, each with its plan and what else was possible.
    pub queries: Vec<Answered>,
    /// Milliseconds of a second's calls, or of whatever the rates count, with space at its small price.
    pub total_cost: f64,
    /// No set of the candidates costs less.
    pub bound: f64,
    /// Whether it is proven that no set of the candidates costs less.
    pub is_proven: bool,
    /// How many tables were weighed.
    pub candidates: usize,
    /// What the design would cost without each of its tables.
    pub without: Vec<Without>,
    /// What was assumed because nobody said it, and what to look at, in sentences.
    pub notes: Vec<String>,
}

/// Builds the design of a selection.
pub fn build(ground: &Ground<'_>, candidates: &[Candidate], posed: &Posed, selection: &Selection) -> Decided {
    let kept = kept::all(ground, candidates, posed, selection);
    let queries: Vec<Answered> = plans::all(ground, candidates, posed, selection, &kept);
    let tables: Vec<Table> = kept.iter().map(|kept| kept.table.clone()).collect();
    let plan = |answered: &Answered| QueryPlan {
        name: answered.name.clone(),
        plan: answered
            .steps
            .iter()
            .map(|step| PlanStep {
                table: step.table.clone(),
                access: step.access,
                families: step.families.clone(),
            })
            .collect(),
        predicted: Some(Predicted { operations: answered.operations, cost: answered.cost_ms }),
    };
    let drawn: Vec<Drawn> = kept.iter().map(|kept| questions::drawn(kept, &queries)).collect();
    let without = rivals::without(posed, selection, &kept, ground, candidates);
    let design = Design {
        cost: Some(CostName {
            name: ground.prices.name.clone(),
            calibration: ground.prices.calibration.clone(),
        }),
        statistics: TableStatistics::of_workload(ground.declared),
        tables,
        queries: queries.iter().map(plan).collect(),
        reasons: reasons::all(&kept, &drawn, &queries, &without),
        ..Design::default()
    };
    Decided {
        design,
        tables: drawn,
        queries,
        total_cost: selection.cost,
        bound: selection.bound,
        is_proven: selection.is_proven(),
        candidates: candidates.len(),
        without,
        notes: reasons::notes(ground, &kept),
    }
}
