//! The `tablesmith` program.

mod arguments;
mod calibrate;
mod check;
mod commands;
mod data_directory;
mod demo;
mod design;
mod design_file;
mod evidence_files;
mod failure;
mod families;
mod init;
mod interrupt;
mod keys;
mod load;
mod measured_workload;
mod number_text;
mod open;
mod pace;
mod pointer;
mod query;
mod relative_path;
mod reproduce;
mod store_address;
mod text_table;
mod text_width;
mod time;
mod verify;
mod whole_file;
mod workload_file;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::failure::{Failure, Verdict};

/// The store makes and drops many small pieces of memory, which this allocator does about a quarter faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
