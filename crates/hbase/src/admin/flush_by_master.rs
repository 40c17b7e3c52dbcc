//! Flushing through the master, which leaves the files alone.
//!
//! A server that is asked to flush a region begins to compact it when it finds many files; this way it does not, as with
//! HBase's own shell. The master has two ways to do it. The older one is taken where there is one: from the newer one,
//! `FlushTable`, it may not come back, and then keeps the table locked.

use bytes::Bytes;

use super::Admin;
use super::master::{about_table, ask_patiently};
use super::wait::Patience;
use crate::error::ServerException;
use crate::{Error, TableName, pb};

const SIGNATURE: &str = "flush-table-proc";
/// What the master says when others have it flush: it does few tables at a time.
const BUSY: [&str; 2] = ["Another flush procedure is running", "rejected from java.util.concurrent"];

impl Admin {
    /// Flushes all regions of a table, or one of its families, through the master, and waits until that is done. No
    /// server begins to compact after it, except where a region was being flushed already. A master flushes few tables at a
    /// time, so this may wait for its turn.
    pub async fn flush_table_by_master(&self, table: &TableName, family: Option<Bytes>) -> Result<(), Error> {
        // The master would find no regions to flush, and say nothing.
        if !self.is_table_enabled(table).await? {
            return Err(Error::TableNotEnabled(table.clone()));
        }
        let Some(procedure) = description(table, family.as_ref()) else {
            return self.flush_table(table, family).await;
        };
        let request = pb::ExecProcedureRequest { procedure };
        let mut patience = Patience::until(self.deadline());
        loop {
            let done =
                ask_patiently(&self.cluster, "ExecProcedure", &request, &mut self.long_attempts()).await;
            match done {
                // The master passes over regions that are being flushed already, for what came before.
                Ok(pb::ExecProcedureResponse {}) => return self.flush_table(table, family).await,
                Err(Error::Server(exception)) if is_busy(&exception) => {
                    patience.pause(|| format!("the master flushes other tables before {table}")).await?;
                }
                Err(Error::Server(exception)) if is_unknown(&exception) => {
                    return self.flush_table(table, family).await;
                }
                Err(error) => return Err(about_table(error, table)),
            }
        }
    }
}

/// `None` for a family whose name cannot be told to the master, which takes a comma for the end of it.
fn description(table: &TableName, family: Option<&Bytes>) -> Option<pb::ProcedureDescription> {
    let mut configuration = Vec::new();
    if let Some(family) = family {
        let value = std::str::from_utf8(family).ok().filter(|name| !name.contains(','))?.to_owned();
        configuration.push(pb::NameStringPair { name: "family".to_owned(), value });
    }
    let (signature, instance) = (SIGNATURE.to_owned(), Some(table.to_string()));
    Some(pb::ProcedureDescription { signature, instance, configuration })
}

fn is_busy(exception: &ServerException) -> bool {
    BUSY.iter().any(|words| exception.message.contains(words))
}

/// Whether the master does not know this way any more.
fn is_unknown(exception: &ServerException) -> bool {
    exception.simple_name() == "DoNotRetryIOException" && exception.message.contains(SIGNATURE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_told_by_its_name() {
        let table = "n:t".parse().unwrap();
        let described = description(&table, Some(&"f".into())).unwrap();
        assert_eq!((described.signature.as_str(), described.instance.as_deref()), (SIGNATURE, Some("n:t")));
        assert_eq!(described.configuration.len(), 1);
        assert!(description(&table, None).unwrap().configuration.is_empty());
        for untold in [&b"a,b"[..], b"\xff"] {
            assert!(description(&table, Some(&Bytes::from_static(untold))).is_none());
        }
    }
}
