//! What `tablesmith keys` does: puts the rows of a table through all keys, and says which one is best.
//!
//! [`Source`] says what table it is and where its rows are; [`judge`] reads them; [`text`], [`json`] and [`page`] show what
//! was found, [`write`](mod@write) puts it into a design.

pub mod json;
pub mod page;
mod reads;
mod source;
mod stream;
pub mod text;
pub mod write;

pub use reads::{Reads, ReadsFrom};
pub use source::Source;

use tablesmith_design::keys::judge::{Judged, Judgement};
use tablesmith_design::keys::{Entity, IdColumn, Setup, SplitMethod, StrategyName, Weight};
use tablesmith_model::cost::Prices;
use tablesmith_model::key::{Modulus, Part};
use tablesmith_model::value::KeyEncoding;
use tablesmith_model::workload::Table;

use crate::failure::Failure;
use stream::Stream;

/// Servers when nobody says how many there are.
const DEFAULT_SERVERS: usize = 3;
/// Bytes of a value when nobody says how many it has.
const USUAL_BYTES: f64 = 8.0;

/// What was asked for.
pub struct Asked {
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
    /// What calls and rows cost on the store, where that was measured.
    pub prices: Option<Prices>,
    /// Whether every row is counted, in further passes.
    pub is_exact: bool,
    /// What chance is drawn from.
    pub seed: u64,
}

/// What was found for a table.
pub struct Answer {
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
    /// Rows that could not be read, and the first reason.
    pub rejected: Option<(u64, String)>,
}

impl Answer {
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

/// Judges the keys of the source's tables. `progress` hears how many bytes of how many are read.
pub fn judge(
    source: &Source,
    asked: &Asked,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<Answer>, Failure> {
    source.tables.iter().map(|table| judge_table(source, table, asked, progress)).collect()
}

fn judge_table(
    source: &Source,
    table: &Table,
    asked: &Asked,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Answer, Failure> {
    let mut setup = setup(source, table, asked)?;
    let reads_from = set_reads(&mut setup, source, table, asked);
    let Stream { judgement, recommended, rejected } =
        stream::judge(source, table, &setup, asked.is_exact, progress)?;
    Ok(Answer { table: table.name.clone(), setup, reads_from, judgement, recommended, rejected })
}

fn setup(source: &Source, table: &Table, asked: &Asked) -> Result<Setup, Failure> {
    let id = if asked.id.is_empty() { &table.key } else { &asked.id };
    if id.is_empty() {
        return Err(Failure::BadFile(format!(
            "no key of table `{}` is known: name the columns that identify a row with --id, or as `key` in the workload",
            table.name
        )));
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
        seed: asked.seed,
        workers: std::thread::available_parallelism().map_or(1, usize::from),
        ..Setup::new(id, servers)
    })
}

/// Says how often which read happens, and what a call costs beside a row.
fn set_reads(setup: &mut Setup, source: &Source, table: &Table, asked: &Asked) -> ReadsFrom {
    let id: Vec<String> = setup.id.iter().map(|column| column.name.clone()).collect();
    let (reads, from) = asked.reads.of_table(source.asked.as_ref(), table, &id, &setup.entity_columns());
    let row_bytes = table.columns.iter().map(|column| column.bytes.unwrap_or(USUAL_BYTES)).sum();
    setup.reads = match &asked.prices {
        Some(prices) => reads.priced(prices, table.columns.len() as f64, row_bytes),
        None => reads,
    };
    from
}

fn column(table: &Table, name: &str) -> Result<IdColumn, Failure> {
    let found = table.columns.iter().find(|column| column.name == name);
    let Some(found) = found else {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        return Err(Failure::BadFile(format!(
            "table `{}` has no column `{name}`: it has {}",
            table.name,
            names.join(", ")
        )));
    };
    Ok(IdColumn::new(name, found.value_type))
}
