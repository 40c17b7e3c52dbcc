//! `tablesmith repair`: copies are held against the rows that they were made from.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tablesmith_access::{LAID_OTHERWISE, Repair, Repaired, repair};

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::interrupt::interruptible;
use crate::load::opened;
use crate::open;

const EXAMPLES: &str = "\
Examples:
  tablesmith repair design.toml
  tablesmith repair design.toml --yes --store hbase://localhost:16000

Without --yes it says what is missing, different or too much in the copies, and the exit code is 1 when there is something.
The rows that copies are made from are never changed.";

/// Finds and mends what a crash left: copies of rows that are missing or not true
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RepairArguments {
    /// The design
    #[arg(value_name = "DESIGN.toml")]
    design: PathBuf,
    /// Mends it; without it, only says what is wrong
    #[arg(short, long)]
    yes: bool,
}

pub async fn run(global: &Global, arguments: &RepairArguments) -> Result<Verdict, Failure> {
    let design = opened::Opened::read(&arguments.design)?;
    let store = open::bare(global).await?;
    let otherwise = design.writer.laid_otherwise(&*store).await.map_err(opened::failed)?;
    if let Some(table) = otherwise.first() {
        // By this design its rows would be taken for missing or wrong.
        return Err(Failure::BadFile(format!("{table} {LAID_OTHERWISE}: {}", opened::INSTEAD)));
    }
    let how = if arguments.yes { Repair::Mend } else { Repair::Look };
    let work = async { repair(&*store, &design.writer, how).await.map_err(opened::failed) };
    let found = interruptible(work).await?;
    print(global, how, &found).map_err(Failure::Output)?;
    let is_fine = how == Repair::Mend || found.iter().all(Repaired::is_true);
    Ok(if is_fine { Verdict::Yes } else { Verdict::No })
}

fn print(global: &Global, how: Repair, found: &[Repaired]) -> io::Result<()> {
    let mut out = io::stdout();
    if global.format == Format::Json {
        let place = |one: &Repaired| {
            json!({"table": one.table, "from": one.tables, "records": one.records, "missing": one.missing,
                   "different": one.different, "dangling": one.dangling})
        };
        let places: Vec<_> = found.iter().map(place).collect();
        return writeln!(out, "{}", json!({"copies": places, "mended": how == Repair::Mend}));
    }
    let wrong: Vec<&Repaired> = found.iter().filter(|one| !one.is_true()).collect();
    for one in &wrong {
        writeln!(
            out,
            "{} (from {}): {} of {} records missing, {} different, {} too much",
            one.table,
            one.tables.join(", "),
            one.missing,
            one.records,
            one.different,
            one.dangling
        )?;
    }
    match (wrong.is_empty(), how) {
        (true, _) => writeln!(out, "all {} copies say what their rows say", found.len()),
        (false, Repair::Look) => writeln!(out, "\nnothing is mended yet; to mend it: --yes"),
        (false, Repair::Mend) => writeln!(out, "mended"),
    }
}
