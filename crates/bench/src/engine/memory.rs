//! Resident memory of a scan over many cells.

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Action, Mutation, Put, Scan, Store};

use super::data;

const CELLS: u64 = 10_000_000;
const COLUMNS: u64 = 10;
const ROWS_PER_BATCH: u64 = 500;
const WANTED_MB: u64 = 300;
/// The part of the program that scans, in a process of its own so that loading does not count.
const SCAN_DIR: &str = "TABLESMITH_BENCH_SCAN_DIR";

/// Loads a table here, scans it in a child process and prints the child's peak of resident memory.
pub fn memory() -> Result<(), String> {
    if let Some(dir) = std::env::var_os(SCAN_DIR) {
        return block(scan(dir.into()));
    }
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    block(load(dir.path().to_owned()))?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let status = std::process::Command::new(program).arg("engine-memory").env(SCAN_DIR, dir.path()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("the scanning process ended with {other:?}")),
    }
}

fn block(future: impl Future<Output = Result<(), Box<dyn std::error::Error>>>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
    runtime.block_on(future).map_err(|error| error.to_string())
}

async fn load(dir: std::path::PathBuf) -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::open(EngineOptions::new(dir))?;
    let table: TableName = "t".parse()?;
    engine
        .create_table(TableDescriptor::new(table.clone(), [FamilyDescriptor::new(data::FAMILY)]), vec![])
        .await?;
    let rows = CELLS / COLUMNS;
    for batch in 0..rows / ROWS_PER_BATCH {
        let puts = (batch * ROWS_PER_BATCH..(batch + 1) * ROWS_PER_BATCH).map(|number| {
            let mut put = Put::new(data::row(data::shuffled(number, rows)));
            for column in 0..COLUMNS {
                put = put.add_at(
                    data::FAMILY,
                    data::qualifier(column),
                    data::TIMESTAMP,
                    data::value(1, number, column),
                );
            }
            Action::Mutate(Mutation::Put(put))
        });
        for answer in engine.batch(&table, puts.collect()).await?.value {
            answer?;
        }
    }
    Ok(())
}

async fn scan(dir: std::path::PathBuf) -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::open(EngineOptions::new(dir))?;
    let table: TableName = "t".parse()?;
    let after_open_mb = peak_mb()?;
    let mut scanner = engine.scan(&table, Scan::all()).await?;
    let mut cells = 0;
    loop {
        let rows = scanner.next_rows().await?;
        if rows.is_empty() {
            break;
        }
        cells += rows.iter().map(|row| row.cells.len() as u64).sum::<u64>();
    }
    let peak_mb = peak_mb()?;
    let verdict = if cells == CELLS && peak_mb < WANTED_MB { "reached" } else { "not reached" };
    println!(
        "  {cells} cells scanned; peak of resident memory {peak_mb} MB, {after_open_mb} MB of it after opening \
         (wanted below {WANTED_MB}: {verdict})"
    );
    Ok(())
}

/// The highest resident memory of this process up to now, from the kernel.
pub fn peak_mb() -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line =
        status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("the kernel does not tell VmHWM")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).ok_or("VmHWM has no number")?.parse()?;
    Ok(kilobytes / 1_024)
}
