//! `tablesmith apply`: a store gets the tables of a design.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tablesmith_access::{ApplyError, FamilyName, Living, OTHER_LAYOUT, Step, Steps};
use tablesmith_model::TableName;

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::load::opened::{Opened, failed};
use crate::terminal;
use crate::{design_file, interrupt, open};

const EXAMPLES: &str = "\
Examples:
  tablesmith apply design.toml
  tablesmith apply design.toml --yes --store hbase://localhost:16000
  tablesmith apply design.toml --yes --lose stations:old

Without --yes it says what it would do. Twice is the same as once. Families that the design does not have stay, and so do
more versions and a longer TTL than it says: data goes only where --lose names the family.";

/// Makes the tables of a design in a store, or brings those that are there to what it says
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ApplyArguments {
    /// The design
    #[arg(value_name = "DESIGN.toml")]
    design: PathBuf,
    /// Does it; without it, only says what would be done
    #[arg(short, long)]
    yes: bool,
    /// A family whose data may go: because the design does not have it, or keeps less of it
    #[arg(long, value_name = "TABLE:FAMILY")]
    lose: Vec<FamilyName>,
}

pub async fn run(global: &Global, arguments: &ApplyArguments) -> Result<Verdict, Failure> {
    let design = design_file::read(&arguments.design)?;
    let wrong = |error: ApplyError| Failure::BadFile(format!("{}: {error}", arguments.design.display()));
    // A design that cannot be applied needs no store to be told so.
    Steps::of(&design, &Living::default(), &[]).map_err(wrong)?;
    let workload = arguments.design.parent().unwrap_or(Path::new("")).join(&design.workload);
    let opened = if workload.exists() { Some(Opened::read(&arguments.design)?) } else { None };
    let names: Vec<TableName> = design.tables.iter().filter_map(|table| table.name.parse().ok()).collect();
    let store = open::store(global).await?;
    let living = Living::look(&*store, &names).await?;
    let steps = Steps::of(&design, &living, &arguments.lose).map_err(wrong)?;
    let is_text = global.format == Format::Text;
    if arguments.yes {
        let mut done = 0;
        let mut tell = |step: &Step| {
            done += 1;
            interrupt::note_progress(format!(
                "{done} of {} steps done; run the same command again for the rest",
                steps.steps.len()
            ));
            if is_text {
                // A reader that has gone away must not keep the rest from being done.
                let _ = writeln!(terminal::stdout(), "done: {step}");
            }
        };
        steps.make(&*store, &mut tell).await?;
    }
    let otherwise = match opened {
        Some(opened) => opened.writer.tables_with_other_layout(&*store).await.map_err(failed)?,
        None => Vec::new(),
    };
    print(global, arguments, &steps, &otherwise).map_err(Failure::Output)?;
    Ok(Verdict::Yes)
}

fn print(global: &Global, arguments: &ApplyArguments, steps: &Steps, otherwise: &[String]) -> io::Result<()> {
    let mut out = terminal::stdout();
    let words: Vec<String> = steps.steps.iter().map(ToString::to_string).collect();
    if global.format == Format::Json {
        let value = json!({"steps": words, "stays": steps.stays, "laid_otherwise": otherwise,
                           "applied": arguments.yes});
        return writeln!(out, "{value}");
    }
    if !arguments.yes {
        words.iter().try_for_each(|step| writeln!(out, "would {step}"))?;
    }
    steps.stays.iter().try_for_each(|stays| writeln!(out, "stays as it is: {stays}"))?;
    for table in otherwise {
        writeln!(
            out,
            "warning: {table} {OTHER_LAYOUT}: queries may not find them; empty it (truncate in tablesmith shell) and load \
             again, or give it another name"
        )?;
    }
    match (steps.steps.is_empty(), arguments.yes) {
        (true, _) => writeln!(out, "nothing to do: the store has all tables of the design"),
        (false, false) => writeln!(out, "\nnothing is done yet; to do it: --yes"),
        (false, true) => Ok(()),
    }
}
