//! The commands, one file each. They only parse and call.

pub mod completions;
pub mod demo;
pub mod families;
pub mod generate;
pub mod init;
pub mod schema;
pub mod shell;

use crate::arguments::{Arguments, Command};
use crate::failure::{Failure, Verdict};

/// Runs the command that was typed.
pub async fn run(Arguments { global, command }: Arguments) -> Result<Verdict, Failure> {
    match command {
        Command::Shell(arguments) => shell::run(&global, arguments).await,
        Command::Generate(arguments) => generate::run(&global, &arguments),
        Command::Families(arguments) => families::run(&global, &arguments),
        Command::Init(arguments) => init::run(&global, &arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Demo(arguments) => demo::run(&global, arguments).await,
        Command::Completions(arguments) => completions::run(&arguments),
    }
}
