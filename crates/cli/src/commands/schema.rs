//! `tablesmith schema`: the JSON Schemas of the files that people edit.

use std::io::Write;

use clap::{Args, ValueEnum};

use crate::failure::{Failure, Verdict};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  tablesmith schema workload > workload.schema.json
  tablesmith schema design > design.schema.json

An editor that knows TOML then completes and checks the file, when its first line is
  #:schema ./workload.schema.json";

/// Prints the JSON Schema of a file that you edit
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SchemaArguments {
    /// The file
    file: File,
}

/// The files that have a schema.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum File {
    /// workload.toml: what an application has and asks.
    Workload,
    /// design.toml: what was decided and why.
    Design,
}

pub fn run(arguments: &SchemaArguments) -> Result<Verdict, Failure> {
    let schema = match arguments.file {
        File::Workload => tablesmith_model::workload::json_schema(),
        File::Design => tablesmith_model::design::json_schema(),
    };
    writeln!(terminal::stdout(), "{schema:#}").map_err(Failure::output)?;
    Ok(Verdict::Yes)
}
