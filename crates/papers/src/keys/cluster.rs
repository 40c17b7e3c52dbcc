//! The store that is loaded: an embedded one whose servers are throttled, or a cluster, with quotas where it has them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::keys::check::{model_of_store, predict};
use crate::keys::designs::KeyDesign;
use crate::keys::measured::{Load, LoadError, Measured};
use crate::keys::placed::Source;
use crate::keys::point::{LoadPoint, Setting};
use crate::keys::simulated::Model;
use tablesmith_app::leftovers::TemporaryTables;
use tablesmith_app::{AppError, Context, open};
use tablesmith_engine::EngineOptions;
use tablesmith_model::TableName;
use tablesmith_store::Store;
use tablesmith_store::wrap::{Throttled, Wrapped};
use tablesmith_store_hbase::HbaseStore;

use crate::PaperError;

/// Requests that a throttled server takes at once.
const BURST_REQUESTS: u32 = 20;
/// A batch has this share of the rows, as the paper's of 1,000 rows has …
const BATCHES: usize = 4_000;
/// … but not fewer rows than these.
const LEAST_BATCH_ROWS: usize = 20;

/// A server of HBase reads a table's quota and fills up what it takes at once within this time.
const SETTLE: Duration = Duration::from_millis(2_500);

/// Where rows are loaded.
pub struct Place {
    /// What is loaded.
    pub kind: PlaceKind,
    /// Requests a second of each server.
    pub requests_per_second: u32,
}

/// Kinds of stores.
pub enum PlaceKind {
    /// An embedded store in a directory.
    Embedded(PathBuf),
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

/// A store that is open.
struct Opened {
    /// The store without limits, or with those that it has itself.
    store: Arc<dyn Store>,
    /// The setting with as many servers as there are.
    setting: Setting,
    limit: Limit,
}

/// How servers are limited.
enum Limit {
    /// By a wrapper of the store.
    Throttled,
    /// By the cluster's quotas, which are to be taken away at the end.
    Quota(HbaseStore),
    /// Not at all.
    Unlimited,
}

impl Place {
    /// How the store is named.
    pub fn address(&self) -> String {
        match &self.kind {
            PlaceKind::Embedded(_) => {
                format!("embedded, servers throttled to {} requests a second", self.requests_per_second)
            }
            PlaceKind::Cluster(address) => address.clone(),
        }
    }

    /// Loads every design in each setting, one after another.
    pub async fn load_all(
        &self,
        context: &Context,
        source: &Source,
        settings: &[Setting],
        seed: u64,
    ) -> Result<Loads, PaperError> {
        let batch_rows = (source.rows / BATCHES).max(LEAST_BATCH_ROWS);
        let mut loads = Loads { measured: Vec::new(), predicted: Vec::new(), notes: Vec::new() };
        loads.notes.push(format!(
            "the store is loaded with {} rows of {} prefixes, in batches of {batch_rows}",
            source.rows, source.modulus
        ));
        let table = free_table()?;
        for setting in settings {
            let opened = self.open(context, *setting, &table).await?;
            let load = |design| Load {
                store: Arc::clone(&opened.store),
                table: table.clone(),
                source: source.clone(),
                design,
                setting: opened.setting,
                batch_rows,
                settle: opened.limit.settle(),
            };
            let load_once = load(KeyDesign::Md5Mod);
            let each = to_its_end(context, &load_once, load_once.round_trip()).await?;
            self.load_designs(context, &opened, load, each, seed, &mut loads).await?;
            loads.notes.extend(opened.limit.note(self.requests_per_second));
        }
        loads.notes.dedup();
        Ok(loads)
    }

