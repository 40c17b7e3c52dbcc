//! `tablesmith repair`: copies are held against the rows that they were made from.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tablesmith_access::{OTHER_LAYOUT, Repair, Repaired, repair, unfinished_moves};

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::interrupt::{self, interruptible};
use crate::load::opened;
use crate::number_text::grouped;
use crate::open;
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  tablesmith repair design.toml
  tablesmith repair design.toml --yes --store hbase://localhost:16000

Without --yes it says what is missing, different or too much in the copies, and the exit code is 1 when there is something.
Base rows stay as they are; rows that a stopped client was moving to another key arrive there.";

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
    let store = open::for_rows(global).await?;
    let how = if arguments.yes { Repair::Mend } else { Repair::Look };
    let work = async {
        let otherwise = design.writer.tables_with_other_layout(&store).await.map_err(opened::failed)?;
        if let Some(table) = otherwise.first() {
            // By this design its rows would be taken for missing or wrong.
            return Err(Failure::BadFile(format!("{table} {OTHER_LAYOUT}: {}", opened::INSTEAD)));
        }
        let moves = unfinished_moves(&store).await.map_err(opened::failed)?;
        let found = repair(&store, &design.writer, how).await.map_err(opened::failed)?;
        Ok(Found { moves, tables: found })
    };
    let found =
        interruptible(work).await.inspect_err(|_| note_progress(how, store.intercept().rows_written()))?;
    print(global, how, &found).map_err(Failure::Output)?;
    let is_fine = how == Repair::Mend || found.is_fine();
    Ok(if is_fine { Verdict::Yes } else { Verdict::No })
}

/// What a repair found.
struct Found {
    /// Base rows that exist twice, as a client stopped while it moved them.
    moves: u64,
    /// Index tables.
    tables: Vec<Repaired>,
}

impl Found {
    fn is_fine(&self) -> bool {
        self.moves == 0 && self.tables.iter().all(Repaired::is_true)
    }
}

/// What is done of a repair that is interrupted.
fn note_progress(how: Repair, rows: u64) {
    interrupt::note_progress(match how {
        Repair::Look => {
            "nothing was changed; run the same command again to check all index tables".to_owned()
        }
        Repair::Mend => {
            format!("{} rows of index tables repaired; run the same command again to continue", grouped(rows))
        }
    });
}

fn print(global: &Global, how: Repair, found: &Found) -> io::Result<()> {
    let mut out = terminal::stdout();
    if global.format == Format::Json {
        let place = |one: &Repaired| {
            json!({"table": one.table, "from": one.tables, "records": one.records, "missing": one.missing,
                   "different": one.different, "dangling": one.dangling})
        };
        let places: Vec<_> = found.tables.iter().map(place).collect();
        let moves = found.moves;
        return writeln!(out, "{}", json!({"copies": places, "moves": moves, "mended": how == Repair::Mend}));
    }
    if found.moves > 0 {
        let (rows, are) = if found.moves == 1 { ("row", "was") } else { ("rows", "were") };
        writeln!(
            out,
            "{} {rows} {are} being moved to another key when a client stopped; queries see the old ones",
            grouped(found.moves)
        )?;
    }
    let wrong: Vec<&Repaired> = found.tables.iter().filter(|one| !one.is_true()).collect();
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
    match (found.is_fine(), how) {
        (true, _) => writeln!(out, "all {} copies say what their rows say", found.tables.len()),
        (false, Repair::Look) => writeln!(out, "\nnothing is mended yet; to mend it: --yes"),
        (false, Repair::Mend) => writeln!(out, "mended"),
    }
}
