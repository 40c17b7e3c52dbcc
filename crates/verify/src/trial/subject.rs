//! A design on a store, asked through its plans.

use std::sync::Arc;

use async_trait::async_trait;
use tablesmith_access::series::Series;
use tablesmith_access::{self as access, Call, Planned, Several, plan};
use tablesmith_model::TableName;
use tablesmith_store::{Store, StoreError};

use super::{Laid, LaidError, LaidReadings, Placed};
use crate::calls::TextCall;
use crate::replay::{Outcome, Prepared, Subject};

/// A design whose tables are made and loaded.
pub struct DesignSubject {
    store: Arc<dyn Store>,
    tables: Vec<Placed>,
}

impl DesignSubject {
    /// A design with its tables in a store.
    pub fn new(store: Arc<dyn Store>, tables: Vec<Placed>) -> Self {
        Self { store, tables }
    }

    fn table(&self, call: &TextCall) -> Result<&Placed, StoreError> {
        let found = self.tables.iter().find(|placed| placed.laid.source().name == *call.call.table);
        found.ok_or_else(|| StoreError::Refused(format!("the design has no table for {:?}", call.call.table)))
    }
}

#[async_trait]
impl Subject<TextCall> for DesignSubject {
    async fn ask(&self, call: &TextCall) -> Result<Outcome, StoreError> {
        let mut prepared = self.prepare(&[call]).map_err(|(_, error)| error)?;
        prepared.make_next().await?;
        let outcomes = prepared.finish().map_err(|(_, error)| error)?;
        outcomes.into_iter().next().ok_or_else(|| StoreError::Corrupt("a call has no outcome".to_owned()))
    }

    fn prepare<'s>(&'s self, calls: &[&'s TextCall]) -> Result<Box<dyn Prepared + 's>, (usize, StoreError)> {
        let (mut plans, mut steps) = (Vec::with_capacity(calls.len()), Vec::with_capacity(calls.len()));
        for (at, call) in calls.iter().enumerate() {
            let placed = self.table(call).map_err(|error| (at, error))?;
            let (name, call) = (&placed.name, &call.call);
            match &placed.laid {
                Laid::Rows(layout) => {
                    let plan = plan(layout, call).map_err(|error| (at, refused(error.into())))?;
                    steps.push(Step::Planned(plans.len()));
                    plans.push(Planned { layout, name, plan });
                }
                Laid::Readings(LaidReadings { series, .. }) => {
                    steps.push(Step::Readings { series, name, call, outcome: None })
                }
            }
        }
        let planned = Several::new(&*self.store, plans);
        Ok(Box::new(PreparedCalls { store: &*self.store, steps, planned, made: 0 }))
    }
}

/// Calls that are ready to be made.
struct PreparedCalls<'s> {
    store: &'s dyn Store,
    steps: Vec<Step<'s>>,
    planned: Several<'s>,
    made: usize,
}

/// A call.
enum Step<'s> {
    /// On rows: the plan at this place.
    Planned(usize),
    /// On readings, which find their way when they are asked.
    Readings { series: &'s Series, name: &'s TableName, call: &'s Call, outcome: Option<access::Outcome> },
}

#[async_trait]
impl Prepared for PreparedCalls<'_> {
    async fn make_next(&mut self) -> Result<(), StoreError> {
        match self.steps.get_mut(self.made) {
            Some(Step::Planned(place)) => {
                self.planned.carry_out(*place).await.map_err(|error| refused(error.into()))?
            }
            Some(Step::Readings { series, name, call, outcome }) => {
                let answered = series.answer(self.store, name, call).await;
                *outcome = Some(answered.map_err(|error| refused(error.into()))?);
            }
            None => {}
        }
        self.made += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Outcome>, (usize, StoreError)> {
        let place_of = |plan: usize| {
            self.steps.iter().position(|step| matches!(step, Step::Planned(place) if *place == plan))
        };
        let planned = self.planned.finish();
        let planned = planned.map_err(|(at, error)| (place_of(at).unwrap_or(at), refused(error.into())))?;
        let outcome = |step: &Step<'_>| match step {
            Step::Planned(place) => planned.get(*place).copied(),
            Step::Readings { outcome, .. } => *outcome,
        };
        Ok(self.steps.iter().filter_map(outcome).map(|answer| self::outcome(&answer)).collect())
    }
}

fn outcome(answer: &access::Outcome) -> Outcome {
    Outcome {
        rows: answer.rows,
        hash: answer.hash,
        time: answer.store_time,
        waited: answer.waited,
        stats: answer.stats,
    }
}

/// What the store said, or why it was not asked.
fn refused(error: LaidError) -> StoreError {
    error.into_store().unwrap_or_else(|error| match error {
        LaidError::Rows(error) => StoreError::Corrupt(error.to_string()),
        error => StoreError::Refused(error.to_string()),
    })
}
