//! Data files: reads the rows of a table and measures its columns, in one pass and with bounded memory.
//!
//! ```text
//! source/   CSV, JSON lines, Parquet ──▶ batches of fields, in file order
//! run.rs    hands every batch to workers; each worker has columns of its own, so that order is kept
//! measure/  one meter a column: type, distinct values, bytes, nulls, heavy values, order, uniqueness
//! joined.rs rows of two files that belong together
//! keys.rs   which columns identify a row, alone or together
//! ```
//!
//! What is measured does not depend on the number of cores, and what is not exact says so.

mod error;
mod found;
mod joined;
mod keys;
mod measure;
mod run;
pub(crate) mod source;

pub use error::{Misfit, ProfileError};
pub use found::{BadLine, CandidateKey, Certainty, ColumnProfile, Count, Profile};
pub use joined::{ColumnAt, joined_rows};
pub use keys::find_keys;
pub use run::{Progress, columns_of_types, columns_only, profile};
pub use source::ParquetLimit;
