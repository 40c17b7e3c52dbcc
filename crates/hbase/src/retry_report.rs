//! What the client tells about an operation that it tries again.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::{CallError, HostPort, TableName};

/// An operation that failed or is not done and is tried again: what, where, how often, until when.
#[derive(Clone, Copy, Debug)]
pub struct RetryReport<'a> {
    /// What is tried: a call of HBase's protocol or an operation of this client.
    pub operation: &'static str,
    /// The table that it is about, if it is about one.
    pub table: Option<&'a TableName>,
    /// The server that failed, if one is known.
    pub server: Option<&'a HostPort>,
    /// How many attempts failed.
    pub attempts: u32,
    /// For how long it has been tried.
    pub elapsed: Duration,
    /// After this time it is given up.
    pub remaining: Duration,
    /// Why the last attempt failed.
    pub failure: &'a CallError,
}

/// Is told of every retry. It is called between attempts and must not block.
pub type RetryObserver = Arc<dyn Fn(&RetryReport<'_>) + Send + Sync>;

impl fmt::Display for RetryReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.operation)?;
        if let Some(table) = self.table {
            write!(f, " on table {table}")?;
        }
        if let Some(server) = self.server {
            write!(f, " at {server}")?;
        }
        if let CallError::NotDone(what) = self.failure {
            let (elapsed, remaining) = (self.elapsed.as_secs_f64(), self.remaining.as_secs_f64());
            return write!(f, ": {what} after {elapsed:.1} s, giving up in {remaining:.0} s");
        }
        let attempts = if self.attempts == 1 { "attempt" } else { "attempts" };
        write!(
            f,
            ": {} {attempts} failed in {:.1} s, giving up in {:.0} s; the last one: {}",
            self.attempts,
            self.elapsed.as_secs_f64(),
            self.remaining.as_secs_f64(),
            self.failure
        )
    }
}

/// What reading all regions of a table is called in reports.
pub(crate) const LIST_REGIONS: &str = "listing the regions";

/// What an operation does, for reports about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose<'a> {
    pub operation: &'static str,
    pub table: Option<&'a TableName>,
}

impl<'a> Purpose<'a> {
    pub fn of_cluster(operation: &'static str) -> Self {
        Self { operation, table: None }
    }

    pub fn of_table(operation: &'static str, table: &'a TableName) -> Self {
        Self { operation, table: Some(table) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_what_where_how_often_and_until_when() {
        let server = HostPort::new("h", 16_000);
        let report = RetryReport {
            operation: "scan",
            table: Some(&"n:t".parse().unwrap()),
            server: Some(&server),
            attempts: 7,
            elapsed: Duration::from_millis(3_210),
            remaining: Duration::from_millis(116_790),
            failure: &CallError::Lost { address: server.clone(), why: "reset".to_owned() },
        };
        assert_eq!(
            report.to_string(),
            "scan on table n:t at h:16000: 7 attempts failed in 3.2 s, giving up in 117 s; the last one: the connection \
             to h:16000 was lost: reset"
        );
    }
}
