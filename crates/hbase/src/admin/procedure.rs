//! Procedures: what the master does step by step, to its end.

use prost::Message;

use super::Admin;
use super::master::{about_table, ask};
use super::wait::Patience;
use crate::attempts::Attempts;
use crate::error::ServerException;
use crate::retry_report::Purpose;
use crate::rpc::CallError;
use crate::{Error, TableName, nonce, pb};
use pb::get_procedure_result_response::State;

/// By these the master recognises a request that it has seen already: made once for an operation, the same in all its
/// attempts, so that a lost reply does not make it happen twice.
pub(super) struct Nonces {
    pub group: Option<u64>,
    pub nonce: Option<u64>,
}

impl Nonces {
    pub fn new() -> Self {
        Self { group: Some(nonce::group()), nonce: Some(nonce::next()) }
    }
}

impl Admin {
    /// Begins a procedure that concerns a table and waits until it is done. What was known of the table's regions is
    /// forgotten, however it ends.
    #[tracing::instrument(level = "debug", skip_all, fields(table = %table))]
    pub(super) async fn change_table(
        &self,
        table: &TableName,
        method: &'static str,
        request: &impl Message,
    ) -> Result<(), Error> {
        let done = self.run_procedure(method, request).await;
        self.cluster.cache.forget_table(table);
        done.map_err(|error| about_table(error, table))
    }

    /// Begins a procedure and waits until it is done.
    #[tracing::instrument(level = "debug", skip_all, fields(method = method))]
    pub(super) async fn run_procedure(
        &self,
        method: &'static str,
        request: &impl Message,
    ) -> Result<(), Error> {
        let mut attempts = self.long_attempts().about(Purpose::of_cluster(method));
        let begun: pb::ProcedureResponse = ask(&self.cluster, method, request, &mut attempts).await?;
        match begun.proc_id {
            Some(id) => self.wait_for_procedure(id, &mut attempts).await,
            None => Ok(()),
        }
    }

    pub(super) async fn wait_for_procedure(&self, id: u64, attempts: &mut Attempts<'_>) -> Result<(), Error> {
        let question = pb::GetProcedureResultRequest { proc_id: id };
        let mut patience = Patience::until(attempts.deadline());
        loop {
            let answer: pb::GetProcedureResultResponse =
                ask(&self.cluster, "getProcedureResult", &question, attempts).await?;
            if let Some(exception) = answer.exception {
                return Err(Error::Server(exception_of(exception)));
            }
            match answer.state() {
                State::Running => {
                    let unfinished = || format!("procedure {id} of the master is not done");
                    patience.pause(unfinished).await?;
                    attempts.report_unfinished(&CallError::NotDone(unfinished()), patience.so_far());
                }
                // The master forgets a procedure some time after it has told how it ended: that reply was lost.
                State::Finished | State::NotFound => return Ok(()),
            }
        }
    }
}

fn exception_of(exception: pb::ForeignExceptionMessage) -> ServerException {
    let generic = exception.generic_exception.unwrap_or_default();
    let class = generic.class_name.unwrap_or_default();
    let message = generic.message.unwrap_or_default();
    ServerException { class, message, do_not_retry: true, ..ServerException::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exception_of_a_procedure_keeps_class_and_message() {
        let generic = pb::GenericExceptionMessage {
            class_name: Some("org.apache.hadoop.hbase.TableExistsException".to_owned()),
            message: Some("t".to_owned()),
        };
        let message = pb::ForeignExceptionMessage { source: None, generic_exception: Some(generic) };
        assert_eq!(exception_of(message).to_string(), "TableExistsException: t");
    }

    #[test]
    fn each_operation_has_numbers_of_its_own() {
        let (one, other) = (Nonces::new(), Nonces::new());
        assert_eq!(one.group, other.group);
        assert_ne!(one.nonce, other.nonce);
    }
}
