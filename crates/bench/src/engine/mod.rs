//! The embedded store beside raw fjall.

mod data;
mod memory;
mod opening;

use std::time::{Duration, Instant};

use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode, Readable};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::{Compression, FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Action, Aggregate, Get, Mutation, Put, Scan, Store, ValueType};

use crate::measure::{Comparison, alternate};
pub use memory::{memory, peak_mb};
pub use opening::opening;

const ROWS: u64 = 100_000;
const COLUMNS: u64 = 10;
const ROWS_PER_BATCH: u64 = 200;
const GETS: u64 = 20_000;
const ROUNDS: usize = 5;
/// A block size that both sides get.
const BLOCK_BYTES: u32 = 64 << 10;
const CACHE_BYTES: u64 = 256 << 20;

/// Runs all comparisons.
pub fn compare() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
    println!(
        "  {ROWS} rows of {COLUMNS} cells, {} bytes each as stored; medians of {ROUNDS} rounds",
        data::cell_bytes()
    );
    runtime.block_on(run()).map_err(|error| error.to_string())
}

type Failure = Box<dyn std::error::Error>;

/// Both sides, each in a directory of its own.
struct Sides {
    _dir: tempfile::TempDir,
    engine: Engine,
    db: Database,
}

impl Sides {
    fn open() -> Result<Self, Failure> {
        let dir = tempfile::tempdir()?;
        let options =
            EngineOptions { cache_bytes: CACHE_BYTES, ..EngineOptions::new(dir.path().join("engine")) };
        let engine = Engine::open(options)?;
        let db = Database::builder(dir.path().join("raw")).cache_size(CACHE_BYTES).open()?;
        Ok(Self { _dir: dir, engine, db })
    }

    async fn table(&self, name: &str, splits: u64) -> Result<TableName, Failure> {
        let table: TableName = name.parse()?;
        let family = FamilyDescriptor {
            compression: Compression::None,
            block_size_bytes: BLOCK_BYTES,
            ..FamilyDescriptor::new(data::FAMILY)
        };
        let splits = (1..splits).map(|number| data::row(number * ROWS / splits)).collect();
        self.engine.create_table(TableDescriptor::new(table.clone(), [family]), splits).await?;
        Ok(table)
    }

    fn keyspace(&self, name: &str) -> Result<Keyspace, Failure> {
        let options = KeyspaceCreateOptions::default()
            .data_block_size_policy(fjall::config::BlockSizePolicy::all(BLOCK_BYTES))
            .data_block_compression_policy(fjall::config::CompressionPolicy::disabled());
        Ok(self.db.keyspace(name, || options)?)
    }

    async fn load(&self, table: &TableName, seed: u64) -> Result<Duration, Failure> {
        let mut time = Duration::ZERO;
        for batch in 0..ROWS / ROWS_PER_BATCH {
            let rows = batch * ROWS_PER_BATCH..(batch + 1) * ROWS_PER_BATCH;
            let puts = rows.map(|number| {
                let mut put = Put::new(data::row(data::shuffled(number, ROWS)));
                for column in 0..COLUMNS {
                    let value = data::value(seed, number, column);
                    put = put.add_at(data::FAMILY, data::qualifier(column), data::TIMESTAMP, value);
                }
                Action::Mutate(Mutation::Put(put))
            });
            let puts = puts.collect();
            let begun = Instant::now();
            let answers = self.engine.batch(table, puts).await?.value;
            time += begun.elapsed();
            for answer in answers {
                answer?;
            }
        }
        Ok(time)
    }

    fn load_raw(&self, keyspace: &Keyspace, seed: u64) -> Result<Duration, Failure> {
        let mut time = Duration::ZERO;
        for batch in 0..ROWS / ROWS_PER_BATCH {
            let mut cells = Vec::new();
            for number in batch * ROWS_PER_BATCH..(batch + 1) * ROWS_PER_BATCH {
                let row = data::row(data::shuffled(number, ROWS));
                for column in 0..COLUMNS {
                    let value = data::stored_value(&data::value(seed, number, column));
                    cells.push((data::stored_key(&row, &data::qualifier(column)), value));
                }
            }
            let begun = Instant::now();
            let mut write = self.db.batch().durability(Some(PersistMode::Buffer));
            for (key, value) in cells {
                write.insert(keyspace, key, value);
            }
            write.commit()?;
            time += begun.elapsed();
        }
        Ok(time)
    }
}

