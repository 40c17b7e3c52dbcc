//! What the commands of tablesmith do: a function for each, which takes plain options and returns a value that can be
//! serialized.
//!
//! ```text
//!  Context: store, seed, progress, cancellation ──┐
//!  options of a command ──────────────────────────┴──▶ query, load, apply, … ──▶ a result (Serialize), or an AppError
//! ```
//!
//! Nothing here parses arguments or prints: a front end (the command line, a page) builds a [`Context`], calls, and shows the
//! result. It hears of long work through [`Progress`] and stops it through [`Cancellation`].

pub mod apply;
pub mod calibrate;
mod cancellation;
pub mod check;
mod context;
pub mod data_directory;
pub mod demo;
pub mod design;
pub mod design_file;
mod error;
pub mod evidence_files;
pub mod families;
mod give_way;
pub mod init;
pub mod input_file;
pub mod keys;
pub mod leftovers;
pub mod load;
mod measured_workload;
pub mod open;
pub mod output_file;
mod pace;
mod pointer;
mod progress;
pub mod query;
mod relative_path;
pub mod repair;
pub mod report;
mod retry_notice;
mod serialize;
mod store_address;
pub mod temporary;
pub mod time;
pub mod verify;
pub mod workload_file;

pub use cancellation::Cancellation;
pub use context::Context;
pub use error::{AppError, Cause, ErrorClass};
pub use progress::{Progress, Unit};
pub use store_address::StoreAddress;
