//! Loading a file into a table, beside the store's own batched puts of the same cells, made before.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hbase_testbed::{Cluster, Distributed, Settings};
use tablesmith_access::{Living, LoadOptions, LoadSource, LoadWatch, Steps, Writer};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_model::workload::{Table, Workload};
use tablesmith_observe::rows;
use tablesmith_store::{Action, Mutation, Put, Row, Scan, Store};
use tablesmith_store_hbase::HbaseStore;

use crate::measure::{alternate, runtime};
use crate::processor_time::spent;

type Failure = Box<dyn std::error::Error>;

const ROWS: u64 = 300_000;
const ROUNDS: usize = 9;
/// Rows of a batched put.
const BATCH: usize = 1_000;
/// Part of the speed of batched puts.
const WANTED: f64 = 0.7;
/// Part of a core that the client may take while servers work.
const WANTED_CORES: f64 = 0.5;

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "sale"
key = ["id"]
[table.columns]
id = { type = "int" }
shop = { type = "string" }
at = { type = "timestamp" }
amount = { type = "int" }
note = { type = "string" }
"#;

const DESIGN: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "sale"
splits = ['\x01', '\x02', '\x03']
[[table.family]]
name = "f"
[[table.rows]]
from = "sale"
key = ["md5_mod(id, 4)", "id"]
cells = [{ family = "f", columns = ["shop", "at", "amount", "note"] }]
"#;

/// A design with its file of rows.
struct Ground {
    workload: Workload,
    design: Design,
    file: PathBuf,
}

impl Ground {
    fn new(directory: &Path) -> Result<Self, Failure> {
        let workload = Workload::parse(WORKLOAD).map_err(|error| error.to_string())?;
        let design = Design::parse_for(DESIGN, &workload).map_err(|error| format!("{error:?}"))?;
        let file = directory.join("sale.csv");
        let mut out = std::io::BufWriter::new(std::fs::File::create(&file)?);
        writeln!(out, "id,shop,at,amount,note")?;
        for id in 0..ROWS {
            let mixed = id.wrapping_mul(6_364_136_223_846_793_005);
            let (shop, minute) = (mixed >> 52, id % 1_440);
            writeln!(
                out,
                "{id},shop{shop},2024-02-29T{:02}:{:02}:00Z,{},note {mixed:020}",
                minute / 60,
                minute % 60,
                mixed % 1_000
            )?;
        }
        out.flush()?;
        Ok(Self { workload, design, file })
    }

    /// The same design with a table of another name.
    fn named(&self, name: &str) -> Design {
        let mut design = self.design.clone();
        design.tables.iter_mut().for_each(|table| name.clone_into(&mut table.name));
        design
    }

    /// Loads the file into a new table of this name, as `tablesmith load` does.
    async fn load(&self, store: &dyn Store, name: &str) -> Result<Duration, Failure> {
        let design = self.named(name);
        make(store, &design).await?;
        let writer = Arc::new(Writer::new(&self.workload, &design)?);
        let begun = Instant::now();
        let table = self.workload.tables.first().map_or("", |table: &Table| &table.name);
        let rows = rows::open(&self.file, self.workload.table(table).ok_or("no table")?)?;
        let rows = Box::new(rows);
        let source = LoadSource { table, file: name, rows };
        let loaded = writer.load(store, source, LoadOptions::default(), &mut Quiet).await?;
        let took = begun.elapsed();
        if loaded.rows == ROWS { Ok(took) } else { Err(format!("{} rows were loaded", loaded.rows).into()) }
    }
}

/// A load that nobody follows.
pub(crate) struct Quiet;

impl LoadWatch for Quiet {
    fn rejected(&mut self, _: u64, _: u64, _: &str) {}
    fn loaded(&mut self, _: u64) {}
}

