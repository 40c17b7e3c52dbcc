//! The suite that every store passes: one check for each rule, all with explicit timestamps, each in tables of its
//! own, so that it also runs on a store that others use at the same time.
//!
//! The rules are HBase's. [`CHECKS`] is the list; [`run`] tries a store with all of them and tells every rule that is
//! broken, not just the first. A store's clock must be past the year 2001: a timestamp from there on is taken for one
//! that the store set.

mod check;
mod lab;
mod registry;
mod report;
mod requests;
mod table;

mod admin;
mod aggregation;
mod alter;
mod atomic_batch;
mod batch;
mod batch_limit;
mod check_and_mutate;
mod counters;
mod deletes;
mod errors;
mod filter_lists;
mod filters_of_cells;
mod filters_of_columns;
mod filters_of_rows;
mod flush_compact;
mod keep_deleted;
mod markers;
mod namespaces;
mod regions;
mod reverse;
mod row_mutations;
mod scans;
mod selection;
mod stats;
mod time_range;
mod ttl;
mod versions;

use std::time::Duration;

pub use check::Check;
use lab::Lab;
pub use registry::CHECKS;
pub use report::{Failure, Report};

use tablesmith_store::{Store, StoreError};

/// How to run the suite.
#[derive(Clone, Debug)]
pub struct Options {
    /// The suite makes a namespace of this name and a number.
    pub prefix: String,
    /// Only checks whose `theme::name` contains this.
    pub only: String,
    /// A check that takes longer has failed.
    pub timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { prefix: "conformance".to_owned(), only: String::new(), timeout: Duration::from_secs(120) }
    }
}

/// Tries a store with all checks.
pub async fn run(store: &dyn Store) -> Report {
    run_with(store, &Options::default()).await
}

/// Tries a store with some checks.
pub async fn run_with(store: &dyn Store, options: &Options) -> Report {
    let mut report = Report::default();
    let namespace = match own_namespace(store, &options.prefix).await {
        Ok(namespace) => namespace,
        Err(error) => {
            report.failures.push(Failure { check: "namespace".to_owned(), message: error.to_string() });
            return report;
        }
    };
    for check in CHECKS.iter().filter(|check| check.full_name().contains(&options.only)) {
        try_check(store, &namespace, check, options.timeout, &mut report).await;
    }
    if let Err(error) = store.drop_namespace(&namespace).await {
        report.leftovers.push(format!("namespace {namespace}: {error}"));
    }
    report
}

/// Runs one check and clears up after it, however it ends.
async fn try_check(store: &dyn Store, namespace: &str, check: &Check, limit: Duration, report: &mut Report) {
    let lab = Lab::new(store, namespace, check.name);
    let broken = match tokio::time::timeout(limit, (check.run)(&lab)).await {
        Ok(Ok(())) => None,
        Ok(Err(broken)) => Some(broken.0),
        Err(_) => Some(format!("it takes longer than {limit:?}")),
    };
    match broken {
        None => report.passed.push(check.full_name()),
        Some(message) => report.failures.push(Failure { check: check.full_name(), message }),
    }
    report.leftovers.extend(lab.clear().await);
}

/// Makes a namespace that was not there: another run may be under way, or may have left one behind.
async fn own_namespace(store: &dyn Store, prefix: &str) -> Result<String, StoreError> {
    let taken = store.list_namespaces().await?;
    let mut number: u64 = 0;
    loop {
        let namespace = format!("{prefix}_{number}");
        number += 1;
        if taken.contains(&namespace) {
            continue;
        }
        match store.create_namespace(&namespace).await {
            Ok(()) => return Ok(namespace),
            Err(StoreError::NamespaceExists(_)) => {}
            Err(error) => return Err(error),
        }
    }
}
