//! `keys`: puts the rows of a table through all row keys, and says which one is best.
//!
//! [`Source`] says what table it is and where its rows are; [`stream`] reads them; [`page`] makes evidence of what was found,
//! [`write`](mod@write) puts it into a design.

pub mod page;
mod reads;
mod result;
mod simulate;
mod source;
mod stream;
mod words;
mod write;

use std::path::PathBuf;

use serde::{Serialize, Serializer};

pub use reads::{Reads, ReadsFrom};
pub use simulate::{SimulatedLoad, SimulatedLoads};
pub use words::{key_text, percent, read_words};

use tablesmith_design::keys::judge::{Judged, Judgement};
use tablesmith_design::keys::{Entity, IdColumn, Setup, SplitMethod, StrategyName, Weight};
use tablesmith_model::cost::Prices;
use tablesmith_model::key::{Modulus, Part};
use tablesmith_model::value::KeyEncoding;
use tablesmith_model::workload::Table;

use crate::context::FileProgress;
use crate::serialize::OneOrTables;
use crate::{AppError, Context, calibrate, output_file};
use source::Source;
use stream::Stream;

/// Servers when nobody says how many there are.
const DEFAULT_SERVERS: usize = 3;
/// Bytes of a value when nobody says how many it has.
const USUAL_BYTES: f64 = 8.0;

/// What keys are judged for, how, and where it is written.
#[derive(Clone, Debug)]
pub struct KeysOptions {
    /// What tables.
    pub input: KeysInput,
    /// The columns of the id; none: the table's key.
    pub id: Vec<String>,
    /// The column that says when.
    pub time: Option<String>,
    /// Whose rows are read together.
    pub entity: Vec<String>,
    /// Region servers; none: those of the workload's cluster.
    pub servers: Option<usize>,
    /// Regions.
    pub regions: Option<usize>,
    /// Further numbers of regions.
    pub compare_regions: Vec<usize>,
    /// How many prefixes there are.
    pub prefixes: Option<u64>,
    /// The strategies; none: all.
    pub strategies: Vec<StrategyName>,
    /// How split points are made.
    pub splits: SplitMethod,
    /// What quantiles weigh.
    pub weight: Weight,
    /// How keys are written.
    pub encoding: KeyEncoding,
    /// How often which read happens.
    pub reads: Reads,
    /// Whether every row is counted, in further passes.
    pub is_exact: bool,
    /// Region servers of a cluster that the load is simulated on; none: it is not.
    pub simulate: Option<usize>,
    /// The design that the best key is written into.
    pub output: Option<PathBuf>,
    /// A page with pictures.
    pub report: Option<PathBuf>,
}

/// What tables keys are judged for.
#[derive(Clone, Debug)]
pub enum KeysInput {
    /// The tables of a workload that have data, or one of them.
    Workload {
        /// The workload.
        path: PathBuf,
        /// Only this table.
        table: Option<String>,
    },
    /// One data file, whose columns are measured first.
    Data(PathBuf),
}

/// What was found for all tables.
pub struct KeysResult {
    /// The tables.
    pub tables: Vec<TableKeys>,
}

impl Serialize for KeysResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OneOrTables::of(&self.tables).serialize(serializer)
    }
}

/// What was found for a table.
pub struct TableKeys {
    /// The table's name.
    pub table: String,
    /// What was judged.
    pub setup: Setup,
    /// Who says how often which read happens.
    pub reads_from: ReadsFrom,
    /// What was found.
    pub judgement: Judgement,
    /// The recommended key with its own number of buckets, where all were judged with more.
    pub recommended: Option<Judged>,
    /// What the load takes on a simulated cluster, where that was asked for.
    pub simulated: Option<SimulatedLoads>,
    /// Rows that could not be read, and the first reason.
    pub rejected: Option<(u64, String)>,
}

impl TableKeys {
    /// What the load over time is shown of: a name, and what was judged. The recommended key comes first.
    pub fn shown(&self) -> impl Iterator<Item = (String, &Judged)> {
        let named = |judged: &Judged, prefixes: Option<u64>| match prefixes {
            Some(prefixes) => format!("{} over {prefixes} prefixes", judged.name),
            None => judged.name.to_string(),
        };
        let prefixes = |judged: &Judged| judged.key.parts.first().and_then(Part::prefixes).map(Modulus::get);
        let all = self.recommended.iter().chain(&self.judgement.strategies);
        all.map(move |judged| (named(judged, prefixes(judged)), judged))
    }
}

