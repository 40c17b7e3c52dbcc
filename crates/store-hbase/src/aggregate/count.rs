//! Counts rows in the region server, by the coprocessor that HBase brings along.

use std::collections::BTreeMap;
use std::time::Instant;

use tablesmith_store::{GroupKey, OpStats, Partial};

use super::{Part, RegionAnswer};
use crate::error::About;
use crate::request::reads;

/// What a server says whose tables do not have the coprocessor.
const NOT_INSTALLED: &str = "UnknownProtocolException";

impl Part {
    /// Counts rows of one cell each. Where the table does not have the coprocessor, a scan does it.
    pub(super) async fn count(self) -> RegionAnswer {
        let begun = Instant::now();
        match self.client.aggregate(reads::scan(&self.aggregate.scan)).row_count().await {
            Ok(rows) => {
                let stats = OpStats { regions: Some(1), time: Some(begun.elapsed()), ..OpStats::default() };
                Ok((self.partials(begun, groups(rows)), stats))
            }
            Err(error) if error.exception() == Some(NOT_INSTALLED) => self.scan().await,
            Err(error) => Err(About::Table(&self.table).failed(error)),
        }
    }
}

/// As a fold over the rows would have it: no group where nothing was counted.
fn groups(rows: u64) -> BTreeMap<GroupKey, Partial> {
    let counted = Partial { rows, cells: rows, ..Partial::default() };
    (rows > 0).then(|| (GroupKey::default(), counted)).into_iter().collect()
}
