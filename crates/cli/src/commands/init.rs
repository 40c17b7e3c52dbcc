//! `tablesmith init`: looks at data files and a query log, and writes the `workload.toml` that everything else begins with.

use std::path::PathBuf;

use clap::Args;
use tablesmith_app::init::{self, InitOptions};

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

const EXAMPLES: &str = "\
Examples:
  tablesmith init --data users.csv --data follow.csv
  tablesmith init --data ads.csv --log queries.sql -o workload.toml
  tablesmith init --schema dump.sql --log queries.log
  tablesmith init --data readings.parquet -o readings/workload.toml --force
  tablesmith init --data users.jsonl --format json

Limits: a row, a record of a log or a statement has at most 16 MiB, a statement without its values 4 MiB; longer ones are left
out, counted and shown. A page of a Parquet file has at most 64 MiB uncompressed, all open pages together 256 MiB; in a large file
both may have 8 times its size, up to 512 MiB and 2 GiB. A file that needs more is refused.";

/// Measures data files, reads a query log, and writes what was found as a workload.toml for you to edit
///
/// Reads CSV (with a header), JSON lines and Parquet of any size: types, distinct values, sizes, nulls, frequent values
/// and keys. A line or statement that cannot be understood is left out, counted and shown.
///
/// From a relational database: its dump (`pg_dump`, `mysqldump`, `sqlite3 .dump`) says the tables, types, keys and references;
/// rows in it are written to files of JSON lines beside the workload. What a database promises of its rows besides keys (NOT NULL,
/// DEFAULT, CHECK, foreign keys that must be met) is not kept: no wide-column store does.
///
/// Exit code 1 when rows or declarations of the dump were left out
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InitArguments {
    /// A data file; it becomes the table of its name. Can be given several times
    #[arg(long, value_name = "FILE", required_unless_present = "schema", num_args = 1..)]
    data: Vec<PathBuf>,
    /// The dump of a relational database, or just its CREATE TABLE statements
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// A log of past queries: SQL, JSON lines, CSV, or a log of PostgreSQL or MySQL. Its kinds of statements become queries
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Where to write
    #[arg(short, long, value_name = "FILE", default_value = "workload.toml")]
    output: PathBuf,
    /// Writes over a file that exists
    #[arg(long)]
    force: bool,
}

pub fn run(global: &Global, arguments: InitArguments) -> Result<Verdict, Failure> {
    let InitArguments { data, schema, log, output, force } = arguments;
    let result = init::run(&global.context(), &InitOptions { data, schema, log, output, force })?;
    show(global, &result, text::init::write)?;
    Ok(Verdict::of(result.is_complete()))
}
