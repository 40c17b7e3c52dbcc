//! `tablesmith repair`: copies are held against the rows that they were made from.

use std::path::PathBuf;

use clap::Args;
use tablesmith_app::repair::{self, RepairOptions};

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

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

pub async fn run(global: &Global, arguments: RepairArguments) -> Result<Verdict, Failure> {
    let RepairArguments { design, yes } = arguments;
    let result = repair::run(&global.context(), &RepairOptions { design, yes }).await?;
    show(global, &result, text::repair::write)?;
    Ok(Verdict::of(result.mended || result.is_consistent()))
}
