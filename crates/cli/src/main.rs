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
mod give_way;
mod init;
mod input_file;
mod interrupt;
mod keys;
mod load;
mod measured_workload;
mod number_text;
mod open;
mod output_file;
mod pace;
mod pointer;
mod query;
mod relative_path;
mod reproduce;
mod retry_notice;
mod store_address;
mod temporary;
mod terminal;
mod text_table;
mod text_width;
mod time;
mod verify;
mod workload_file;

use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::failure::{Failure, Verdict};

/// The store makes and drops many small pieces of memory, which this allocator does about a quarter faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = arguments::parse();
    interrupt::watch_signals();
    let outcome = run(arguments);
    interrupt::claim_end();
    if let Err(failure) = &outcome {
        failure.report();
    }
    failure::exit_code(&outcome)
}

fn run(arguments: Arguments) -> Result<Verdict, Failure> {
    // Removed last, when nobody uses it any more.
    let _temporary = temporary::of_process();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::System)?;
    let outcome = runtime.block_on(commands::run(arguments));
    if let Err(Failure::Interrupted) = outcome {
        // What other threads do is not waited for.
        runtime.shutdown_background();
    }
    outcome
}