/// Judges the keys of tables.
pub async fn run(context: &Context, options: &KeysOptions) -> Result<KeysResult, AppError> {
    for path in [&options.output, &options.report].into_iter().flatten() {
        output_file::check_place(path)?;
    }
    let source = match &options.input {
        KeysInput::Workload { path, table } => Source::of_workload(path, table.as_deref())?,
        KeysInput::Data(path) => Source::of_data(context, path)?,
    };
    let prices = calibrate::of_store(context, false).await?.map(|found| found.prices());
    let judged = source.tables.iter().map(|table| {
        let mut setup = setup(context, &source, table, options)?;
        let reads_from = set_reads(&mut setup, &source, table, options, prices.as_ref());
        let mut reading = context.read_file("reading", source.file(table)?.as_path());
        judge_table(&source, table, setup, reads_from, options, &mut reading)
    });
    let tables = judged.collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &options.output {
        write::into_design(path, &source, &tables)?;
    }
    if let Some(path) = &options.report {
        output_file::write(path, &tablesmith_report::page(&page::evidence(&tables, context.seed)))?;
    }
    Ok(KeysResult { tables })
}

fn judge_table(
    source: &Source,
    table: &Table,
    setup: Setup,
    reads_from: ReadsFrom,
    options: &KeysOptions,
    reading: &mut FileProgress<'_>,
) -> Result<TableKeys, AppError> {
    let Stream { judgement, recommended, rejected } =
        stream::judge(source, table, &setup, options.is_exact, reading)?;
    let simulated = options
        .simulate
        .map(|servers| simulate::run(source, table, &setup, &judgement, servers, reading))
        .transpose()?;
    let table = table.name.clone();
    Ok(TableKeys { table, setup, reads_from, judgement, recommended, simulated, rejected })
}

fn setup(context: &Context, source: &Source, table: &Table, asked: &KeysOptions) -> Result<Setup, AppError> {
    let id = if asked.id.is_empty() { &table.key } else { &asked.id };
    if id.is_empty() {
        return Err(AppError::NoKey(table.name.clone()));
    }
    let id = id.iter().map(|name| column(table, name)).collect::<Result<_, _>>()?;
    let time = asked.time.as_ref().or(table.time.as_ref().map(|time| &time.column));
    let time = time.map(|name| column(table, name)).transpose()?;
    let entity = match (&asked.entity, &table.time) {
        (asked, _) if !asked.is_empty() => Entity::Columns(asked.clone()),
        (_, Some(time)) if !time.entity.is_empty() => Entity::Columns(time.entity.clone()),
        _ => Entity::IdWithoutTime,
    };
    let servers = asked.servers.or(source.servers).unwrap_or(DEFAULT_SERVERS);
    Ok(Setup {
        time,
        entity,
        encoding: asked.encoding,
        regions: asked.regions,
        compare_regions: asked.compare_regions.clone(),
        prefixes: asked.prefixes,
        splits: asked.splits,
        weight: asked.weight,
        strategies: asked.strategies.clone(),
        seed: context.seed,
        workers: std::thread::available_parallelism().map_or(1, usize::from),
        ..Setup::new(id, servers)
    })
}

/// Says how often which read happens, and what a call costs beside a row.
fn set_reads(
    setup: &mut Setup,
    source: &Source,
    table: &Table,
    asked: &KeysOptions,
    prices: Option<&Prices>,
) -> ReadsFrom {
    let id: Vec<String> = setup.id.iter().map(|column| column.name.clone()).collect();
    let (reads, from) = asked.reads.of_table(source.asked.as_ref(), table, &id, &setup.entity_columns());
    let row_bytes = table.columns.iter().map(|column| column.bytes.unwrap_or(USUAL_BYTES)).sum();
    setup.reads = match prices {
        Some(prices) => reads.priced(prices, table.columns.len() as f64, row_bytes),
        None => reads,
    };
    from
}

fn column(table: &Table, name: &str) -> Result<IdColumn, AppError> {
    let found = table.columns.iter().find(|column| column.name == name);
    let Some(found) = found else {
        let columns = table.columns.iter().map(|column| column.name.clone()).collect();
        return Err(AppError::NoColumn { table: table.name.clone(), column: name.to_owned(), columns });
    };
    Ok(IdColumn::new(name, found.value_type))
}
