//! A [`Store`](tablesmith_store::Store) over an Apache HBase cluster, through the native client.
//!
//! Requests go to the client as they are: both take the values of `hbase-types`. On the way back `answer` and
//! `error` make the store's rows and errors of the client's; `descriptor` translates tables both ways. `refusal` says what
//! HBase's own client would not send, `aggregate` and `select` work in all regions at once.

mod aggregate;
mod answer;
mod batch;
mod descriptor;
mod error;
mod in_regions;
mod quotas;
mod refusal;
mod regions;
mod scanner;
mod select;
mod store;

use error::About;
pub use hbase::{RetryObserver, RetryReport};
use tablesmith_model::TableName;
use tablesmith_store::StoreError;

/// A store in an HBase cluster. Cheap to clone; all clones share connections.
#[derive(Clone)]
pub struct HbaseStore {
    client: hbase::Client,
    /// Whether HBase's service is asked for all that it can tell, however many passes that takes.
    always_asks_regions: bool,
}

impl HbaseStore {
    /// Connects to a cluster, e.g. `hbase://localhost:16000` or `hbase+zk://localhost:2181/hbase`.
    pub async fn connect(address: &str) -> Result<Self, StoreError> {
        let client = hbase::Client::connect(address).await.map_err(|error| About::Cluster.failed(error))?;
        Ok(Self::new(client))
    }

    /// The same, with an observer that is told of every retry.
    pub async fn connect_observed(address: &str, observer: RetryObserver) -> Result<Self, StoreError> {
        let failed = |error| About::Cluster.failed(error);
        let mut config: hbase::Config = address.parse().map_err(failed)?;
        config.retry_observer = Some(observer);
        Ok(Self::new(hbase::Client::with_config(config).await.map_err(failed)?))
    }

    /// Whether an address has the right form; nothing is asked.
    pub fn check_address(address: &str) -> Result<(), StoreError> {
        let config = address.parse::<hbase::Config>().map_err(|error| About::Cluster.failed(error));
        config.map(drop)
    }

    /// A store over a client that is connected.
    pub fn new(client: hbase::Client) -> Self {
        Self { client, always_asks_regions: false }
    }

    /// The same, with all aggregates that HBase's own service can tell left to it, however many passes that takes: where its
    /// servers are many or its client is slow.
    pub fn asking_regions(self) -> Self {
        Self { always_asks_regions: true, ..self }
    }

    /// The id that the cluster gave itself.
    pub async fn cluster_id(&self) -> Result<String, StoreError> {
        self.client.cluster_id().await.map_err(|error| About::Cluster.failed(error))
    }

    fn table(&self, table: &TableName) -> hbase::Table {
        self.client.table_named(table.clone())
    }
}
