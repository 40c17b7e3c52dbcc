//! A load on a store: the rows of each map task in batches, as the simulator's clients send them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tablesmith_model::key::{KeyCodec, KeyEncodeError};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Action, Aggregate, Group, Mutation, Put, Scan, Store, StoreError, ValueType};
use tokio::task::JoinSet;

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

/// Makes a table, loads the rows of a source into it, looks at it, and drops it.
pub async fn load(
    store: &Arc<dyn Store>,
    table: &TableName,
    source: &Source,
    design: KeyDesign,
    setting: Setting,
    batch_rows: usize,
) -> Result<Measured, LoadError> {
    let descriptor = TableDescriptor::new(table.clone(), [FamilyDescriptor::new(FAMILY)]);
    drop_if_there(store, table).await?;
    let cuts = splits(setting.regions, source.modulus).into_iter().map(Bytes::from).collect();
    store.create_table(descriptor, cuts).await?;
    let outcome = load_into(store, table, source, design, setting, batch_rows).await;
    drop_if_there(store, table).await?;
    outcome
}

async fn load_into(
    store: &Arc<dyn Store>,
    table: &TableName,
    source: &Source,
    design: KeyDesign,
    setting: Setting,
    batch_rows: usize,
) -> Result<Measured, LoadError> {
    let names: Vec<String> = store.regions(table).await?.into_iter().map(|region| region.server).collect();
    let servers = numbered(&names);
    let server_of_region: Vec<usize> =
        names.iter().map(|name| servers.get(name.as_str()).copied().unwrap_or_default()).collect();
    let tasks = map_tasks(setting.files, source.rows);
    let clients = tasks.len();
    let begun = Instant::now();
    let mut samples = Samples::new(setting.servers.max(servers.len()));
    let written = tokio::select! {
        written = write_all(store, table, source, design, tasks, batch_rows) => written,
        never = sample(&**store, table, &server_of_region, begun, &mut samples) => match never {},
    };
    let load_s = begun.elapsed().as_secs_f64();
    written?;
    let region_rows = count(&**store, table).await?;
    let server_rows = samples.by_server(&server_of_region, &region_rows);
    samples.add(load_s, server_rows.clone());
    let rates = samples.rates(load_s, SLICES);
    let point = LoadPoint { design, setting, clients, load_s, region_rows, server_rows, rates };
    Ok(Measured { point, server_of_region })
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

/// All map tasks at the same time; the first failure is told when all have ended.
async fn write_all(
    store: &Arc<dyn Store>,
    table: &TableName,
    source: &Source,
    design: KeyDesign,
    tasks: Vec<Vec<Range<usize>>>,
    batch_rows: usize,
) -> Result<(), LoadError> {
    let codec = Arc::new(design.codec(source.modulus)?);
    let mut clients = JoinSet::new();
    for task in tasks {
        let (store, table, source) = (Arc::clone(store), table.clone(), source.clone());
        let codec = Arc::clone(&codec);
        clients.spawn(async move { write(&*store, &table, &source, design, &codec, task, batch_rows).await });
    }
    let mut outcome = Ok(());
    while let Some(ended) = clients.join_next().await {
        let ended = ended.unwrap_or_else(|error| Err(LoadError::Client(error.to_string())));
        outcome = outcome.and(ended);
    }
    outcome
}

/// One map task: a batch, its answer, the next batch.
async fn write(
    store: &dyn Store,
    table: &TableName,
    source: &Source,
    design: KeyDesign,
    codec: &KeyCodec,
    task: Vec<Range<usize>>,
    batch_rows: usize,
) -> Result<(), LoadError> {
    let mut row = IdRow::new(0, 0);
    let mut line = Vec::new();
    let mut rows = task.into_iter().flatten();
    loop {
        let mut batch = Vec::with_capacity(batch_rows);
        for index in rows.by_ref().take(batch_rows.max(1)) {
            let key = key(source, design, codec, index, &mut row)?;
            line.clear();
            (source.lines)(index as u64 + 1, &mut line);
            let put = Put::new(key).add(FAMILY, COLUMN, Bytes::copy_from_slice(&line));
            batch.push(Action::Mutate(Mutation::Put(put)));
        }
        if batch.is_empty() {
            return Ok(());
        }
        let answers = store.batch(table, batch).await?.value;
        answers.into_iter().collect::<Result<Vec<_>, _>>()?;
    }
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
    let count = Aggregate { scan: Scan::all(), value: ValueType::None, group: Group::default() };
    let partials = store.aggregate(table, count).await?.value;
    let rows: BTreeMap<&str, u64> = partials
        .iter()
        .map(|region| (region.region.as_str(), region.groups.values().map(|partial| partial.rows).sum()))
        .collect();
    let regions = store.regions(table).await?;
    Ok(regions.iter().map(|region| rows.get(region.name().as_str()).copied().unwrap_or_default()).collect())
}

async fn drop_if_there(store: &Arc<dyn Store>, table: &TableName) -> Result<(), StoreError> {
    if store.table_exists(table).await? {
        if store.is_enabled(table).await? {
            store.disable_table(table).await?;
        }
        store.drop_table(table).await?;
    }
    Ok(())
}

/// What a batch takes beyond the waiting for a server's capacity: the mean over batches that are sent one after another
/// to a store without limits.
pub async fn round_trip(
    store: &Arc<dyn Store>,
    table: &TableName,
    source: &Source,
    batch_rows: usize,
) -> Result<Duration, LoadError> {
    const BATCHES: usize = 40;
    let few = Source { rows: source.rows.min(batch_rows * BATCHES), ..source.clone() };
    let descriptor = TableDescriptor::new(table.clone(), [FamilyDescriptor::new(FAMILY)]);
    drop_if_there(store, table).await?;
    store.create_table(descriptor, Vec::new()).await?;
    let design = KeyDesign::Md5Mod;
    let codec = design.codec(source.modulus)?;
    let begun = Instant::now();
    let task = std::iter::once(0..few.rows).collect();
    let written = write(&**store, table, &few, design, &codec, task, batch_rows).await;
    let batches = u32::try_from(few.rows.div_ceil(batch_rows.max(1)).max(1)).unwrap_or(u32::MAX);
    let each = begun.elapsed() / batches;
    drop_if_there(store, table).await?;
    written.map(|()| each)
}
