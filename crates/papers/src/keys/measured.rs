//! A load on a store: the rows of each map task in batches, as the simulator's clients send them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tablesmith_model::key::{KeyCodec, KeyEncodeError};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Action, Aggregate, Get, Mutation, Put, Scan, Store, StoreError, ValueType};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::designs::{DesignError, IdRow, KeyDesign, splits};
use super::placed::{Source, key};
use super::point::{LoadPoint, SLICES, Setting};
use super::samples::Samples;
use super::tasks::map_tasks;

/// The family and the column that rows are written to.
const FAMILY: &str = "d";
const COLUMN: &str = "pairs";
/// How often a store is asked what its regions had to do.
const SAMPLE_EVERY: Duration = Duration::from_millis(50);

/// Why a load came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such key.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// A row has no key.
    #[error(transparent)]
    Encode(#[from] KeyEncodeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A client ended early.
    #[error("a client ended before its rows were written: {0}")]
    Client(String),
}

/// A load and where its regions were.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// How it went.
    pub point: LoadPoint,
    /// The server of each region, counted in the order in which they first have one.
    pub server_of_region: Vec<usize>,
}

/// One load: which rows go under which key into which table.
#[derive(Clone)]
pub struct Load {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The table, which is made for it and dropped afterwards.
    pub table: TableName,
    /// The rows.
    pub source: Source,
    /// Their key.
    pub design: KeyDesign,
    /// Regions and input files.
    pub setting: Setting,
    /// Rows of a batch.
    pub batch_rows: usize,
    /// What passes between the first word about the table and its first row. HBase's servers read a table's quota when they
    /// first hear of it, and take a second's worth of it at once after a quiet second.
    pub settle: Duration,
}

impl Load {
    /// Makes a table, loads the rows into it, looks at it, and drops it.
    pub async fn run(&self) -> Result<Measured, LoadError> {
        let cuts = splits(self.setting.regions, self.source.modulus).into_iter().map(Bytes::from).collect();
        make(&*self.store, &self.table, cuts).await?;
        let outcome = self.fill().await;
        drop_if_there(&*self.store, &self.table).await?;
        outcome
    }

    /// Drops the table, if the load was ended before it did.
    pub async fn drop_table(&self) -> Result<(), LoadError> {
        Ok(drop_if_there(&*self.store, &self.table).await?)
    }

    async fn fill(&self) -> Result<Measured, LoadError> {
        let regions = self.store.regions(&self.table).await?;
        if !self.settle.is_zero() {
            for region in &regions {
                self.store.get(&self.table, Get::new(first_key(&region.start))).await?;
            }
            tokio::time::sleep(self.settle).await;
        }
        let names: Vec<String> = regions.into_iter().map(|region| region.server).collect();
        let servers = numbered(&names);
        let server_of_region: Vec<usize> =
            names.iter().map(|name| servers.get(name.as_str()).copied().unwrap_or_default()).collect();
        let tasks = map_tasks(self.setting.files, self.source.rows);
        let clients = tasks.len();
        let begun = Instant::now();
        let mut samples = Samples::new(self.setting.servers.max(servers.len()));
        let written = tokio::select! {
            written = self.write_all(tasks) => written,
            never = sample(&*self.store, &self.table, &server_of_region, begun, &mut samples) => match never {},
        };
        let load_s = begun.elapsed().as_secs_f64();
        written?;
        let region_rows = count(&*self.store, &self.table).await?;
        let server_rows = samples.by_server(&server_of_region, &region_rows);
        samples.add(load_s, server_rows.clone());
        let rates = samples.rates(load_s, SLICES);
        let (design, setting) = (self.design, self.setting);
        let point = LoadPoint { design, setting, clients, load_s, region_rows, server_rows, rates };
        Ok(Measured { point, server_of_region })
    }

    /// All map tasks at the same time; the first failure is told when all have ended.
    async fn write_all(&self, tasks: Vec<Vec<Range<usize>>>) -> Result<(), LoadError> {
        let codec = Arc::new(self.design.codec(self.source.modulus)?);
        let mut clients = JoinSet::new();
        for task in tasks {
            let (load, codec) = (self.clone(), Arc::clone(&codec));
            clients.spawn(async move { load.write(&codec, task).await });
        }
        let mut outcome = Ok(());
        while let Some(ended) = clients.join_next().await {
            let ended = ended.unwrap_or_else(|error| Err(LoadError::Client(error.to_string())));
            outcome = outcome.and(ended);
        }
        outcome
    }

