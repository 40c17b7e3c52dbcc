//! A table: reading and writing its rows.

use std::sync::Arc;

use crate::attempts::Attempts;
use crate::cluster::Cluster;
use crate::region::cache::Seek;
use crate::request::{self, ActionReply, Checked, reads};
use crate::retry_report::{LIST_REGIONS, Purpose};
use crate::rpc::{CallError, Service, Step, StepReply, Target};
use crate::scan::Scanner;
use crate::{
    Action, Append, CheckAndMutate, Delete, Error, Get, Increment, Location, Mutation, Put, Row,
    RowMutations, Scan, TableName,
};

/// A table. Cheap to clone; all clones share the client's connections.
#[derive(Clone)]
pub struct Table {
    pub(crate) cluster: Arc<Cluster>,
    pub(crate) name: TableName,
}

impl Table {
    /// Its name.
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// Reads a row; no cells when there is nothing.
    pub async fn get(&self, get: Get) -> Result<Row, Error> {
        let reply = self.run(Action::Get(get)).await?;
        Ok(Row { cells: reply.cells })
    }

    /// Whether a get would find anything.
    pub async fn exists(&self, get: Get) -> Result<bool, Error> {
        get.check()?;
        let reply = self.ask(&get.row, Step::Get(reads::get(&get, true))).await?;
        Ok(reply.exists.unwrap_or(!reply.cells.is_empty()))
    }

    /// Writes values.
    pub async fn put(&self, put: Put) -> Result<(), Error> {
        self.run(Action::Mutate(Mutation::Put(put))).await.map(drop)
    }

    /// Hides values.
    pub async fn delete(&self, delete: Delete) -> Result<(), Error> {
        self.run(Action::Mutate(Mutation::Delete(delete))).await.map(drop)
    }

    /// Adds to counters and returns them.
    pub async fn increment(&self, increment: Increment) -> Result<Row, Error> {
        self.run_for_row(Mutation::Increment(increment)).await
    }

    /// Appends to values and returns them.
    pub async fn append(&self, append: Append) -> Result<Row, Error> {
        self.run_for_row(Mutation::Append(append)).await
    }

    /// Writes several things to one row, all or nothing. Returns the new values of increments and appends.
    pub async fn mutate_row(&self, mutations: RowMutations) -> Result<Row, Error> {
        let reply = self.run(Action::RowMutations(mutations)).await?;
        Ok(Row { cells: reply.cells })
    }

    /// Writes to a row if it is as expected, in one step.
    ///
    /// When the answer is lost it is not sent again, since the second time the condition could fail because of the
    /// first: the error is then [`Error::Ambiguous`].
    pub async fn check_and_mutate(&self, check: CheckAndMutate) -> Result<Checked, Error> {
        let reply = self.run(Action::CheckAndMutate(check)).await?;
        Ok(checked(reply))
    }

    /// Begins a scan. Nothing is sent before the first rows are asked for… the task behind it begins at once.
    pub fn scan(&self, scan: Scan) -> Scanner {
        Scanner::start(self.cluster.clone(), self.name.clone(), scan)
    }

    /// Does many things, on any rows and servers, each with its own result, in the order given. Not atomic as a whole.
    pub async fn batch(&self, actions: Vec<Action>) -> Vec<Result<ActionReply, Error>> {
        crate::batch::run(&self.cluster, &self.name, actions).await
    }

    /// The regions of the table in key order, as `hbase:meta` tells now; regions that nobody serves are left out.
    pub async fn regions(&self) -> Result<Vec<Location>, Error> {
        let mut attempts = self.attempts(LIST_REGIONS);
        let regions = self.cluster.all_regions(&self.name, &mut attempts).await?;
        Ok(regions.into_iter().filter_map(crate::region::meta::MetaRow::location).collect())
    }

    async fn run_for_row(&self, mutation: Mutation) -> Result<Row, Error> {
        let reply = self.run(Action::Mutate(mutation)).await?;
        Ok(Row { cells: reply.cells })
    }

    async fn run(&self, action: Action) -> Result<StepReply, Error> {
        let step = request::step(&action)?;
        self.ask(action.row(), step).await
    }

    /// Asks the region of a row, until it answers or the time is up.
    #[tracing::instrument(level = "debug", skip_all, fields(table = %self.name))]
    async fn ask(&self, row: &[u8], step: Step) -> Result<StepReply, Error> {
        let step = Arc::new(step);
        let mut attempts = self.attempts(step.name());
        loop {
            let location = self.cluster.locate(&self.name, Seek::Row(row), &mut attempts).await?;
            match self.ask_once(&location, step.clone(), &attempts).await {
                Ok(reply) => return Ok(reply),
                Err(failure) if is_ambiguous(&step, &failure) => {
                    return Err(Error::Ambiguous(Box::new(failure)));
                }
                Err(failure) => drop(attempts.failed(failure, Some(&location)).await?),
            }
        }
    }

    fn attempts(&self, operation: &'static str) -> Attempts<'_> {
        let timeout = self.cluster.config.operation_timeout;
        Attempts::new(&self.cluster, Purpose::of_table(operation, &self.name), timeout)
    }

    async fn ask_once(
        &self,
        location: &Arc<Location>,
        step: Arc<Step>,
        attempts: &Attempts<'_>,
    ) -> Result<StepReply, CallError> {
        let connection = self.cluster.pool.connection(&location.address, Service::Client).await?;
        let target = Target { region_name: location.region.name.clone(), step };
        let results = connection.ask(vec![target], attempts.attempt_deadline()).await;
        let none = || Err(CallError::Unanswered(location.address.clone()));
        results.into_iter().next().unwrap_or_else(none)
    }
}

/// Sending a condition again after its answer was lost could answer "no" although it happened.
pub(crate) fn is_ambiguous(step: &Step, failure: &CallError) -> bool {
    matches!(step, Step::Atomic { condition: Some(_), .. }) && failure.may_have_happened()
}

pub(crate) fn checked(reply: StepReply) -> Checked {
    Checked { success: reply.processed.unwrap_or_default(), row: Row { cells: reply.cells } }
}