async fn run() -> Result<(), Failure> {
    let sides = Sides::open()?;
    let cells = ROWS * COLUMNS;
    let mut tables = Vec::new();
    let mut keyspaces = Vec::new();
    for round in 0..=ROUNDS {
        tables.push(sides.table(&format!("put{round}"), 1).await?);
        keyspaces.push(sides.keyspace(&format!("put{round}"))?);
    }
    let table_of = |round: usize| tables.get(round).ok_or("a round too many");
    let keyspace_of = |round: usize| keyspaces.get(round).ok_or("a round too many");
    let puts = alternate(
        ROUNDS,
        || settle(&sides),
        |round| now(Box::pin(sides.load(table_of(round)?, 1))),
        |round| sides.load_raw(keyspace_of(round)?, 1),
    )?;
    puts.print("put, in batches (cells)", cells, 0.80);

    let (table, keyspace) = (table_of(0)?, keyspace_of(0)?);
    let gets = alternate(
        ROUNDS,
        || settle(&sides),
        |round| now(Box::pin(get_rows(&sides, table, round))),
        |round| get_raw(&sides, keyspace, round),
    )?;
    gets.print("get of a random row (rows)", GETS, 0.80);

    let scan = alternate(
        ROUNDS,
        || settle(&sides),
        |_| now(Box::pin(scan_all(&sides, table))),
        |_| scan_raw(&sides, keyspace),
    )?;
    scan.print("full scan (cells)", cells, 0.70);

    let four = sides.table("four", 4).await?;
    sides.load(&four, 1).await?;
    let aggregation = alternate(
        ROUNDS,
        || settle(&sides),
        |_| now(Box::pin(aggregate(&sides, &four))),
        |_| now(Box::pin(aggregate(&sides, table))),
    )?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    print_aggregation(&aggregation, cells, cores);
    Ok(())
}

fn print_aggregation(comparison: &Comparison, cells: u64, cores: usize) {
    comparison.print(&format!("aggregation, 4 regions to 1, {cores} cores"), cells, 1.60);
}

/// Lets work in the background come to an end, so that one side's does not disturb the other.
fn settle(sides: &Sides) {
    const LONGEST: Duration = Duration::from_secs(20);
    let begun = Instant::now();
    let busy =
        || sides.db.outstanding_flushes() > 0 || sides.db.active_compactions() > 0 || sides.engine.is_busy();
    while busy() && begun.elapsed() < LONGEST {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The engine's futures never wait for anything but themselves.
fn now<T>(future: std::pin::Pin<Box<dyn Future<Output = T> + '_>>) -> T {
    let mut future = future;
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

async fn get_rows(sides: &Sides, table: &TableName, round: usize) -> Result<Duration, Failure> {
    let begun = Instant::now();
    for number in 0..GETS {
        let row = data::row(data::random(round as u64, number) % ROWS);
        let found = sides.engine.get(table, Get::new(row)).await?.value;
        expect(found.cells.len() as u64, COLUMNS)?;
    }
    Ok(begun.elapsed())
}

fn get_raw(sides: &Sides, keyspace: &Keyspace, round: usize) -> Result<Duration, Failure> {
    let begun = Instant::now();
    for number in 0..GETS {
        let row = data::row(data::random(round as u64, number) % ROWS);
        let mut found = Vec::new();
        for guard in sides.db.snapshot().prefix(keyspace, data::row_prefix(&row)) {
            found.push(guard.into_inner()?);
        }
        expect(found.len() as u64, COLUMNS)?;
    }
    Ok(begun.elapsed())
}

async fn scan_all(sides: &Sides, table: &TableName) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let mut scanner = sides.engine.scan(table, Scan::all()).await?;
    let mut cells = 0;
    loop {
        let rows = scanner.next_rows().await?;
        if rows.is_empty() {
            expect(cells, ROWS * COLUMNS)?;
            return Ok(begun.elapsed());
        }
        cells += rows.iter().map(|row| row.cells.len() as u64).sum::<u64>();
    }
}

fn scan_raw(sides: &Sides, keyspace: &Keyspace) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let mut cells = 0;
    let mut portion = Vec::new();
    for guard in sides.db.snapshot().iter(keyspace) {
        portion.push(guard.into_inner()?);
        cells += 1;
        if portion.len() == 10_000 {
            portion.clear();
        }
    }
    expect(cells, ROWS * COLUMNS)?;
    Ok(begun.elapsed())
}

async fn aggregate(sides: &Sides, table: &TableName) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let aggregate = Aggregate::new(Scan::all(), ValueType::I64);
    let regions = sides.engine.aggregate(table, aggregate).await?.value;
    let cells = tablesmith_store::aggregate::merge(&regions).values().map(|partial| partial.cells).sum();
    expect(cells, ROWS * COLUMNS)?;
    Ok(begun.elapsed())
}

fn expect(found: u64, wanted: u64) -> Result<(), Failure> {
    if found == wanted { Ok(()) } else { Err(format!("found {found}, expected {wanted}").into()) }
}