    /// One map task: a batch, its answer, the next batch.
    async fn write(&self, codec: &KeyCodec, task: Vec<Range<usize>>) -> Result<(), LoadError> {
        let mut row = IdRow::new(0, 0);
        let mut line = Vec::new();
        let mut rows = task.into_iter().flatten();
        loop {
            let mut batch = Vec::with_capacity(self.batch_rows);
            for index in rows.by_ref().take(self.batch_rows.max(1)) {
                let key = key(&self.source, self.design, codec, index, &mut row)?;
                line.clear();
                (self.source.lines)(index as u64 + 1, &mut line);
                let put = Put::new(key).add(FAMILY, COLUMN, Bytes::copy_from_slice(&line));
                batch.push(Action::Mutate(Mutation::Put(put)));
            }
            if batch.is_empty() {
                return Ok(());
            }
            let answers = self.store.batch(&self.table, batch).await?.value;
            answers.into_iter().collect::<Result<Vec<_>, _>>()?;
        }
    }

    /// What a batch takes beyond the waiting for a server's capacity: the mean over some that are sent one after another.
    /// The store should have no limits.
    pub async fn round_trip(&self) -> Result<Duration, LoadError> {
        const BATCHES: usize = 40;
        let rows = self.source.rows.min(self.batch_rows * BATCHES);
        let few = Self { source: Source { rows, ..self.source.clone() }, ..self.clone() };
        make(&*few.store, &few.table, Vec::new()).await?;
        let codec = few.design.codec(few.source.modulus)?;
        let begun = Instant::now();
        let written = few.write(&codec, std::iter::once(0..rows).collect()).await;
        let batches = u32::try_from(rows.div_ceil(few.batch_rows.max(1)).max(1)).unwrap_or(u32::MAX);
        let each = begun.elapsed() / batches;
        drop_if_there(&*few.store, &few.table).await?;
        written.map(|()| each)
    }
}

/// A key of a region: the first that can be one.
fn first_key(start: &[u8]) -> Bytes {
    if start.is_empty() { Bytes::from_static(b"0") } else { Bytes::copy_from_slice(start) }
}

/// Makes an empty table.
async fn make(store: &dyn Store, table: &TableName, cuts: Vec<Bytes>) -> Result<(), StoreError> {
    drop_if_there(store, table).await?;
    store.create_table(TableDescriptor::new(table.clone(), [FamilyDescriptor::new(FAMILY)]), cuts).await
}

/// Numbers for servers, in the order in which they come up.
fn numbered(names: &[String]) -> BTreeMap<&str, usize> {
    let mut numbers = BTreeMap::new();
    for name in names {
        let next = numbers.len();
        numbers.entry(name.as_str()).or_insert(next);
    }
    numbers
}

/// Asks again and again what the regions had to do. A store that does not tell now is asked again later.
async fn sample(
    store: &dyn Store,
    table: &TableName,
    server_of_region: &[usize],
    begun: Instant,
    samples: &mut Samples,
) -> Infallible {
    loop {
        tokio::time::sleep(SAMPLE_EVERY).await;
        if let Ok(regions) = store.regions(table).await {
            let writes: Vec<u64> = regions.iter().map(|region| region.load.writes).collect();
            let by_server = samples.by_server(server_of_region, &writes);
            samples.add(begun.elapsed().as_secs_f64(), by_server);
        }
    }
}

/// The rows of each region, counted in the regions.
async fn count(store: &dyn Store, table: &TableName) -> Result<Vec<u64>, StoreError> {
    let count = Aggregate::new(Scan::all(), ValueType::None);
    let partials = store.aggregate(table, count).await?.value;
    let rows: BTreeMap<&str, u64> = partials
        .iter()
        .map(|region| (region.region.as_str(), region.groups.values().map(|partial| partial.rows).sum()))
        .collect();
    let regions = store.regions(table).await?;
    Ok(regions.iter().map(|region| rows.get(region.name().as_str()).copied().unwrap_or_default()).collect())
}

async fn drop_if_there(store: &dyn Store, table: &TableName) -> Result<(), StoreError> {
    if store.table_exists(table).await? {
        if store.is_enabled(table).await? {
            store.disable_table(table).await?;
        }
        store.drop_table(table).await?;
    }
    Ok(())
}
