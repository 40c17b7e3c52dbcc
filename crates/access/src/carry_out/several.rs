//! Several plans, one after the other, with as little between their calls as can be.
//!
//! Decoding and hashing a row takes about as long as the get that brought it, and pushes what the next get needs out of
//! the processor's caches: calls would seem slower than they are. So the gets of single rows follow each other directly,
//! and what they brought is looked at when all plans are through. Everything else is carried out as always, in its place.

use tablesmith_model::TableName;
use tablesmith_model::plan::{Plan, Which};
use tablesmith_store::{Get, Row, Store};

use super::answer::Answers;
use super::decode::Decoder;
use super::{Outcome, Work, carry_out, options};
use crate::error::AccessError;
use crate::layout::Layout;

/// A plan with the table that it is carried out on.
#[derive(Clone, Debug)]
pub struct Planned<'p> {
    /// How rows lie in the table.
    pub layout: &'p Layout,
    /// The table.
    pub name: &'p TableName,
    /// The plan.
    pub plan: Plan,
}

/// Plans that are about to be carried out.
pub struct Several<'p> {
    store: &'p dyn Store,
    plans: Vec<Step<'p>>,
}

struct Step<'p> {
    planned: Planned<'p>,
    get: Option<Get>,
    outcome: Outcome,
    row: Option<Row>,
}

impl<'p> Several<'p> {
    /// Gets everything ready that can be before the first call.
    pub fn new(store: &'p dyn Store, plans: impl IntoIterator<Item = Planned<'p>>) -> Self {
        let step = |planned: Planned<'p>| Step {
            get: planned.single_get(),
            planned,
            outcome: Outcome::default(),
            row: None,
        };
        Self { store, plans: plans.into_iter().map(step).collect() }
    }

    /// Carries out the plan at this place; a place that there is not asks for nothing.
    pub async fn carry_out(&mut self, at: usize) -> Result<(), AccessError> {
        let Some(step) = self.plans.get_mut(at) else { return Ok(()) };
        let Planned { layout, name, plan } = &step.planned;
        let Some(get) = step.get.take() else {
            step.outcome = carry_out(self.store, layout, name, plan).await?;
            return Ok(());
        };
        let mut work = Work { store: self.store, name, outcome: Outcome::default() };
        let answer = work.timed(self.store.get(name, get)).await?;
        step.outcome = Outcome { stats: answer.stats, ..work.outcome };
        step.row = Some(answer.value);
        Ok(())
    }

    /// What came of each plan; an error comes with the place of its plan.
    pub fn finish(self) -> Result<Vec<Outcome>, (usize, AccessError)> {
        let outcome = |(at, step): (usize, Step<'p>)| match &step.row {
            Some(row) => step.planned.answer(step.outcome, row).map_err(|error| (at, error)),
            None => Ok(step.outcome),
        };
        self.plans.into_iter().enumerate().map(outcome).collect()
    }
}

impl Planned<'_> {
    /// The get, when that is all there is to the plan.
    fn single_get(&self) -> Option<Get> {
        let ([read], []) = (self.plan.reads.as_slice(), self.plan.writes.as_slice()) else { return None };
        match &read.which {
            Which::Keys(keys) => match keys.as_slice() {
                [key] => Some(Get { row: key.clone().into(), read: options(read) }),
                _ => None,
            },
            Which::Ranges(_) | Which::Strands(_) => None,
        }
    }

    fn answer(&self, mut outcome: Outcome, row: &Row) -> Result<Outcome, AccessError> {
        let mut answers = Answers::default();
        for read in &self.plan.reads {
            answers.begin(read);
            if !row.cells.is_empty() {
                outcome.rows_read += 1;
                answers.take(&mut Decoder::new(self.layout, self.name, read)?, row)?;
            }
            answers.end();
        }
        (outcome.rows, outcome.hash) = answers.finish();
        Ok(outcome)
    }
}
