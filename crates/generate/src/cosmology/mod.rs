//! Particles of a simulated universe, of the kind that the paper on time in HBase measured ("A Three-Dimensional Data Model
//! in HBase for Large Time-Series Dataset Analysis", section IV-A): dark matter, gas and stars over nine snapshots, 321
//! million particle states at scale 1. Stars are born, gas is used up.
//!
//! ```text
//! census.rs    how many particles of each kind a snapshot has, and when a star was born
//! particle.rs  the properties of one particle in one snapshot
//! states.rs    all particles of all snapshots, in order → particles.csv
//! manifest.rs  workload.toml
//! ```

mod census;
mod manifest;
mod particle;
mod states;

use std::path::{Path, PathBuf};

pub use census::{Census, FIRST_STAR, Kind, SNAPSHOTS};
pub use manifest::workload;
pub use particle::{METRICS, State};
pub use states::States;

use crate::whole_file::{check_target, write_file};
use crate::{GenerateError, Progress};

/// The share of the paper's particles that is made when nothing else is said.
pub const DEFAULT_SCALE: f64 = 0.02;
/// What is written is told about after so many rows.
const TELL_EVERY: u64 = 10_000;

/// The names of the files that are written.
pub const FILES: [&str; 2] = ["particles.csv", "workload.toml"];

/// What is to be written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cosmology {
    /// How much of it: 1 is the paper's number of particles.
    pub scale: f64,
    /// Only stars; else dark matter and gas too, which are fourteen times as many.
    pub stars_only: bool,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Particles, each counted once in each snapshot that has it.
    pub states: u64,
    /// The files, in the order in which they were written.
    pub files: Vec<PathBuf>,
}

/// Writes `particles.csv` and `workload.toml` into a directory, which is made when it is not there. A file is there as a
/// whole or not at all.
pub fn generate(
    cosmology: Cosmology,
    seed: u64,
    directory: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Written, GenerateError> {
    check_target(cosmology.scale, directory)?;
    let census = Census::new(cosmology);
    let total = census.states();
    let [data, workload] = FILES;
    let data = write_file(directory, data, |out| {
        writeln!(out, "snapshot,kind,id,{}", METRICS.join(","))?;
        for (done, state) in (1..).zip(States::new(census, seed)) {
            state.write_line(out)?;
            if done % TELL_EVERY == 0 || done == total {
                progress(Progress { done, total });
            }
        }
        Ok(())
    })?;
    let text = manifest::workload(census).to_toml();
    let workload = write_file(directory, workload, |out| out.write_all(text.as_bytes()))?;
    Ok(Written { states: total, files: vec![data, workload] })
}
