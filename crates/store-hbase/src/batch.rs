//! What the results of a batch say together.

use tablesmith_store::wrap::Volume;
use tablesmith_store::{ActionAnswer, StoreError};

/// The reason for which no action was tried, if all failed for it.
pub(crate) fn common_refusal(answers: &mut Vec<Result<ActionAnswer, StoreError>>) -> Option<StoreError> {
    let is_of_table = |answer: &Result<ActionAnswer, StoreError>| {
        matches!(answer, Err(StoreError::TableNotFound(_) | StoreError::TableNotEnabled(_)))
    };
    if answers.iter().all(is_of_table) { answers.pop()?.err() } else { None }
}

/// What was written and what was read.
pub(crate) fn travelled(sent: &[Volume], answers: &[Result<ActionAnswer, StoreError>]) -> Volume {
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