/// On the embedded store, beside batched puts.
pub fn embedded() -> Result<(), String> {
    let run = || -> Result<(), Failure> {
        let directory = tempfile::tempdir()?;
        let runtime = runtime()?;
        let ground = Ground::new(directory.path())?;
        let engine = Engine::open(EngineOptions::new(directory.path().join("store")))?;
        runtime.block_on(ground.load(&engine, "first"))?;
        let puts = runtime.block_on(puts_of(&engine, "first"))?;
        println!(
            "  {ROWS} rows of 4 cells from CSV; medians of {ROUNDS} rounds; rival: puts of the same cells, {BATCH} at a time"
        );
        // What one leaves the engine to do must not slow the other down.
        let settle = || {
            while engine.is_busy() {
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        let compared = alternate(
            ROUNDS,
            settle,
            |round| runtime.block_on(ground.load(&engine, &format!("loaded{round}"))),
            |round| runtime.block_on(put_all(&engine, &ground.named(&format!("put{round}")), &puts)),
        )?;
        compared.print("a file loaded", ROWS, WANTED);
        Ok(())
    };
    run().map_err(|error| error.to_string())
}

/// On a real HBase of three region servers: what the client takes of a processor while they work.
pub fn cluster() -> Result<(), String> {
    let run = || -> Result<(), Failure> {
        let directory = tempfile::tempdir()?;
        let (runtime, ground) = (runtime()?, Ground::new(directory.path())?);
        let cluster = Distributed::start(&Settings { log_level: "WARN".to_owned(), ..Settings::default() })?;
        let store = runtime.block_on(HbaseStore::connect(&cluster.addresses().by_masters()))?;
        for round in 0..3 {
            let before = spent();
            let took = runtime.block_on(ground.load(&store, &format!("bench_load{round}")))?;
            let cores = (spent() - before).as_secs_f64() / took.as_secs_f64();
            let verdict = if cores <= WANTED_CORES { "reached" } else { "not reached" };
            let rate = ROWS as f64 / took.as_secs_f64();
            println!(
                "  {rate:>10.0} rows/s, {cores:.2} of a core (wanted {WANTED_CORES} at most: {verdict})"
            );
        }
        Ok(())
    };
    run().map_err(|error| error.to_string())
}

/// Makes the tables of a design.
async fn make(store: &dyn Store, design: &Design) -> Result<(), Failure> {
    let steps = Steps::of(design, &Living::default(), &[])?;
    Ok(steps.make(store, &mut |_| {}).await?)
}

/// The puts that make the rows of a table.
async fn puts_of(store: &dyn Store, name: &str) -> Result<Vec<Put>, Failure> {
    let table: TableName = name.parse()?;
    let mut scanner = store.scan(&table, Scan::default()).await?;
    let mut puts = Vec::new();
    loop {
        let rows = scanner.next_rows().await?;
        if rows.is_empty() {
            break;
        }
        puts.extend(rows.iter().map(put_of));
    }
    // In the order of the file: by what follows the prefix.
    puts.sort_by(|one, two| one.row.get(1..).cmp(&two.row.get(1..)));
    Ok(puts)
}

fn put_of(row: &Row) -> Put {
    let cells = row.cells.iter();
    let cells = cells.map(|cell| (cell.family.clone(), cell.qualifier.clone(), None, cell.value.clone()));
    Put { cells: cells.collect(), ..Put::new(row.row.clone()) }
}

async fn put_all(store: &dyn Store, design: &Design, puts: &[Put]) -> Result<Duration, Failure> {
    make(store, design).await?;
    let table: TableName = design.tables.first().map_or("", |table| &table.name).parse()?;
    let batches: Vec<Vec<Action>> = puts
        .chunks(BATCH)
        .map(|puts| puts.iter().map(|put| Action::Mutate(Mutation::Put(put.clone()))).collect())
        .collect();
    let begun = Instant::now();
    for batch in batches {
        for answer in store.batch(&table, batch).await?.value {
            answer?;
        }
    }
    Ok(begun.elapsed())
}
