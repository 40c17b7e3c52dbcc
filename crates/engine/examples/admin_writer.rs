//! A process to be killed, or cut off from power: administrative commands between writes that are synced.
//!
//! `admin_writer DIR` runs its commands on a new store, and prints a line `step NUMBER DESCRIPTION` after each of them,
//! with what the store looks like then.

use std::io::Write;
use std::process::ExitCode;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::{Durability, FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{FlushScope, Put, Store, StoreError};

#[path = "../tests/it/describe.rs"]
mod describe;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Some(dir) = std::env::args().nth(1) else {
        eprintln!("usage: admin_writer DIR");
        return ExitCode::from(2);
    };
    match run(&dir).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(3)
        }
    }
}

async fn run(dir: &str) -> Result<(), StoreError> {
    let engine = Engine::open(EngineOptions::new(dir))?;
    let table: TableName = "t".parse()?;
    let other: TableName = "other".parse()?;
    let spaced: TableName = "ns:x".parse()?;
    let whole = FlushScope::Table(table.clone(), None);
    let descriptor = |families: &[&'static str], block_size_bytes: usize| {
        let family = |name: &&'static str| FamilyDescriptor {
            block_size_bytes: block_size_bytes.try_into().unwrap_or(u32::MAX),
            ..FamilyDescriptor::new(*name)
        };
        TableDescriptor::new(table.clone(), families.iter().map(family))
    };
    let one_family = |name: &TableName| TableDescriptor::new(name.clone(), [FamilyDescriptor::new("f")]);
    let mut said = Said { engine: &engine, step: 0 };
    said.step().await?;
    engine.create_table(one_family(&other), vec![]).await?;
    said.step().await?;
    for round in 0..2 {
        engine.create_table(descriptor(&["f", "g"], 65_536), vec!["m".into()]).await?;
        said.step().await?;
        put(&engine, &other, &format!("before{round}")).await?;
        said.step().await?;
        put(&engine, &table, "k").await?;
        said.step().await?;
        engine.flush(whole.clone()).await?;
        said.step().await?;
        engine.alter_table(descriptor(&["f", "g"], 8_192)).await?;
        said.step().await?;
        engine.split_table(&table, Some("c".into())).await?;
        said.step().await?;
        engine.major_compact(whole.clone()).await?;
        said.step().await?;
        engine.alter_table(descriptor(&["f", "h"], 8_192)).await?;
        said.step().await?;
        engine.create_namespace("ns").await?;
        said.step().await?;
        engine.create_table(one_family(&spaced), vec![]).await?;
        said.step().await?;
        engine.disable_table(&table).await?;
        said.step().await?;
        engine.truncate_table(&table, round == 0).await?;
        said.step().await?;
        put(&engine, &table, "z").await?;
        said.step().await?;
        engine.disable_table(&spaced).await?;
        said.step().await?;
        engine.drop_table(&spaced).await?;
        said.step().await?;
        engine.drop_namespace("ns").await?;
        said.step().await?;
        let regions = engine.regions(&table).await?;
        if let [first, second, ..] = regions.as_slice() {
            engine.merge_regions(&[first.name(), second.name()], false).await?;
        }
        said.step().await?;
        engine.disable_table(&table).await?;
        said.step().await?;
        engine.drop_table(&table).await?;
        said.step().await?;
    }
    Ok(())
}

/// One row, synced.
async fn put(engine: &Engine, table: &TableName, row: &str) -> Result<(), StoreError> {
    let put = Put { durability: Durability::FsyncWal, ..Put::new(row.to_owned()).add("f", "q", "value") };
    engine.put(table, put).await.map(|_| ())
}

/// What was acknowledged so far.
struct Said<'a> {
    engine: &'a Engine,
    step: u64,
}

impl Said<'_> {
    async fn step(&mut self) -> Result<(), StoreError> {
        let line = format!("step {} {}\n", self.step, describe::describe(self.engine).await?);
        self.step += 1;
        // One call of the operating system: a line is acknowledged whole.
        let mut out = std::io::stdout().lock();
        let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| StoreError::Io(error.to_string()))
    }
}
