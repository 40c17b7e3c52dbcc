//! `tablesmith load`: rows of files go into all places of a design.

use std::path::PathBuf;

use clap::Args;
use tablesmith_app::load::{self, DataFile, LoadOptions};

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

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

pub async fn run(global: &Global, arguments: LoadArguments) -> Result<Verdict, Failure> {
    let LoadArguments { design, data, reject, again } = arguments;
    let result = load::run(&global.context(), &LoadOptions { design, data, reject, again }).await?;
    show(global, &result, text::load::write)?;
    Ok(Verdict::of(result.is_complete()))
}
