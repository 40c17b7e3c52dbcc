//! The commands, one file each. They only parse and call.

pub mod completions;
pub mod demo;
pub mod shell;

use crate::arguments::{Arguments, Command};
use crate::failure::{Failure, Verdict};

/// Runs the command that was typed.
pub async fn run(Arguments { global, command }: Arguments) -> Result<Verdict, Failure> {
    match command {
        Command::Shell(arguments) => shell::run(&global, arguments).await,
        Command::Demo(arguments) => demo::run(&global, arguments).await,
        Command::Completions(arguments) => completions::run(&arguments),
    }
}
