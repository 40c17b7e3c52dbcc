//! `tablesmith completions`: completion of this command line for the user's shell.

use std::io::Write;

use clap::{Args, CommandFactory};

use crate::arguments::Arguments;
use crate::failure::{Failure, Verdict};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  tablesmith completions bash > ~/.local/share/bash-completion/completions/tablesmith
  tablesmith completions zsh > ~/.zfunc/_tablesmith
  tablesmith completions fish > ~/.config/fish/completions/tablesmith.fish";

/// Prints a script that teaches your shell to complete this command line
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArguments {
    /// The shell
    shell: clap_complete::Shell,
}

pub fn run(arguments: &CompletionsArguments) -> Result<Verdict, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "tablesmith", &mut script);
    terminal::stdout().write_all(&script).map_err(Failure::output)?;
    Ok(Verdict::Yes)
}
