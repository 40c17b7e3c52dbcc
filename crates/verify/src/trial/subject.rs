//! A design on a store that executes statements, as `query` does, and says what the store's calls took.

use std::sync::Arc;

use async_trait::async_trait;
use tablesmith_access::answer::{AnswerError, Database, Execution, PlannedStatement, QueryPlan};
use tablesmith_sql::executable::Statement;
use tablesmith_store::wrap::Wrapped;
use tablesmith_store::{Store, StoreError};

use super::design::TrialError;
use super::digest::Digest;
use super::restore::RowSnapshot;
use crate::replay::{Outcome, Prepared, StoreTime, StoreUsage, Subject};
use crate::statements::BoundStatement;

/// A design whose tables are created and loaded.
pub struct DesignSubject {
    store: Arc<dyn Store>,
    database: Arc<Database>,
}

impl DesignSubject {
    /// A design with its tables in a store.
    pub fn new(store: Arc<dyn Store>, database: Arc<Database>) -> Self {
        Self { store, database }
    }

    fn plan(&self, name: &str, statement: &Statement) -> Result<PlannedPart, AnswerError> {
        Ok(match statement {
            Statement::Select(query) => {
                let (digest, query) = Digest::of(query);
                PlannedPart::Read { plan: Box::new(self.database.plan_query(Some(name), &query)?), digest }
            }
            change => PlannedPart::Write(self.database.plan(Some(name), change)?),
        })
    }

    /// Executes a statement that reads.
    async fn read(&self, plan: &QueryPlan, mut digest: Digest) -> Result<Outcome, AnswerError> {
        let timed = Wrapped::new(Arc::clone(&self.store), StoreTime::default());
        let mut answer = self.database.answer(&timed, plan)?;
        loop {
            let rows = answer.next().await?;
            if rows.is_empty() {
                break;
            }
            rows.iter().for_each(|row| digest.add(row));
        }
        drop(answer);
        Ok(outcome(digest.finish(), timed.intercept().usage()))
    }

    /// Executes a statement that writes, and puts back what it changed.
    async fn write(&self, planned: &PlannedStatement) -> Result<Outcome, AnswerError> {
        let before = RowSnapshot::look(&self.database, &*self.store, planned).await?;
        let timed = Wrapped::new(Arc::clone(&self.store), StoreTime::default());
        let rows = match self.database.execute(&timed, planned).await? {
            Execution::Written(written) => written.rows,
            Execution::Rows(_) => 0,
        };
        let usage = timed.intercept().usage();
        let Some(before) = before else { return Ok(outcome((rows, 0), usage)) };
        let (_, hash) = before.digest(&*self.store).await?;
        // Rows that are removed by their key without a look count whether they were there or not.
        let rows = before.touched();
        before.restore(&*self.store).await?;
        Ok(outcome((rows, hash), usage))
    }
}

#[async_trait]
impl Subject<BoundStatement> for DesignSubject {
    async fn ask(&self, statement: &BoundStatement) -> Result<Outcome, StoreError> {
        let mut prepared = self.prepare(&[statement]).map_err(|(_, error)| error)?;
        prepared.make_next().await?;
        let outcomes = prepared.finish().map_err(|(_, error)| error)?;
        outcomes
            .into_iter()
            .next()
            .ok_or_else(|| StoreError::Corrupt("a statement has no outcome".to_owned()))
    }

    /// Plans the statements.
    fn prepare<'s>(
        &'s self,
        statements: &[&'s BoundStatement],
    ) -> Result<Box<dyn Prepared + 's>, (usize, StoreError)> {
        let mut planned = Vec::with_capacity(statements.len());
        for (at, bound) in statements.iter().enumerate() {
            let parts = bound.statements.iter().map(|statement| self.plan(&bound.query, statement));
            let parts: Result<Vec<PlannedPart>, AnswerError> = parts.collect();
            planned.push(parts.map_err(|error| (at, refused(error)))?);
        }
        let outcomes = Vec::with_capacity(planned.len());
        Ok(Box::new(PlannedStatements { subject: self, planned, outcomes }))
    }
}

/// Statements that are planned and executed one after the other.
struct PlannedStatements<'s> {
    subject: &'s DesignSubject,
    planned: Vec<Vec<PlannedPart>>,
    outcomes: Vec<Outcome>,
}

/// One of the statements that belong together.
enum PlannedPart {
    Read { plan: Box<QueryPlan>, digest: Digest },
    Write(PlannedStatement),
}

#[async_trait]
impl Prepared for PlannedStatements<'_> {
    async fn make_next(&mut self) -> Result<(), StoreError> {
        let mut whole = Outcome::default();
        for part in self.planned.get(self.outcomes.len()).into_iter().flatten() {
            let outcome = match part {
                PlannedPart::Read { plan, digest } => self.subject.read(plan, digest.clone()).await,
                PlannedPart::Write(planned) => self.subject.write(planned).await,
            };
            whole = together(whole, outcome.map_err(refused)?);
        }
        self.outcomes.push(whole);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Outcome>, (usize, StoreError)> {
        Ok(self.outcomes)
    }
}

fn outcome((rows, hash): (u64, u64), StoreUsage { time, waited, stats }: StoreUsage) -> Outcome {
    Outcome { rows, hash, time, waited, stats }
}

/// Two outcomes one after the other.
fn together(one: Outcome, other: Outcome) -> Outcome {
    let mut stats = one.stats;
    stats += other.stats;
    Outcome {
        rows: one.rows + other.rows,
        hash: one.hash.rotate_left(1) ^ other.hash,
        time: one.time + other.time,
        waited: one.waited + other.waited,
        stats,
    }
}

/// What the store said, or why it was not asked.
fn refused(error: AnswerError) -> StoreError {
    TrialError::from(error).into_store().unwrap_or_else(|error| StoreError::Refused(error.to_string()))
}
