//! The `tablesmith` program.

mod arguments;
mod commands;
mod evidence_files;
mod failure;
mod interrupt;
mod number_text;
mod progress;
mod rows;
mod show;
mod terminal;
mod text;
mod text_table;
mod text_width;

use std::process::ExitCode;

use tablesmith_app::{AppError, temporary};

use crate::arguments::Arguments;
use crate::failure::{Failure, Verdict};

/// The store makes and drops many small pieces of memory, which this allocator does about a quarter faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = arguments::parse();
    interrupt::watch_signals();
    let outcome = run(arguments);
    progress::terminal().end();
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
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(AppError::System)?;
    let outcome = runtime.block_on(commands::run(arguments));
    if let Err(Failure::App(AppError::Cancelled)) = outcome {
        // What other threads do is not waited for.
        runtime.shutdown_background();
    }
    outcome
}
