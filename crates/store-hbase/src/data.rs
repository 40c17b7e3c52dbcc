//! Reading and writing rows.

use std::time::Instant;

use tablesmith_model::TableName;
use tablesmith_store::wrap::Volume;
use tablesmith_store::{
    Action, ActionAnswer, Answer, CheckAndMutate, CheckOutcome, Get, Mutation, Row, RowMutations, Scan,
    Scanner, StoreError,
};

use crate::HbaseStore;
use crate::answer;
use crate::error::About;
use crate::request::{reads, writes};
use crate::scanner::ClusterScanner;

impl HbaseStore {
    pub(crate) async fn get_row(&self, table: &TableName, get: &Get) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        reads::check_get(get)?;
        let found = self.table(table)?.get(reads::get(get)).await;
        let row = answer::row(found.map_err(|error| About::Table(table).failed(error))?);
        let travelled = Volume::of_row(&row);
        Ok(answer::of_region(row, travelled, begun))
    }

    pub(crate) async fn has_row(&self, table: &TableName, get: &Get) -> Result<Answer<bool>, StoreError> {
        let begun = Instant::now();
        reads::check_get(get)?;
        let found = self.table(table)?.exists(reads::get(get)).await;
        let found = found.map_err(|error| About::Table(table).failed(error))?;
        Ok(answer::of_region(found, Volume::default(), begun))
    }

    pub(crate) async fn mutate(
        &self,
        table: &TableName,
        mutation: Mutation,
    ) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        writes::check_mutation(table, &mutation)?;
        let travelled = Volume::of_mutation(&mutation);
        let client = self.table(table)?;
        let row = mutation.row().clone();
        let nothing = |()| hbase::Row { key: row, cells: Vec::new() };
        let written = match writes::mutation(mutation) {
            hbase::Mutation::Put(put) => client.put(put).await.map(nothing),
            hbase::Mutation::Delete(delete) => client.delete(delete).await.map(nothing),
            hbase::Mutation::Increment(increment) => client.increment(increment).await,
            hbase::Mutation::Append(append) => client.append(append).await,
        };
        let row = answer::row(written.map_err(|error| About::Table(table).failed(error))?);
        Ok(answer::of_region(row, travelled, begun))
    }

    pub(crate) async fn mutate_atomically(
        &self,
        table: &TableName,
        mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        writes::check_row_mutations(table, &mutations)?;
        let travelled = Volume::of_row_mutations(&mutations);
        let written = self.table(table)?.mutate_row(writes::row_mutations(mutations)).await;
        let row = answer::row(written.map_err(|error| About::Table(table).failed(error))?);
        Ok(answer::of_region(row, travelled, begun))
    }

    pub(crate) async fn check_then_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        let begun = Instant::now();
        writes::check_condition(table, &check)?;
        let sent = Volume::of_row_mutations(&check.then);
        let outcome = self.table(table)?.check_and_mutate(writes::check_and_mutate(check)).await;
        let outcome = answer::checked(outcome.map_err(|error| About::Table(table).failed(error))?);
        let travelled = if outcome.success { sent } else { Volume::default() };
        Ok(answer::of_region(outcome, travelled, begun))
    }

    pub(crate) fn begin_scan(&self, table: &TableName, scan: &Scan) -> Result<Box<dyn Scanner>, StoreError> {
        reads::check_scan(scan)?;
        let rows = self.table(table)?.scan(reads::scan(scan));
        Ok(Box::new(ClusterScanner::new(rows, table.clone())))
    }

    /// Each action has its own result. That there is no such table, or that it does not answer, is said once.
    pub(crate) async fn run_batch(
        &self,
        table: &TableName,
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        let begun = Instant::now();
        let checks: Vec<Result<(), StoreError>> =
            actions.iter().map(|action| writes::check_action(table, action)).collect();
        let sent: Vec<Volume> = actions.iter().map(Volume::of_action).collect();
        let sensible = actions.into_iter().zip(&checks).filter(|(_, check)| check.is_ok());
        let asked = sensible.map(|(action, _)| writes::action(action)).collect();
        let mut replies = self.table(table)?.batch(asked).await.into_iter();
        let mut answers = Vec::with_capacity(checks.len());
        for check in checks {
            let lost = || Err(hbase::Error::Protocol("an action of a batch was not answered".to_owned()));
            answers.push(check.and_then(|()| {
                let reply = replies.next().unwrap_or_else(lost);
                reply.map(answer::action).map_err(|error| About::Table(table).failed(error))
            }));
        }
        if let Some(error) = common_refusal(&mut answers) {
            return Err(error);
        }
        let travelled = travelled(&sent, &answers);
        Ok(Answer { value: answers, stats: answer::stats(travelled, None, begun) })
    }
}

/// The reason for which no action was tried, if all failed for it.
fn common_refusal(answers: &mut Vec<Result<ActionAnswer, StoreError>>) -> Option<StoreError> {
    let is_of_table = |answer: &Result<ActionAnswer, StoreError>| {
        matches!(answer, Err(StoreError::TableNotFound(_) | StoreError::TableNotEnabled(_)))
    };
    if answers.iter().all(is_of_table) { answers.pop()?.err() } else { None }
}

/// What was written and what was read.
fn travelled(sent: &[Volume], answers: &[Result<ActionAnswer, StoreError>]) -> Volume {
    let of_pair = |(sent, answer): (&Volume, &Result<ActionAnswer, StoreError>)| match answer {
        // What a write gives back is what it has written.
        Ok(ActionAnswer::Row(row)) if *sent == Volume::default() => Volume::of_row(row),
        Ok(ActionAnswer::Row(_)) => *sent,
        Ok(ActionAnswer::Checked(outcome)) if outcome.success => *sent,
        Ok(ActionAnswer::Checked(_)) | Err(_) => Volume::default(),
    };
    sent.iter().zip(answers).map(of_pair).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_table_that_is_not_there_refuses_a_batch_as_a_whole() {
        let not_found = || Err(StoreError::TableNotFound("t".parse().unwrap()));
        assert!(common_refusal(&mut vec![not_found(), not_found()]).is_some());
        assert!(common_refusal(&mut vec![not_found(), Ok(ActionAnswer::Row(Row::default()))]).is_none());
        assert!(common_refusal(&mut vec![Err(StoreError::Io("lost".to_owned()))]).is_none());
        assert!(common_refusal(&mut Vec::new()).is_none());
    }
}