    async fn load_designs(
        &self,
        context: &Context,
        opened: &Opened,
        load: impl Fn(KeyDesign) -> Load,
        each: Duration,
        seed: u64,
        loads: &mut Loads,
    ) -> Result<(), PaperError> {
        for design in KeyDesign::ALL {
            let (name, servers) = (design.name(), opened.setting.servers);
            context.progress.detail(&format!("loading {name} on {servers} servers"));
            let load = Load { store: self.limited(opened), table: free_table()?, ..load(design) };
            opened.limit.begin(&load.table, self.requests_per_second).await?;
            // HBase removes the limit together with the table, which the load does.
            let measured = to_its_end(context, &load, load.run()).await?;
            if let Some(model) = self.model(&opened.limit, each, load.batch_rows, seed) {
                loads.predicted.push(predict(&model, &load.source, &measured)?);
            }
            loads.measured.push(measured);
        }
        Ok(())
    }

    async fn open(
        &self,
        context: &Context,
        setting: Setting,
        table: &TableName,
    ) -> Result<Opened, PaperError> {
        match &self.kind {
            PlaceKind::Embedded(directory) => {
                let options = EngineOptions { servers: setting.servers, ..EngineOptions::new(directory) };
                Ok(Opened {
                    store: Arc::new(open::engine(context, options).await?),
                    setting,
                    limit: Limit::Throttled,
                })
            }
            PlaceKind::Cluster(address) => {
                let store = open::cluster(context, address).await?;
                let servers = store.status().await?.servers.len().max(1);
                let limit = match store.limit_writes(table, None).await? {
                    true => Limit::Quota(store.clone()),
                    false => Limit::Unlimited,
                };
                Ok(Opened { store: Arc::new(store), setting: Setting { servers, ..setting }, limit })
            }
        }
    }

    /// The store with limits, all servers fresh.
    fn limited(&self, opened: &Opened) -> Arc<dyn Store> {
        match opened.limit {
            Limit::Throttled => {
                let throttled = Throttled::new(f64::from(self.requests_per_second), BURST_REQUESTS);
                Arc::new(Wrapped::new(Arc::clone(&opened.store), throttled))
            }
            Limit::Quota(_) | Limit::Unlimited => Arc::clone(&opened.store),
        }
    }

    /// What the simulator is to know of the store.
    fn model(&self, limit: &Limit, each: Duration, batch_rows: usize, seed: u64) -> Option<Model> {
        let burst_requests = match limit {
            Limit::Throttled => BURST_REQUESTS,
            // A second's worth after a quiet second.
            Limit::Quota(_) => self.requests_per_second,
            Limit::Unlimited => return None,
        };
        let rate = f64::from(self.requests_per_second);
        Some(model_of_store(rate, burst_requests, each.as_secs_f64(), batch_rows, seed))
    }
}

/// Does the work of a load unless it is cancelled, and drops its table then.
async fn to_its_end<T>(
    context: &Context,
    load: &Load,
    work: impl Future<Output = Result<T, LoadError>>,
) -> Result<T, PaperError> {
    let temporary = TemporaryTables::new(format!("the experiment, {}", load.table));
    let done = context.cancellation.or_cancelled(async { Ok(work.await) }).await;
    if let Err(AppError::Cancelled) = done {
        load.drop_table().await?;
    }
    Ok(temporary.dropped(context, done)??)
}

impl Limit {
    fn settle(&self) -> Duration {
        if let Self::Quota(_) = self { SETTLE } else { Duration::ZERO }
    }

    async fn begin(&self, table: &TableName, requests_per_second: u32) -> Result<(), PaperError> {
        if let Self::Quota(cluster) = self {
            cluster.limit_writes(table, Some(requests_per_second.into())).await?;
        }
        Ok(())
    }

    fn note(&self, requests_per_second: u32) -> Option<String> {
        match self {
            Self::Throttled => None,
            Self::Quota(_) => Some(format!(
                "each server of the cluster writes {requests_per_second} rows of the table a second, by HBase's quotas"
            )),
            Self::Unlimited => Some(
                "the servers of the cluster have no limit of their own here: its load times are not checked against the \
                 simulator (set hbase.quota.enabled to have them limited)"
                    .to_owned(),
            ),
        }
    }
}

/// A name that no table had before: servers of HBase look for the limit of a table that they have not seen yet at once, and
/// for that of others every five minutes.
fn free_table() -> Result<TableName, PaperError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("tablesmith_keys_load_{}", now.as_micros());
    Ok(name.parse()?)
}
