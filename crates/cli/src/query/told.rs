//! What went wrong, as the program tells it.

use tablesmith_access::AccessError;
use tablesmith_access::answer::AnswerError;
use tablesmith_sql::executable::{Problem, StatementError};
use tablesmith_store::StoreError;

use crate::failure::Failure;
use crate::pointer::Pointer;

/// A statement that cannot be executed, with the position of the problem.
pub fn at_position(sql: &str, error: &StatementError) -> Failure {
    let message = match &error.problem {
        Problem::NoValue { name, .. } => format!("{}, as --param {name}=VALUE", error.problem),
        problem => problem.to_string(),
    };
    let Some(position) = error.position else { return Failure::BadFile(message) };
    let line = usize::try_from(position.line.saturating_sub(1)).ok().and_then(|line| sql.lines().nth(line));
    let pointer = Pointer {
        path: &"sql",
        line: position.line,
        column: position.column,
        width: usize::try_from(position.chars).unwrap_or(1),
        text: line.unwrap_or_default(),
        message: &message,
        expected: "",
    };
    Failure::BadFile(pointer.draw())
}

/// A statement that is not answered: the store failed, or the design does not have what is asked.
pub fn failure(error: AnswerError) -> Failure {
    match error {
        AnswerError::Store(StoreError::TableNotFound(table))
        | AnswerError::Access(AccessError::Store(StoreError::TableNotFound(table))) => {
            Failure::NoTables(table)
        }
        AnswerError::Store(error) | AnswerError::Access(AccessError::Store(error)) => Failure::Store(error),
        // The disk is full or the directory is closed: nothing is wrong with the statement.
        error @ AnswerError::Spill { .. } => Failure::Store(StoreError::Io(error.to_string())),
        other => Failure::BadFile(other.to_string()),
    }
}
