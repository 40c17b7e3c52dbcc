//! The store that is loaded: an embedded one whose servers are throttled, or a cluster as it is.

use std::path::PathBuf;
use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::TableName;
use tablesmith_store::Store;
use tablesmith_store::wrap::{Throttled, Wrapped};
use tablesmith_store_hbase::HbaseStore;
use tablesmith_verify::reproduce::keys::check::{model_of_store, predict};
use tablesmith_verify::reproduce::keys::designs::KeyDesign;
use tablesmith_verify::reproduce::keys::measured::{Measured, load, round_trip};
use tablesmith_verify::reproduce::keys::placed::Source;
use tablesmith_verify::reproduce::keys::point::{LoadPoint, Setting};
use tablesmith_verify::reproduce::keys::simulated::Model;

use super::{failed, refused};
use crate::failure::Failure;

/// Requests that a throttled server takes at once.
const BURST_REQUESTS: u32 = 20;
/// A batch has this share of the rows, as the paper's of 1,000 rows has …
const BATCHES: usize = 4_000;
/// … but not fewer rows than these.
const LEAST_BATCH_ROWS: usize = 20;

/// Where rows are loaded.
pub enum Place {
    /// An embedded store in a directory, each server with so many requests a second.
    Embedded {
        /// The directory.
        directory: PathBuf,
        /// What a server can do.
        requests_per_second: f64,
    },
    /// A cluster, at its address.
    Cluster(String),
}

/// Loads that were measured, and what was predicted of them.
pub struct Loads {
    /// What was measured.
    pub measured: Vec<Measured>,
    /// What was predicted of each; nothing where servers have no limit of their own.
    pub predicted: Vec<LoadPoint>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Place {
    /// How the store is named.
    pub fn address(&self) -> String {
        match self {
            Self::Embedded { requests_per_second, .. } => {
                format!("embedded, servers throttled to {requests_per_second} requests a second")
            }
            Self::Cluster(address) => address.clone(),
        }
    }

    /// Loads every design in each setting, one after another.
    pub async fn load_all(
        &self,
        source: &Source,
        settings: &[Setting],
        seed: u64,
        says: &mut dyn FnMut(String),
    ) -> Result<Loads, Failure> {
        let batch_rows = (source.rows / BATCHES).max(LEAST_BATCH_ROWS);
        let mut loads = Loads { measured: Vec::new(), predicted: Vec::new(), notes: Vec::new() };
        loads.notes.push(format!(
            "the store is loaded with {} rows of {} prefixes, in batches of {batch_rows}",
            source.rows, source.modulus
        ));
        for setting in settings {
            let (bare, setting) = self.open(*setting).await?;
            let model = self.model(&bare, source, batch_rows, seed).await?;
            for design in KeyDesign::ALL {
                says(format!("loading {} on {} servers", design.name(), setting.servers));
                let store = self.limited(&bare);
                let loaded = load(&store, &table("load")?, source, design, setting, batch_rows).await;
                let measured = loaded.map_err(failed)?;
                if let Some(model) = &model {
                    loads.predicted.push(predict(model, source, &measured).map_err(refused)?);
                }
                loads.measured.push(measured);
            }
        }
        if let Self::Cluster(_) = self {
            loads.notes.push(
                "the servers of the cluster have no limit of their own here: its load times are not checked against the \
                 simulator"
                    .to_owned(),
            );
        }
        Ok(loads)
    }

    /// The store without limits, and the setting with as many servers as it has.
    async fn open(&self, setting: Setting) -> Result<(Arc<dyn Store>, Setting), Failure> {
        match self {
            Self::Embedded { directory, .. } => {
                let options = EngineOptions { servers: setting.servers, ..EngineOptions::new(directory) };
                Ok((Arc::new(Engine::open(options)?), setting))
            }
            Self::Cluster(address) => {
                let store = HbaseStore::connect(address).await?;
                let servers = store.status().await?.servers.len().max(1);
                Ok((Arc::new(store), Setting { servers, ..setting }))
            }
        }
    }

    /// The store with limits, all servers fresh.
    fn limited(&self, bare: &Arc<dyn Store>) -> Arc<dyn Store> {
        match self {
            Self::Embedded { requests_per_second, .. } => {
                let throttled = Throttled::new(*requests_per_second, BURST_REQUESTS);
                Arc::new(Wrapped::new(Arc::clone(bare), throttled))
            }
            Self::Cluster(_) => Arc::clone(bare),
        }
    }

    /// What the simulator is to know of the store.
    async fn model(
        &self,
        bare: &Arc<dyn Store>,
        source: &Source,
        batch_rows: usize,
        seed: u64,
    ) -> Result<Option<Model>, Failure> {
        let Self::Embedded { requests_per_second, .. } = self else { return Ok(None) };
        let each = round_trip(bare, &table("trip")?, source, batch_rows).await.map_err(failed)?;
        Ok(Some(model_of_store(*requests_per_second, BURST_REQUESTS, each.as_secs_f64(), batch_rows, seed)))
    }
}

fn table(what: &str) -> Result<TableName, Failure> {
    let name = format!("tablesmith_keys_{what}");
    name.parse().map_err(|_| Failure::BadFile(format!("{name} is not a table's name")))
}
