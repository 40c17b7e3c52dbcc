//! A design on a store, asked through its plans.

use std::sync::Arc;

use async_trait::async_trait;
use tablesmith_access::{self as access, AccessError, Planned, Several, plan};
use tablesmith_store::{Store, StoreError};

use super::Placed;
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
        let found = self.tables.iter().find(|placed| placed.layout.source().name == *call.call.table);
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
        let mut plans = Vec::with_capacity(calls.len());
        for (at, call) in calls.iter().enumerate() {
            let placed = self.table(call).map_err(|error| (at, error))?;
            let plan = plan(&placed.layout, &call.call);
            let plan = plan.map_err(|error| (at, StoreError::Refused(error.to_string())))?;
            plans.push(Planned { layout: &placed.layout, name: &placed.name, plan });
        }
        Ok(Box::new(PreparedCalls { calls: Several::new(&*self.store, plans), made: 0 }))
    }
}

/// Calls with their plans.
struct PreparedCalls<'s> {
    calls: Several<'s>,
    made: usize,
}

#[async_trait]
impl Prepared for PreparedCalls<'_> {
    async fn make_next(&mut self) -> Result<(), StoreError> {
        self.calls.carry_out(self.made).await.map_err(store_error)?;
        self.made += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Outcome>, (usize, StoreError)> {
        let outcomes = self.calls.finish().map_err(|(at, error)| (at, store_error(error)))?;
        Ok(outcomes.iter().map(outcome).collect())
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

fn store_error(error: AccessError) -> StoreError {
    match error {
        AccessError::Store(error) => error,
        error => StoreError::Corrupt(error.to_string()),
    }
}
