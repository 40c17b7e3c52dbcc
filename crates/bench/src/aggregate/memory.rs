//! Resident memory of summing up 40 million readings.

use std::path::PathBuf;

use tablesmith_access::series::{AggregateQuery, Entities, GroupBy, Series};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::TableName;
use tablesmith_store::aggregate::Figures;
use tablesmith_store::{FlushScope, Store};

use super::Failure;
use super::ground::{layout_of, readings_of, table};
use crate::engine::peak_mb;

/// The paper's stations and days.
const STATIONS: i64 = 404;
const DAYS: i64 = 70;
const READINGS: u64 = (STATIONS * DAYS * 1_440) as u64;
const WANTED_MB: u64 = 300;
/// The part of the program that sums up, in a process of its own so that loading does not count.
const SUM_DIR: &str = "TABLESMITH_BENCH_SUM_DIR";

/// Loads a table here, sums it up in a child process and prints the child's peak of resident memory.
pub fn memory() -> Result<(), String> {
    if let Some(directory) = std::env::var_os(SUM_DIR) {
        return block(sum(directory.into()));
    }
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    block(load(directory.path().to_owned()))?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let status =
        std::process::Command::new(program).arg("aggregate-memory").env(SUM_DIR, directory.path()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("the process that sums up ended with {other:?}")),
    }
}

fn block(future: impl Future<Output = Result<(), Failure>>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
    runtime.block_on(future).map_err(|error| error.to_string())
}

async fn load(directory: PathBuf) -> Result<(), Failure> {
    let engine = Engine::open(EngineOptions::new(directory))?;
    let (series, name) = readings()?;
    let split = |region| series.row_key(&[tablesmith_model::value::Value::Int(region * STATIONS / 8)], 0);
    series.create(&engine, &name, (1..8).map(split).collect::<Result<Vec<_>, _>>()?).await?;
    for day in 0..DAYS {
        series.write(&engine, &name, &readings_of(day, STATIONS)).await?;
    }
    // What is not in files yet would be read into memory when the store is opened again.
    Ok(engine.flush(FlushScope::Table(name, None)).await?)
}

async fn sum(directory: PathBuf) -> Result<(), Failure> {
    let engine = Engine::open(EngineOptions::new(directory))?;
    let (series, name) = readings()?;
    let query = AggregateQuery {
        entities: Entities::All,
        from: 0,
        to: DAYS * 86_400_000,
        metric: "bikes".to_owned(),
        group: GroupBy::EntityAndBucket(86_400_000),
        figures: Figures::OF_NUMBERS,
    };
    let begun = std::time::Instant::now();
    let groups = series.aggregate(&engine, &name, &query).await?.value;
    let (count, took) = (groups.values().map(|summary| summary.count).sum::<u64>(), begun.elapsed());
    let peak_mb = peak_mb()?;
    let verdict = if count == READINGS && peak_mb < WANTED_MB { "reached" } else { "not reached" };
    println!(
        "  {count} readings in {} groups, {:.1} s; peak of resident memory {peak_mb} MB (wanted below {WANTED_MB}: {verdict})",
        groups.len(),
        took.as_secs_f64()
    );
    Ok(())
}

fn readings() -> Result<(Series, TableName), Failure> {
    Ok((Series::new(&table(), layout_of("versions")?)?, "readings".parse()?))
}
