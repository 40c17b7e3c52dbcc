//! Many actions at once, each with its own result.

use std::time::Instant;

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::wrap::Volume;
use tablesmith_store::{Action, ActionAnswer, Answer, StoreError};

use crate::error::About;
use crate::request::writes;
use crate::{HbaseStore, answer};

impl HbaseStore {
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
        let keys: Vec<Bytes> = actions.iter().map(|action| action.row().clone()).collect();
        let filters =
            actions.iter().any(|action| matches!(action, Action::Get(get) if get.read.filter.is_some()));
        let sensible = actions.into_iter().zip(&checks).filter(|(_, check)| check.is_ok());
        let asked = sensible.map(|(action, _)| writes::action(action)).collect();
        let mut replies = self.table(table)?.batch(asked).await.into_iter();
        let mut answers = Vec::with_capacity(checks.len());
        for (key, check) in keys.into_iter().zip(checks) {
            let lost = || Err(hbase::Error::Protocol("an action of a batch was not answered".to_owned()));
            answers.push(check.and_then(|()| {
                let reply = replies.next().unwrap_or_else(lost);
                reply
                    .map(|reply| answer::action(key, reply))
                    .map_err(|error| About::Table(table).failed(error))
            }));
        }
        if let Some(error) = common_refusal(&mut answers) {
            return Err(error);
        }
        let looked_at = (!filters).then(|| travelled(&sent, &answers));
        Ok(Answer { value: answers, stats: answer::stats(looked_at, None, begun.elapsed()) })
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
    use tablesmith_store::Row;

    #[test]
    fn only_a_table_that_is_not_there_refuses_a_batch_as_a_whole() {
        let not_found = || Err(StoreError::TableNotFound("t".parse().unwrap()));
        assert!(common_refusal(&mut vec![not_found(), not_found()]).is_some());
        assert!(common_refusal(&mut vec![not_found(), Ok(ActionAnswer::Row(Row::default()))]).is_none());
        assert!(common_refusal(&mut vec![Err(StoreError::Io("lost".to_owned()))]).is_none());
        assert!(common_refusal(&mut Vec::new()).is_none());
    }
}
