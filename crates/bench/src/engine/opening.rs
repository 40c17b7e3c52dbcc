//! How long a store takes to open, and how much memory: after loads of different sizes, with different numbers of
//! tables, and after its process was killed.

use std::path::Path;
use std::time::{Duration, Instant};

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Action, Get, Mutation, Put, Store};

use super::data;
use super::memory::peak_mb;

const SIZES_MB: [u64; 3] = [1, 100, 1_000];
const TABLES: [u64; 3] = [1, 20, 200];
const VALUE_BYTES: usize = 1_000;
const ROWS_PER_BATCH: u64 = 200;
const ROUNDS: usize = 5;
const ROUNDS_KILLED: usize = 3;
const WANTED_SECONDS: f64 = 0.3;
const WANTED_MB: u64 = 100;
/// The part of the program that opens, in a process of its own so that loading does not count.
const OPEN_DIR: &str = "TABLESMITH_BENCH_OPEN_DIR";
/// The part that loads and is killed.
const KILLED_DIR: &str = "TABLESMITH_BENCH_KILLED_DIR";
/// Which of [`KILLED`] that is.
const KILLED_LOAD: &str = "TABLESMITH_BENCH_KILLED_LOAD";
/// Loads whose process is killed at the end: just before the storage below begins another journal, long after, with
/// many tables, and with small cells.
const KILLED: [Load; 4] = [
    Load { megabytes: 60, tables: 1, value_bytes: VALUE_BYTES },
    Load { megabytes: 500, tables: 1, value_bytes: VALUE_BYTES },
    Load { megabytes: 200, tables: 20, value_bytes: VALUE_BYTES },
    Load { megabytes: 20, tables: 1, value_bytes: 40 },
];

/// What is loaded: bytes of values, spread over tables.
#[derive(Clone, Copy)]
struct Load {
    megabytes: u64,
    tables: u64,
    value_bytes: usize,
}

type Failure = Box<dyn std::error::Error>;

/// Opens stores of all kinds.
pub fn opening() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
    runtime.block_on(run()).map_err(|error| error.to_string())
}

async fn run() -> Result<(), Failure> {
    if let Some(dir) = std::env::var_os(OPEN_DIR) {
        return open_here(Path::new(&dir)).await;
    }
    if let Some(dir) = std::env::var_os(KILLED_DIR) {
        let number = std::env::var(KILLED_LOAD)?.parse::<usize>()?;
        let load = KILLED.get(number).ok_or("no such load")?;
        let _engine = load.run(Path::new(&dir)).await?;
        // As a kill does: nothing is closed.
        std::process::abort();
    }
    for megabytes in SIZES_MB {
        measure(&format!("{megabytes} MB in 1 table"), megabytes, 1).await?;
    }
    for tables in TABLES {
        measure(&format!("100 MB in {tables} table{}", if tables == 1 { "" } else { "s" }), 100, tables)
            .await?;
    }
    for number in 0..KILLED.len() {
        measure_killed(number)?;
    }
    Ok(())
}

async fn measure(what: &str, megabytes: u64, tables: u64) -> Result<(), Failure> {
    let dir = tempfile::tempdir()?;
    let engine = Load { megabytes, tables, value_bytes: VALUE_BYTES }.run(dir.path()).await?;
    let begun = Instant::now();
    drop(engine);
    let closing = begun.elapsed();
    let mut times = Vec::new();
    let mut most_mb = 0;
    for _ in 0..ROUNDS {
        let (took, peak_mb) = child_opens(dir.path())?;
        times.push(took);
        most_mb = most_mb.max(peak_mb);
    }
    times.sort();
    let median = times.get(ROUNDS / 2).copied().unwrap_or_default().as_secs_f64();
    println!(
        "  {what:<28} {median:>7.3} s   {most_mb:>4} MB   ({}; closing took {:.1} s)",
        verdict(median, most_mb),
        closing.as_secs_f64()
    );
    Ok(())
}

