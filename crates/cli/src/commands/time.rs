//! `tablesmith time`: what of readings over time goes into the row key, into columns, versions or packed cells.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tablesmith_app::time::{self, TimeOptions};

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

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

pub async fn run(global: &Global, arguments: TimeArguments) -> Result<Verdict, Failure> {
    let options = TimeOptions {
        workload: arguments.workload,
        table: arguments.table,
        measured: usize::from(arguments.measure),
        sample: usize::try_from(arguments.sample).unwrap_or(usize::MAX),
        time: Duration::from_secs(arguments.time.into()),
        output: arguments.output,
        report: arguments.report,
    };
    let result = time::run(&global.context(), &options).await?;
    show(global, &result, |out, result| {
        text::time::write(out, result)?;
        text::write_files(out, &[("design", &options.output), ("page", &options.report)])
    })?;
    Ok(Verdict::of(result.answers_equal()))
}
