//! `tablesmith time`: what of readings over time goes into the row key, into columns, versions or packed cells.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::terminal;
use crate::time::{self, Answer, Task};
use crate::{open, output_file};

const EXAMPLES: &str = "\
Examples:
  tablesmith time workload.toml
  tablesmith time workload.toml --table reading -o design.toml
  tablesmith time workload.toml --measure 16 --sample 200000 --report time.html
  tablesmith time workload.toml --measure 0 --format json

The workload says which columns are the entity and the time:
  [table.time]
  column = \"at\"
  entity = [\"station\"]
Layouts are called dimension/span/key order/cells: versions/1d/entity-time/each keeps a day of an entity in one row, the
time as the version of its cells, one column a metric.";

/// Says how to lay out readings over time: what goes into the row key, into columns, versions or packed cells, and how much
/// into one row
///
/// Predicts what the workload's queries take on every layout that can hold the readings, measures those that are
/// not far behind on a sample of the data, and recommends one with its reasons and its limits. With -o the layout is written into a design.toml; the
/// rest of that file stays as it is
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TimeArguments {
    /// The workload.toml
    #[arg(value_name = "WORKLOAD")]
    workload: PathBuf,
    /// Only this table
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
    /// How many layouts are measured at most, the most promising first; 0: only predicted
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(0..=500))]
    measure: u16,
    /// Readings that layouts are measured with, at most
    #[arg(long, value_name = "ROWS", default_value_t = 30_000, value_parser = clap::value_parser!(u32).range(100..))]
    sample: u32,
    /// Seconds that measuring a table may take
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    time: u16,
    /// Writes the recommended layout into this design.toml
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Writes a page with all layouts into this file, as HTML
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub async fn run(global: &Global, arguments: &TimeArguments) -> Result<Verdict, Failure> {
    for path in [&arguments.output, &arguments.report].into_iter().flatten() {
        output_file::check_place(path)?;
    }
    let task = Task {
        table: arguments.table.clone(),
        measured: usize::from(arguments.measure),
        sample: usize::try_from(arguments.sample).unwrap_or(usize::MAX),
        time: Duration::from_secs(arguments.time.into()),
    };
    let answers = time::decide(global, &arguments.workload, &task).await?;
    if let Some(path) = &arguments.output {
        time::write::into_design(path, &arguments.workload, &answers)?;
    }
    if let Some(path) = &arguments.report {
        let evidence = time::page::evidence(&answers, open::address(global), global.seed);
        output_file::write(path, &tablesmith_report::page(&evidence))?;
    }
    print(global, arguments, &answers).map_err(Failure::Output)?;
    let is_fine = answers.iter().all(|answer| answer.recommendation.differences.is_empty());
    Ok(if is_fine { Verdict::Yes } else { Verdict::No })
}

fn print(global: &Global, arguments: &TimeArguments, answers: &[Answer]) -> io::Result<()> {
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => writeln!(out, "{}", time::json::value(answers, global.seed)),
        Format::Text => {
            time::text::write(&mut out, answers, global.seed)?;
            for (what, path) in [("design", &arguments.output), ("page", &arguments.report)] {
                if let Some(path) = path {
                    writeln!(out, "the {what} is in {}", path.display())?;
                }
            }
            Ok(())
        }
    }
}
