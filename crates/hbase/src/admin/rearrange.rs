//! Puts other regions in the place of old ones: what splits and merges have in common.

use std::time::{Duration, Instant};

use prost::Message;

use super::Admin;
use super::master::ask_patiently;
use super::procedure::Nonces;
use super::region_server::{ask, specifier};
use super::wait::Patience;
use crate::cluster::Cluster;
use crate::region::meta::MetaRow;
use crate::retry_report::{LIST_REGIONS, Purpose};
use crate::rpc::CallError;
use crate::{Error, Location, Region, TableName, pb};

/// A region that came of a split or merge can be split or merged again when its files are its own and the old ones are
/// put away, which servers do every 2 minutes; one that is on its way, when it has arrived. We wait for it so long.
const SETTLING: Duration = Duration::from_secs(150);
/// What the master says of a region that it does not know.
const UNKNOWN_REGION: &str = "UnknownRegionException";

impl Admin {
    /// Lets the master replace regions of one table, and waits until the new ones are served. Returns those.
    pub(super) async fn rearrange<R: Message>(
        &self,
        old: &[Region],
        allowed: fn(&pb::GetRegionInfoResponse) -> bool,
        method: &'static str,
        request: impl Fn(Nonces) -> R,
    ) -> Result<Vec<Location>, Error> {
        let Some(Region { table, .. }) = old.first() else {
            return Err(Error::InvalidArgument("no regions are named".to_owned()));
        };
        let mut patience = Patience::until(self.deadline().min(Instant::now() + SETTLING));
        let mut cleaned = false;
        loop {
            // When it is not so in time, the master says why.
            while !self.all_are(table, old, allowed).await? && patience.pause(String::new).await.is_ok() {}
            match self.change_table(table, method, &request(Nonces::new())).await {
                Ok(()) => return self.wait_for_successors(table, old).await,
                Err(error) => match hindrance(&error) {
                    Some(Hindrance::OnItsWay) => patience.pause(String::new).await.map_err(|_| error)?,
                    Some(Hindrance::MergedBefore) => {
                        if !std::mem::replace(&mut cleaned, true) {
                            self.clean_catalog().await?;
                        }
                        patience.pause(String::new).await.map_err(|_| error)?;
                    }
                    // The reply to a request that was carried out may have been lost: asked again, the master does not know the
                    // old regions any more, which it finds before it sees that it is the same request.
                    Some(Hindrance::Unknown) if self.are_gone(table, old).await? => {
                        return self.wait_for_successors(table, old).await;
                    }
                    Some(Hindrance::Unknown) | None => return Err(error),
                },
            }
        }
    }

    /// Lets the master clear `hbase:meta` of what earlier splits and merges left, which it does every 5 minutes.
    async fn clean_catalog(&self) -> Result<(), Error> {
        let request = pb::RunCatalogScanRequest {};
        let reply = ask_patiently(&self.cluster, "RunCatalogScan", &request, &mut self.long_attempts()).await;
        reply.map(|pb::RunCatalogScanResponse { .. }| ())
    }

