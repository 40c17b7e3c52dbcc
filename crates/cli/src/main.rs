//! The `tablesmith` program.

mod arguments;
mod commands;
mod data_directory;
mod demo;
mod failure;
mod interrupt;
mod open;
mod pace;
mod store_address;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::failure::{Failure, Verdict};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = run(arguments);
    if let Err(failure) = &outcome {
        failure.report();
    }
    failure::exit_code(&outcome)
}

fn run(arguments: Arguments) -> Result<Verdict, Failure> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::System)?;
    runtime.block_on(commands::run(arguments))
}
