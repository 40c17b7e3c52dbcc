//! A design on a store, asked through its plans.

use std::sync::Arc;

use async_trait::async_trait;
use tablesmith_access::{AccessError, carry_out, plan};
use tablesmith_store::{Store, StoreError};

use super::Placed;
use crate::calls::TextCall;
use crate::replay::{Outcome, Subject};

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
        let placed = self.table(call)?;
        let plan =
            plan(&placed.layout, &call.call).map_err(|error| StoreError::Refused(error.to_string()))?;
        let answer =
            carry_out(&*self.store, &placed.layout, &placed.name, &plan).await.map_err(store_error)?;
        Ok(Outcome {
            rows: answer.rows,
            hash: answer.hash,
            time: answer.store_time,
            waited: answer.waited,
            stats: answer.stats,
        })
    }
}

fn store_error(error: AccessError) -> StoreError {
    match error {
        AccessError::Store(error) => error,
        error => StoreError::Corrupt(error.to_string()),
    }
}
