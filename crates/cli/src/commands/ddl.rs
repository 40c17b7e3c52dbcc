//! `tablesmith ddl`: a design as commands of HBase's shell.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tablesmith_app::{AppError, design_file, output_file};

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  tablesmith ddl design.toml
  tablesmith ddl design.toml -o create.rb
  hbase shell create.rb
  tablesmith --store embedded:./tables shell create.rb

The commands are those of HBase's shell, and of tablesmith's own.";

/// Prints the commands that make a design's tables, for HBase's shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DdlArguments {
    /// The design
    #[arg(value_name = "DESIGN.toml")]
    design: PathBuf,
    /// Writes them into this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(global: &Global, arguments: &DdlArguments) -> Result<Verdict, Failure> {
    let design = design_file::read_with_workload(&arguments.design)?;
    let commands = design.shell_commands().map_err(AppError::in_file(&arguments.design))?;
    let text: String = commands.iter().map(|command| format!("{command}\n")).collect();
    let mut out = terminal::stdout();
    let printed = match (&arguments.output, global.format) {
        (Some(path), format) => {
            output_file::write(path, &text)?;
            match format {
                Format::Text => writeln!(out, "the commands are in {}", path.display()),
                Format::Json => {
                    writeln!(out, "{}", json!({"commands": commands, "output": path.display().to_string()}))
                }
            }
        }
        (None, Format::Text) => out.write_all(text.as_bytes()),
        (None, Format::Json) => writeln!(out, "{}", json!({"commands": commands})),
    };
    printed.map_err(Failure::output)?;
    Ok(Verdict::Yes)
}
