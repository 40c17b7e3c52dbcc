//! The store calls that statements come down to, without anything around them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tablesmith_access::Stopwatch;
use tablesmith_model::TableName;
use tablesmith_store::wrap::{Intercept, Op, Outcome, Wrapped};
use tablesmith_store::{Get, Scan, Store, StoreError};
use tablesmith_verify::replay::{Script, Subject};
use tablesmith_verify::statements::BoundStatement;
use tablesmith_verify::trial::DesignSubject;

use super::Failure;
use super::ground::Ground;

/// One call to the store.
#[derive(Clone)]
pub enum BareCall {
    Get(TableName, Get),
    Scan(TableName, Scan),
}

/// Records the calls that pass through it.
#[derive(Default)]
struct Recorder(Mutex<Vec<BareCall>>);

#[async_trait]
impl Intercept for Recorder {
    type Ticket = ();

    async fn before(&self, _: &dyn Store, op: &Op<'_>) -> Result<(), StoreError> {
        let call = match *op {
            Op::Get(table, get) => BareCall::Get(table.clone(), get.clone()),
            Op::Scan(table, scan) => BareCall::Scan(table.clone(), scan.clone()),
            Op::NextRows { .. } => return Ok(()),
            other => {
                return Err(StoreError::IllegalArgument(format!("not a get or a scan: {:?}", other.kind())));
            }
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        Ok(())
    }

    async fn after(&self, (): (), _: Outcome<'_>) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The calls of all statements of a script: one a statement.
pub async fn record(ground: &Ground, script: &Script<BoundStatement>) -> Result<Vec<BareCall>, Failure> {
    let recorded = Arc::new(Wrapped::new(Arc::clone(&ground.store), Recorder::default()));
    let store: Arc<dyn Store> = recorded.clone();
    let subject = DesignSubject::new(store, Arc::clone(ground.design.database()));
    for entry in &script.calls {
        subject.ask(&entry.call).await?;
    }
    let calls = recorded.intercept().0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if calls.len() == script.calls.len() {
        Ok(calls)
    } else {
        Err(format!("{} statements make {} calls: one each was expected", script.calls.len(), calls.len())
            .into())
    }
}

/// Makes all calls, and says how long that took.
pub async fn all(store: &dyn Store, calls: Vec<BareCall>) -> Result<Duration, Failure> {
    let stopwatch = Stopwatch::start();
    for call in calls {
        match call {
            BareCall::Get(table, get) => {
                let row = store.get(&table, get).await?;
                if row.value.cells.is_empty() {
                    return Err("a row is missing".into());
                }
            }
            BareCall::Scan(table, scan) => {
                let mut scanner = store.scan(&table, scan).await?;
                while !scanner.next_rows().await?.is_empty() {}
            }
        }
    }
    Ok(stopwatch.lap().time)
}
