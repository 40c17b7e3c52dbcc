//! Trojan layouts: a group of columns is as interesting as its columns tell about each other's use; groups that are not
//! interesting enough are dropped; of the others, for each number of groups, those without a common column are taken
//! whose interest adds up to most; the cheapest of these groupings is the answer.

mod interest;

use crate::families::ledger::{Ledger, is_less};
use crate::families::{ColumnSet, Evaluator, Method, Outcome, atoms, limit};
use interest::Interest;

/// Trojan layouts, with one layout for all replicas.
#[derive(Clone, Copy, Debug)]
pub struct Trojan {
    /// Groups that are less interesting are dropped; interest goes from 0 to 1.
    pub interest_min: f64,
    /// The most units of which all groups are looked at. Further ones are first put together, the most alike first.
    pub units_max: usize,
}

impl Default for Trojan {
    fn default() -> Self {
        Self { interest_min: 0.0, units_max: 14 }
    }
}

impl Method for Trojan {
    fn name(&self) -> &'static str {
        "trojan"
    }

    fn origin(&self) -> &'static str {
        "Jindal, Quiané-Ruiz and Dittrich, Trojan Data Layouts: Right Shoes for a Running Elephant, SoCC 2011"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        if let Some(outcome) = limit::no_columns(evaluator) {
            return outcome;
        }
        let mut outcome = Outcome::default();
        let problem = evaluator.problem();
        let mut units = atoms::atoms(problem);
        let unused = units.iter().position(|unit| !problem.reads().any(|ask| ask.columns.intersects(unit)));
        let unused = unused.map(|at| units.remove(at));
        let before = units.len();
        let interest = Interest::new(problem, units).condensed(self.units_max, evaluator);
        if interest.units().len() < before {
            outcome.notes.push(format!(
                "put {before} groups of columns used alike together to {}, the most alike first",
                interest.units().len()
            ));
        }
        let pricing = evaluator.model().pricing(problem);
        let mut ledger = Ledger::new(evaluator, &*pricing, problem.one_family());
        let (_, most) = limit::bounds(problem);
        if most < before + usize::from(unused.is_some()) {
            outcome.notes.push(format!("took at most {most} groups"));
        }
        self.take_the_cheapest(&mut ledger, &interest, unused);
        outcome.out_of_time = evaluator.is_time_up();
        limit::settle(&mut ledger, &mut outcome);
        limit::close(&ledger, outcome)
    }
}

impl Trojan {
    /// Prices the most interesting grouping of each number of groups and leaves the cheapest in the ledger.
    fn take_the_cheapest(&self, ledger: &mut Ledger<'_>, interest: &Interest, unused: Option<ColumnSet>) {
        let (fewest, most) = limit::bounds(ledger.evaluator().problem());
        let groups_max = most.saturating_sub(usize::from(unused.is_some())).max(1);
        let mut best: Option<(f64, Vec<ColumnSet>)> = None;
        for grouping in interest.best_groupings(self.interest_min, groups_max) {
            ledger.replace_all(with_unused(grouping, unused.clone(), most));
            let is_better = best.as_ref().is_none_or(|(cost, _)| is_less(ledger.cost(), *cost));
            if ledger.len() >= fewest && is_better {
                best = Some((ledger.cost(), ledger.families()));
            }
        }
        if let Some((_, families)) = best {
            ledger.replace_all(families);
        }
    }
}

/// Columns that nobody reads get a family of their own where the limit has room for it.
fn with_unused(mut families: Vec<ColumnSet>, unused: Option<ColumnSet>, most: usize) -> Vec<ColumnSet> {
    match (unused, families.last_mut()) {
        (Some(unused), Some(last)) if most <= 1 => last.unite(&unused),
        (Some(unused), _) => families.push(unused),
        (None, _) => {}
    }
    families
}
