//! A process to be killed: writes rows and counts, and prints what was acknowledged.
//!
//! `crash_writer DIR FIRST PAD_BYTES [fsync]` writes rows from number FIRST on, each in two families and so many bytes
//! large, and adds one to a counter after each. A line `row N` or `count N` is printed once the write is acknowledged.

use std::io::Write;
use std::process::ExitCode;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::{Durability, FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{FlushScope, Increment, Put, Store, StoreError};

/// Rows between flushes.
const FLUSH_EVERY: u64 = 700;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|number| number.parse::<u64>().ok());
    let (Some(dir), Some(first), Some(pad_bytes)) = (arguments.first(), number(1), number(2)) else {
        eprintln!("usage: crash_writer DIR FIRST PAD_BYTES [fsync]");
        return ExitCode::from(2);
    };
    let fsync = arguments.get(3).is_some_and(|word| word == "fsync");
    match write(dir, first, pad_bytes, fsync).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(3)
        }
    }
}

async fn write(dir: &str, first: u64, pad_bytes: u64, fsync: bool) -> Result<(), StoreError> {
    // Small memory for writes, so that generations end often.
    let engine = Engine::open(EngineOptions { flush_bytes: 64 << 10, ..EngineOptions::new(dir) })?;
    let table: TableName = "t".parse()?;
    if !engine.table_exists(&table).await? {
        let families = [FamilyDescriptor::new("f"), FamilyDescriptor::new("g")];
        engine
            .create_table(TableDescriptor::new(table.clone(), families), vec!["r3".into(), "r6".into()])
            .await?;
    }
    let durability = if fsync { Durability::FsyncWal } else { Durability::SyncWal };
    let mut out = std::io::stdout().lock();
    let mut say = |line: String| {
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| StoreError::Io(error.to_string()))
    };
    for number in first.. {
        let value = number.to_string();
        let pad = vec![b'x'; pad_bytes as usize];
        let put =
            Put::new(row(number)).add("f", "n", value.clone()).add("f", "pad", pad).add("g", "n", value);
        engine.put(&table, Put { durability, ..put }).await?;
        say(format!("row {number}"))?;
        let increment = Increment { durability, ..Increment::new("counter", "f", "c", 1) };
        let counted = engine.increment(&table, increment).await?.value;
        let counter = counted.value(b"f", b"c").map_or(0, |value| number_of(value));
        say(format!("count {counter}"))?;
        if number % FLUSH_EVERY == 0 {
            engine.flush(FlushScope::Table(table.clone(), None)).await?;
        }
    }
    Ok(())
}

/// Rows spread over the regions.
fn row(number: u64) -> String {
    format!("r{}-{number:08}", number % 10)
}

fn number_of(value: &[u8]) -> i64 {
    value.try_into().map(i64::from_be_bytes).unwrap_or(-1)
}