/// The same load again for every round: the first process that opens it closes it, too.
fn measure_killed(number: usize) -> Result<(), Failure> {
    let Some(Load { megabytes, tables, value_bytes }) = KILLED.get(number).copied() else { return Ok(()) };
    let (mut times, mut most_mb) = (Vec::new(), 0);
    for _ in 0..ROUNDS_KILLED {
        let dir = tempfile::tempdir()?;
        child(KILLED_DIR, dir.path(), &[(KILLED_LOAD, number.to_string())])?;
        let (took, peak_mb) = child_opens(dir.path())?;
        times.push(took);
        most_mb = most_mb.max(peak_mb);
    }
    times.sort();
    let median = times.get(ROUNDS_KILLED / 2).copied().unwrap_or_default().as_secs_f64();
    let what = format!("{megabytes} MB in {tables} × {value_bytes} B, killed");
    println!("  {what:<28} {median:>7.3} s   {most_mb:>4} MB   ({})", verdict(median, most_mb));
    Ok(())
}

fn verdict(seconds: f64, megabytes: u64) -> String {
    let is_reached = seconds < WANTED_SECONDS && megabytes < WANTED_MB;
    let verdict = if is_reached { "reached" } else { "not reached" };
    format!("wanted {WANTED_SECONDS} s, {WANTED_MB} MB: {verdict}")
}

impl Load {
    async fn run(self, dir: &Path) -> Result<Engine, Failure> {
        let Self { megabytes, tables, value_bytes } = self;
        let engine = Engine::open(EngineOptions::new(dir))?;
        let rows_per_table = (megabytes * 1_000_000 / value_bytes as u64).div_ceil(tables);
        for number in 0..tables {
            let table: TableName = format!("t{number}").parse()?;
            let families = [FamilyDescriptor::new(data::FAMILY)];
            engine.create_table(TableDescriptor::new(table.clone(), families), vec![]).await?;
            for from in (0..rows_per_table).step_by(ROWS_PER_BATCH as usize) {
                let puts = (from..(from + ROWS_PER_BATCH).min(rows_per_table)).map(|row| {
                    let key = data::row(data::shuffled(row, rows_per_table));
                    Action::Mutate(Mutation::Put(Put::new(key).add(
                        data::FAMILY,
                        "q",
                        value(row, value_bytes),
                    )))
                });
                for answer in engine.batch(&table, puts.collect()).await?.value {
                    answer?;
                }
            }
        }
        Ok(engine)
    }
}

/// A value that does not compress.
fn value(row: u64, bytes: usize) -> Vec<u8> {
    (0..bytes as u64 / 8).flat_map(|word| data::random(row, word).to_le_bytes()).collect()
}

/// Opens a store in a process of its own: the time of opening and of one get, and the peak of resident memory.
fn child_opens(dir: &Path) -> Result<(Duration, u64), Failure> {
    let said = child(OPEN_DIR, dir, &[])?;
    let mut numbers = said.split_whitespace().map(str::parse::<u64>);
    let (Some(Ok(microseconds)), Some(Ok(peak_mb))) = (numbers.next(), numbers.next()) else {
        return Err(format!("the opening process said {said:?}").into());
    };
    Ok((Duration::from_micros(microseconds), peak_mb))
}

fn child(part: &str, dir: &Path, more: &[(&str, String)]) -> Result<String, Failure> {
    let program = std::env::current_exe()?;
    let ended = std::process::Command::new(program)
        .arg("open")
        .env(part, dir)
        .envs(more.iter().map(|(name, value)| (name, value)))
        .stderr(std::process::Stdio::inherit())
        .output()?;
    let said = String::from_utf8(ended.stdout)?;
    // The first line is the name of the benchmark.
    Ok(said.lines().nth(1).unwrap_or_default().to_owned())
}

async fn open_here(dir: &Path) -> Result<(), Failure> {
    let begun = Instant::now();
    let engine = Engine::open(EngineOptions::new(dir))?;
    let found = engine.get(&"t0".parse()?, Get::new(data::row(0))).await?.value;
    let took = begun.elapsed();
    if found.cells.is_empty() {
        return Err("the row is not there".into());
    }
    println!("{} {}", took.as_micros(), peak_mb()?);
    Ok(())
}
