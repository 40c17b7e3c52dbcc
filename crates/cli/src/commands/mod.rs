//! The commands, one file each. They only parse and call.

pub mod apply;
pub mod calibrate;
pub mod check;
pub mod completions;
pub mod ddl;
pub mod demo;
pub mod design;
pub mod families;
pub mod generate;
pub mod init;
pub mod keys;
pub mod load;
pub mod query;
pub mod repair;
pub mod report;
pub mod reproduce;
mod reproduce_follows;
mod reproduce_keys;
mod reproduce_time;
pub mod schema;
pub mod shell;
pub mod time;
pub mod verify;

use crate::arguments::{Arguments, Command};
use crate::failure::{Failure, Verdict};

/// Runs the command that was typed.
pub async fn run(Arguments { global, command }: Arguments) -> Result<Verdict, Failure> {
    match command {
        Command::Shell(arguments) => shell::run(&global, arguments).await,
        Command::Design(arguments) => design::run(&global, &arguments).await,
        Command::Generate(arguments) => generate::run(&global, &arguments),
        Command::Families(arguments) => families::run(&global, &arguments).await,
        Command::Keys(arguments) => keys::run(&global, &arguments).await,
        Command::Time(arguments) => time::run(&global, &arguments).await,
        Command::Init(arguments) => init::run(&global, &arguments),
        Command::Verify(arguments) => verify::run(&global, &arguments).await,
        Command::Report(arguments) => report::run(&global, &arguments),
        Command::Reproduce(arguments) => reproduce::run(&global, &arguments).await,
        Command::Apply(arguments) => apply::run(&global, &arguments).await,
        Command::Load(arguments) => load::run(&global, &arguments).await,
        Command::Repair(arguments) => repair::run(&global, &arguments).await,
        Command::Query(arguments) => query::run(&global, &arguments).await,
        Command::Check(arguments) => check::run(&global, &arguments).await,
        Command::Ddl(arguments) => ddl::run(&global, &arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Demo(arguments) => demo::run(&global, arguments).await,
        Command::Calibrate(arguments) => calibrate::run(&global, &arguments).await,
        Command::Completions(arguments) => completions::run(&arguments),
    }
}
