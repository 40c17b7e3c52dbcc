//! Does something with every region of a key range, in parallel, through splits, merges and moves.
//!
//! The range is cut where regions begin now. Each part is then done for itself: where its region has become several,
//! one after the other; where it has become part of a larger one, only the part's own rows. So every row of the range
//! is covered exactly once.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use tokio::task::JoinSet;

use super::Location;
use super::cache::Seek;
use super::range::KeyRange;
use crate::attempts::Attempts;
use crate::cluster::Cluster;
use crate::retry_report::{LIST_REGIONS, Purpose};
use crate::rpc::CallError;
use crate::{Error, TableName};

/// So many regions at the same time.
const PARALLEL_MAX: usize = 64;

/// What is done with a region.
pub(crate) trait RegionWork: Send + Sync + 'static {
    type Output: Send + 'static;

    /// What it is called in reports about retries.
    fn name(&self) -> &'static str;

    /// Does it once, for the rows of `part`, all of which the region has.
    fn run(
        &self,
        cluster: &Cluster,
        location: &Location,
        part: &KeyRange,
        deadline: Instant,
    ) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// Why it was not done.
pub(crate) enum Failure {
    /// A call failed: maybe it helps to look the region up again.
    Call(CallError),
    /// Trying again would not help.
    Final(Error),
}

impl From<CallError> for Failure {
    fn from(failure: CallError) -> Self {
        Self::Call(failure)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

/// Does it with every region of the range; the results are in key order.
#[tracing::instrument(level = "debug", skip_all, fields(table = %table))]
pub(crate) async fn each_region<W: RegionWork>(
    cluster: &Arc<Cluster>,
    table: &TableName,
    range: &KeyRange,
    work: W,
    deadline: Instant,
) -> Result<Vec<W::Output>, Error> {
    let mut parts = divide(cluster, table, range, deadline).await?.into_iter();
    let work = Arc::new(work);
    let mut tasks = JoinSet::new();
    let mut done = Vec::new();
    loop {
        for part in parts.by_ref().take(PARALLEL_MAX - tasks.len()) {
            tasks.spawn(do_part(cluster.clone(), table.clone(), part, work.clone(), deadline));
        }
        match tasks.join_next().await {
            Some(Ok(results)) => done.extend(results?),
            Some(Err(failure)) => return Err(Error::Protocol(failure.to_string())),
            None => break,
        }
    }
    done.sort_by(|(one, _), (other, _)| one.start.cmp(&other.start));
    Ok(done.into_iter().map(|(_, output)| output).collect())
}

/// Does it with the region of a row.
pub(crate) async fn region_of_row<W: RegionWork>(
    cluster: &Arc<Cluster>,
    table: &TableName,
    row: &Bytes,
    work: W,
    deadline: Instant,
) -> Result<W::Output, Error> {
    let done = do_part(cluster.clone(), table.clone(), KeyRange::row(row), Arc::new(work), deadline).await?;
    let output = done.into_iter().next().map(|(_, output)| output);
    output.ok_or_else(|| Error::Protocol("no region has the row".to_owned()))
}

/// Cuts the range where regions begin, and remembers where they are.
async fn divide(
    cluster: &Cluster,
    table: &TableName,
    range: &KeyRange,
    deadline: Instant,
) -> Result<Vec<KeyRange>, Error> {
    if table.is_meta() {
        return Ok(vec![range.clone()]);
    }
    let regions = cluster
        .all_regions(table, &mut Attempts::until(cluster, Purpose::of_table(LIST_REGIONS, table), deadline))
        .await?;
    if regions.is_empty() {
        return Err(Error::TableNotFound(table.clone()));
    }
    let parts = range.cut_at(regions.iter().map(|row| &row.region.start));
    for location in regions.into_iter().filter_map(|row| row.location()) {
        cluster.cache.insert(location);
    }
    Ok(parts)
}

type Done<T> = Vec<(KeyRange, T)>;

/// Does a part, in one piece as long as its region stays what it was.
async fn do_part<W: RegionWork>(
    cluster: Arc<Cluster>,
    table: TableName,
    mut rest: KeyRange,
    work: Arc<W>,
    deadline: Instant,
) -> Result<Done<W::Output>, Error> {
    let mut attempts = Attempts::until(&cluster, Purpose::of_table(work.name(), &table), deadline);
    let mut done = Vec::new();
    loop {
        let location = cluster.locate(&table, Seek::Row(&rest.start), &mut attempts).await?;
        let part = rest.up_to(&location.region.end);
        match work.run(&cluster, &location, &part, deadline).await {
            Ok(output) => {
                attempts.answered();
                let stop = part.stop.clone();
                done.push((part, output));
                if stop == rest.stop {
                    return Ok(done);
                }
                rest.start = stop;
            }
            Err(Failure::Call(failure)) => drop(attempts.failed(failure, Some(&location)).await?),
            Err(Failure::Final(error)) => return Err(error),
        }
    }
}
