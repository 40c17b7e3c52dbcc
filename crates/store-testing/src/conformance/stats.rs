//! What a store tells about its work: never something that is not so.

use std::time::Duration;

use tablesmith_store::{Get, OpStats, Scan};

use super::check::{Broken, Checked, done, holds};
use super::lab::Lab;
use super::requests::family;
use super::scans::with_rows;

/// A cluster tells its load a few seconds late.
const LOOKS: u32 = 100;
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Wants a number that is known to be at least so large.
fn at_least(what: &str, known: Option<u64>, least: u64) -> Checked {
    holds(format!("{what} is at least {least}, if known, not {known:?}"), known.is_none_or(|n| n >= least))
}

pub(super) async fn of_reads_count_what_was_read(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "m", "z"], ["m"]).await?;
    let stats: OpStats = done("get", table.store.get(&table.name, Get::new("a")).await)?.stats;
    at_least("cells of a get", stats.cells, 1)?;
    at_least("bytes of a get", stats.bytes, 1)?;
    holds("a get is about one region, if known", stats.regions.is_none_or(|regions| regions == 1))?;
    let stats = done("scan", table.store.scan_all(&table.name, Scan::all()).await)?.stats;
    at_least("cells of a scan", stats.cells, 4)?;
    holds("a scan is about two regions, if known", stats.regions.is_none_or(|regions| regions == 2))
}

pub(super) async fn of_regions_grow_with_the_work(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "c", "z"], ["m"]).await?;
    table.rows(Scan::all()).await?;
    let mut seen = Vec::new();
    for _ in 0..LOOKS {
        seen = table.regions().await?.iter().map(|region| region.load).collect();
        if let [first, second] = seen.as_slice()
            && first.writes >= 3
            && second.writes >= 1
            && first.reads >= 3
        {
            return Ok(());
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    Err(Broken(format!("the load of the regions does not show what was done: {seen:?}")))
}

pub(super) async fn of_servers_name_those_of_the_regions(lab: &Lab<'_>) -> Checked {
    let table = lab.table_split([family("f")], ["b", "c", "d"]).await?;
    let status = done("status", lab.store.status().await)?;
    holds("a store says what it is", !status.store.is_empty())?;
    for region in table.regions().await? {
        let named = status.servers.iter().any(|server| server.server == region.server);
        holds(format!("{} is a server of the status", region.server), named)?;
    }
    Ok(())
}
