//! Finds a region by its name.

use super::Admin;
use crate::error::ServerException;
use crate::region::META_ENCODED_NAME;
use crate::region::meta::MetaRow;
use crate::retry_report::Purpose;
use crate::{Comparator, CompareOp, Error, Filter, Location, Scan, TableName};

/// The one region that is not listed in `hbase:meta`.
const META_NAME: &str = "hbase:meta,,1";

impl Admin {
    /// Where a region is, by its name or its encoded name (the hash in it), as `hbase:meta` tells now.
    pub async fn region(&self, name: &str) -> Result<Location, Error> {
        if [META_NAME, META_ENCODED_NAME].contains(&name) {
            return self.meta().await;
        }
        let encoded = encoded_name(name).ok_or_else(|| unknown(name))?;
        let meta = crate::Table { cluster: self.cluster.clone(), name: TableName::meta() };
        let comparator = Comparator::regex(format!("\\.{encoded}\\.$"));
        let ends_so = Filter::Row(CompareOp::Equal, comparator);
        let mut rows = meta.scan(Scan::all().family("info").filter(ends_so));
        while let Some(row) = rows.next_row().await? {
            let entry = MetaRow::read(&row)
                .map_err(|error| Error::Protocol(format!("a row of hbase:meta: {error}")))?;
            if let Some(location) = entry.filter(|entry| !entry.region.offline).and_then(MetaRow::location) {
                return Ok(location);
            }
        }
        Err(unknown(name))
    }

    async fn meta(&self) -> Result<Location, Error> {
        let mut attempts = self.attempts().about(Purpose::of_cluster("finding hbase:meta"));
        loop {
            match self.cluster.meta_location(attempts.deadline()).await {
                Ok(location) => return Ok((*location).clone()),
                Err(failure) => drop(attempts.failed(failure, None).await?),
            }
        }
    }
}

/// The hash at the end of `table,start,id.hash.`, or the hash alone.
fn encoded_name(name: &str) -> Option<&str> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let hash = name.rsplit('.').next()?;
    (!hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(hash)
}

/// Told by the name that HBase has for it.
fn unknown(name: &str) -> Error {
    Error::Server(ServerException {
        class: "org.apache.hadoop.hbase.UnknownRegionException".to_owned(),
        message: name.to_owned(),
        do_not_retry: true,
        ..ServerException::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_a_long_and_a_short_name() {
        assert_eq!(encoded_name("t,a.b,17.0123abc."), Some("0123abc"));
        assert_eq!(encoded_name("0123abc"), Some("0123abc"));
        for nonsense in ["", ".", "t,a,17", "a b"] {
            assert_eq!(encoded_name(nonsense), None, "{nonsense}");
        }
    }
}
