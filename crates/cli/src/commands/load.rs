//! `tablesmith load`: rows of files go into all places of a design.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::load::{self, DataFile, Task};

const EXAMPLES: &str = "\
Examples:
  tablesmith load design.toml
  tablesmith load design.toml --data follow=follow.csv --data more-follows.csv
  zcat follow.csv.gz | tablesmith load design.toml --data follow=- --reject bad-rows.tsv

Without --data the files that the workload names are loaded. A load that was broken off goes on where it was when it is
started again, and a file that is loaded is not loaded twice, unless --again says so. Rows that do not go in are left out, with their line and the
reason in the reject file; the exit code is then 1.";

/// Loads rows of data files into the tables of a design, all copies of a row together
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LoadArguments {
    /// The design
    #[arg(value_name = "DESIGN.toml")]
    design: PathBuf,
    /// A file with rows of a table, - for the standard input; without TABLE= its name says which
    #[arg(long, value_name = "[TABLE=]FILE")]
    data: Vec<DataFile>,
    /// Where rows go that do not go in, with line and reason [default: beside the design, its name and .rejected]
    #[arg(long, value_name = "FILE")]
    reject: Option<PathBuf>,
    /// Loads files from their beginning, also those that were loaded: for rows that did not go in and would now
    #[arg(long)]
    again: bool,
}

pub async fn run(global: &Global, arguments: &LoadArguments) -> Result<Verdict, Failure> {
    let reject = arguments.reject.clone().unwrap_or_else(|| arguments.design.with_extension("rejected"));
    let task = Task { design: &arguments.design, data: &arguments.data, reject, again: arguments.again };
    load::run(global, &task).await
}