    /// Whether regions answer and allow it. One that is not there any more is the master's to complain of.
    async fn all_are(
        &self,
        table: &TableName,
        regions: &[Region],
        allowed: fn(&pb::GetRegionInfoResponse) -> bool,
    ) -> Result<bool, Error> {
        let now = self
            .cluster
            .all_regions(table, &mut self.attempts().about(Purpose::of_table(LIST_REGIONS, table)))
            .await?;
        for row in now.into_iter().filter(|row| regions.iter().any(|region| region.name == row.region.name)) {
            let Some(location) = row.location() else { return Ok(false) };
            let info = region_info(&self.cluster, &location, self.deadline()).await;
            if !info.is_ok_and(|info| allowed(&info)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether none of these regions is left.
    async fn are_gone(&self, table: &TableName, old: &[Region]) -> Result<bool, Error> {
        let now = self
            .cluster
            .all_regions(table, &mut self.attempts().about(Purpose::of_table(LIST_REGIONS, table)))
            .await?;
        Ok(!now.iter().any(|row| old.iter().any(|region| region.name == row.region.name)))
    }

    async fn wait_for_successors(&self, table: &TableName, old: &[Region]) -> Result<Vec<Location>, Error> {
        let mut attempts = self.long_attempts().about(Purpose::of_table(LIST_REGIONS, table));
        let mut patience = Patience::until(attempts.deadline());
        loop {
            let now = self.cluster.all_regions(table, &mut attempts).await?;
            if let Some(new) = successors(now, old)
                && self.all_answer(&new).await
            {
                return Ok(new);
            }
            patience.pause(|| format!("new regions of {table} are not served yet")).await?;
        }
    }

    async fn all_answer(&self, regions: &[Location]) -> bool {
        for location in regions {
            if region_info(&self.cluster, location, self.deadline()).await.is_err() {
                return false;
            }
        }
        true
    }
}

/// What a region server knows of a region.
async fn region_info(
    cluster: &Cluster,
    location: &Location,
    deadline: Instant,
) -> Result<pb::GetRegionInfoResponse, CallError> {
    let region = specifier(location);
    let request = pb::GetRegionInfoRequest { region, compaction_state: None, best_split_row: None };
    ask(cluster, &location.address, "GetRegionInfo", &request, deadline).await
}

/// Why the master refuses, where it passes.
#[derive(Debug, PartialEq, Eq)]
enum Hindrance {
    /// A region goes from one server to another.
    OnItsWay,
    /// A region came of a merge, and `hbase:meta` still remembers of which ones.
    MergedBefore,
    /// The master does not know a region: it was replaced, perhaps by ourselves.
    Unknown,
}

/// HBase has no classes of exceptions for most of these: only their texts tell.
fn hindrance(error: &Error) -> Option<Hindrance> {
    let Error::Server(exception) = error else { return None };
    if error.exception() == Some(UNKNOWN_REGION) {
        return Some(Hindrance::Unknown);
    }
    let says = |text: &str| exception.message.contains(text);
    match (says("is not OPEN"), says("has a merge qualifier")) {
        (true, _) => Some(Hindrance::OnItsWay),
        (_, true) => Some(Hindrance::MergedBefore),
        _ => None,
    }
}

/// What stands in the place of old regions; `None` as long as one of them is left or a new one has no server.
fn successors(now: Vec<MetaRow>, old: &[Region]) -> Option<Vec<Location>> {
    let new = now.into_iter().filter(|row| old.iter().any(|region| region.overlaps(&row.region)));
    new.map(|row| if old.iter().any(|region| region.name == row.region.name) { None } else { row.location() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HostPort, ServerException, ServerName};

    fn row(start: &'static str, end: &'static str, id: u64, served: bool) -> MetaRow {
        let name = format!("t,{start},{id}").into();
        let region = Region { start: start.into(), end: end.into(), id, name, ..Region::meta() };
        let server = served.then(|| ServerName { address: HostPort::new("h", 1), start_code: 1 });
        MetaRow { region, server }
    }

    #[test]
    fn a_split_is_over_when_its_parent_is_gone_and_both_daughters_are_served() {
        let old = [row("b", "d", 1, true).region];
        let others = || vec![row("", "b", 1, true), row("d", "", 1, false)];
        let with = |more: Vec<MetaRow>| others().into_iter().chain(more).collect::<Vec<_>>();
        assert!(successors(with(vec![row("b", "d", 1, true)]), &old).is_none());
        assert!(successors(with(vec![row("b", "c", 2, true), row("c", "d", 2, false)]), &old).is_none());
        let new = successors(with(vec![row("b", "c", 2, true), row("c", "d", 2, true)]), &old).unwrap();
        assert_eq!(new.len(), 2);
    }

    #[test]
    fn what_passes_is_waited_for() {
        let error = |message: &str| {
            Error::Server(ServerException { message: message.to_owned(), ..Default::default() })
        };
        assert_eq!(hindrance(&error("f28d is not OPEN; state=CLOSED")), Some(Hindrance::OnItsWay));
        assert_eq!(
            hindrance(&error("a parent, [1], has a merge qualifier (…")),
            Some(Hindrance::MergedBefore)
        );
        assert_eq!(hindrance(&error("f28d NOT splittable")), None);
        let class = "org.apache.hadoop.hbase.UnknownRegionException".to_owned();
        let unknown = Error::Server(ServerException { class, ..Default::default() });
        assert_eq!(hindrance(&unknown), Some(Hindrance::Unknown), "a merge whose reply was lost");
    }
}
