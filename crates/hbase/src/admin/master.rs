//! Calls to the active master, whoever that is.

use std::time::Instant;

use prost::{Message, Name};

use crate::attempts::Attempts;
use crate::cluster::Cluster;
use crate::rpc::{CallError, CallOptions};
use crate::{Error, TableName};

/// Asks the active master until it answers or the time is up; when another master takes over, that one.
pub(super) async fn ask<R: Message + Name + Default>(
    cluster: &Cluster,
    method: &'static str,
    message: &impl Message,
    attempts: &mut Attempts<'_>,
) -> Result<R, Error> {
    loop {
        match ask_once(cluster, method, message, attempts, attempts.attempt_deadline()).await {
            Ok(reply) => {
                attempts.answered();
                return Ok(reply);
            }
            Err(failure) => attempts.failed_at_master(method, failure).await?,
        }
    }
}

/// The same for calls that take long, since the master answers only when all is done.
pub(super) async fn ask_patiently<R: Message + Name + Default>(
    cluster: &Cluster,
    method: &'static str,
    message: &impl Message,
    attempts: &mut Attempts<'_>,
) -> Result<R, Error> {
    loop {
        match ask_once(cluster, method, message, attempts, attempts.deadline()).await {
            Ok(reply) => {
                attempts.answered();
                return Ok(reply);
            }
            Err(failure) => attempts.failed_at_master(method, failure).await?,
        }
    }
}

async fn ask_once<R: Message + Name + Default>(
    cluster: &Cluster,
    method: &'static str,
    message: &impl Message,
    attempts: &Attempts<'_>,
    deadline: Instant,
) -> Result<R, CallError> {
    let connection = cluster.master(attempts.deadline()).await?;
    connection.call(method, message, CallOptions { deadline, priority: None }).await?.read()
}

/// Tells by its own error what a server says of a table that was asked for by name.
pub(super) fn about_table(error: Error, table: &TableName) -> Error {
    match error.exception() {
        Some("TableNotFoundException") => Error::TableNotFound(table.clone()),
        Some("TableNotEnabledException") => Error::TableNotEnabled(table.clone()),
        _ => error,
    }
}
