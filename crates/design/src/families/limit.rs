//! How a rival that knows no limit on families is brought within one, and what it says about that.

use super::ledger::Ledger;
use super::{ColumnSet, Evaluator, Outcome, Problem, greedy};

/// The fewest and the most families that a problem allows.
pub fn bounds(problem: &Problem) -> (usize, usize) {
    let columns = problem.columns.len();
    (problem.limit.fewest(columns), problem.limit.most(columns))
}

/// Ends a method that puts families together: it goes on with its step until there are few enough, or cuts again where
/// there are too few.
pub fn settle(ledger: &mut Ledger<'_>, outcome: &mut Outcome) {
    let (fewest, most) = bounds(ledger.evaluator().problem());
    let distinct = in_order(ledger.families());
    if distinct.len() < ledger.len() {
        ledger.replace_all(distinct);
    }
    let before = ledger.len();
    if before > most {
        outcome.out_of_time |= !greedy::merge(ledger, most, most);
        outcome
            .notes
            .push(format!("put together further, the cheapest pair first, from {before} to {most} families"));
    }
    if before < fewest {
        outcome.out_of_time |= !greedy::split_up(ledger, fewest);
        outcome
            .notes
            .push(format!("cut further where it costs least, from {before} to {} families", ledger.len()));
    }
}

/// The outcome of a ledger: its families in the order of their first columns.
pub fn close(ledger: &Ledger<'_>, mut outcome: Outcome) -> Outcome {
    outcome.families = Some(in_order(ledger.families()));
    outcome
}

/// Families in the order of their first columns, each once.
pub fn in_order(mut families: Vec<ColumnSet>) -> Vec<ColumnSet> {
    families.sort_by(ColumnSet::first_difference);
    families.dedup();
    families
}

/// What a method answers for a table without columns.
pub fn no_columns(evaluator: &Evaluator<'_>) -> Option<Outcome> {
    evaluator.problem().columns.is_empty().then(|| Outcome {
        families: Some(Vec::new()),
        notes: vec!["the table has no columns".to_owned()],
        ..Outcome::default()
    })
}
