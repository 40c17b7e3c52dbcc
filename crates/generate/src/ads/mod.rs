//! Aggregated ad-tracking data, of the shape that the paper on column families measured ("An Evolutionary Algorithm for
//! column family schema optimization in HBase", section V): 2.6 million rows and 1.3 million queries of a reporting
//! system at scale 1, in a table of 60 columns.
//!
//! ```text
//! world.rs      how many advertisers, publishers, campaigns, days; who works with whom
//! columns.rs    the 60 columns: name, type, group
//! rows.rs       one row a day, publisher, campaign, country and device → ads.csv
//! templates.rs  the reports that people ask for, and how often over the year
//! statements.rs one statement a line, with its time → queries.sql
//! facts.rs      what is measured of a column while it is written
//! manifest.rs   workload.toml
//! ```

mod columns;
mod facts;
mod manifest;
mod rows;
mod statements;
mod templates;
mod world;

use std::path::{Path, PathBuf};

use fastrand::Rng;

use crate::whole_file::{check_target, write_file};
use crate::{GenerateError, Progress};
use world::World;

/// Rows at scale 1.
const ROWS: f64 = 2_600_000.0;
/// Statements at scale 1.
const STATEMENTS: f64 = 1_300_000.0;
/// What is written is told about after so many rows or statements.
const TELL_EVERY: u64 = 1_000;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The rows of `ads.csv`.
    pub rows: u64,
    /// Its columns.
    pub columns: usize,
    /// The statements of `queries.sql`.
    pub statements: u64,
    /// The reports among them.
    pub templates: usize,
    /// The files, in the order in which they were written.
    pub files: Vec<PathBuf>,
}

/// Writes `ads.csv`, `queries.sql` and `workload.toml` into a directory, which is made when it is not there. A file is
/// there as a whole or not at all.
pub fn generate(
    scale: f64,
    seed: u64,
    directory: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Written, GenerateError> {
    check_target(scale, directory)?;
    let (rows, statements) = ((ROWS * scale).round() as u64, (STATEMENTS * scale).round() as u64);
    let total = rows + statements;
    let mut tell = |done: u64| {
        if done.is_multiple_of(TELL_EVERY) || done == total {
            progress(Progress { done, total });
        }
    };
    // Each file has a random sequence of its own, so that a change to one leaves the other as it was.
    let world = World::new(scale, rows);
    let mut facts = Vec::new();
    let data = write_file(directory, "ads.csv", |out| {
        facts = rows::write(out, &world, &mut Rng::with_seed(seed), &mut tell)?;
        Ok(())
    })?;
    let log = write_file(directory, "queries.sql", |out| {
        let mut random = Rng::with_seed(seed.wrapping_add(1));
        statements::write(out, &world, statements, &mut random, &mut |done| tell(rows + done))
    })?;
    let text = manifest::workload(&world, &facts).to_toml();
    let workload = write_file(directory, "workload.toml", |out| out.write_all(text.as_bytes()))?;
    let templates = templates::ALL.len();
    Ok(Written { rows, columns: columns::ALL.len(), statements, templates, files: vec![data, log, workload] })
}
