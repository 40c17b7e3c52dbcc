//! Sparse rows of column-value pairs, of the kind that the paper on row keys loads ("Row key designs of NoSQL database
//! tables and their impact on write performance", section IV-B): at scale 1 four million rows of about 108 values in
//! 12,000 columns (0.9 %), 3 GB of text, ids from 1 on, in one file or divided over several.
//!
//! ```text
//! row.rs       the values of a row: those of one of 50,000 different rows, as the paper repeats its data 80 times
//! manifest.rs  workload.toml
//! ```
//!
//! A line is `id,column:value column:value …`. Any row can be made alone, so that clients can read their stretch without
//! a file.

mod manifest;
mod row;

use std::path::{Path, PathBuf};

pub use row::{FULL_WIDTH, SparseRows};

use crate::whole_file::{check_target, write_file};
use crate::{GenerateError, Progress};

/// Rows at scale 1.
pub const ROWS: u64 = 4_000_000;
/// As many files as the paper's data were divided into at most.
pub const MOST_FILES: u32 = 80;
/// What is written is told about after so many rows.
const TELL_EVERY: u64 = 10_000;

/// What is to be written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sparse {
    /// How much of it: 1 is four million rows.
    pub scale: f64,
    /// Files over which the rows are divided, in order; 1 to 80.
    pub files: u32,
    /// Values of a row, on average.
    pub width: u32,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The rows of all files.
    pub rows: u64,
    /// The files, in the order of their ids, then `workload.toml`.
    pub files: Vec<PathBuf>,
}

/// Rows at a scale.
pub fn rows_at(scale: f64) -> u64 {
    (ROWS as f64 * scale).round() as u64
}

/// The names of the data files.
pub fn file_names(files: u32) -> Vec<String> {
    if files == 1 {
        return vec!["sparse.csv".to_owned()];
    }
    (1..=files).map(|file| format!("sparse-{file:02}.csv")).collect()
}

/// Writes the data files and `workload.toml` into a directory, which is made when it is not there. A file is there as a
/// whole or not at all.
pub fn generate(
    sparse: Sparse,
    seed: u64,
    directory: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Written, GenerateError> {
    let Sparse { scale, files, width } = sparse;
    if !(1..=MOST_FILES).contains(&files) {
        return Err(GenerateError::Files(files));
    }
    check_target(scale, directory)?;
    let (total, maker) = (rows_at(scale), SparseRows::new(seed, width));
    let mut written = Vec::new();
    let mut next_id = 1;
    for (index, name) in (1_u64..).zip(file_names(files)) {
        let last_id = total * index / u64::from(files);
        written.push(write_file(directory, &name, |out| {
            out.write_all(b"id,pairs\n")?;
            let mut line = Vec::new();
            for id in next_id..=last_id {
                line.clear();
                maker.line(id, &mut line);
                line.push(b'\n');
                out.write_all(&line)?;
                if id.is_multiple_of(TELL_EVERY) || id == total {
                    progress(Progress { done: id, total });
                }
            }
            Ok(())
        })?);
        next_id = last_id + 1;
    }
    let text = manifest::workload(total, files).to_toml();
    written.push(write_file(directory, "workload.toml", |out| out.write_all(text.as_bytes()))?);
    Ok(Written { rows: total, files: written })
}
