//! Readings of bicycle stations, of the kind that the paper on time in HBase measured ("A Three-Dimensional Data Model in
//! HBase for Large Time-Series Dataset Analysis", section IV-A): at scale 1 the 404 stations of a city, each asked every
//! minute over 70 days from 2010-09-24 on, 40 million readings less the gaps.
//!
//! ```text
//! extent.rs    how many days and stations a scale gives
//! station.rs   what a station is, and how its bicycles come and go
//! gaps.rs      minutes of which nothing is known
//! readings.rs  the readings, in the order in which they arrive → readings.csv
//! manifest.rs  workload.toml
//! ```
//!
//! The collector was down now and then (the paper has 96,842 of 100,800 minutes), stations fall silent for a while, and some
//! send what they have hours later: readings are not in the order of their time.

mod extent;
mod gaps;
mod manifest;
mod readings;
mod station;

use std::io::Write;
use std::path::{Path, PathBuf};

pub use extent::{Extent, FIRST_DAY_MS, MINUTE_MS, MINUTES_PER_DAY};
pub use manifest::workload;
pub use readings::{Reading, Readings};
pub use station::Station;

use crate::whole_file::{check_target, write_file};
use crate::{GenerateError, Progress};

/// What is written is told about after so many rows.
const TELL_EVERY: u64 = 10_000;

/// The names of the files that are written.
pub const FILES: [&str; 3] = ["readings.csv", "stations.csv", "workload.toml"];

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The readings.
    pub readings: u64,
    /// The stations.
    pub stations: u32,
    /// The days.
    pub days: u32,
    /// The files, in the order in which they were written.
    pub files: Vec<PathBuf>,
}

/// Writes `readings.csv`, `stations.csv` and `workload.toml` into a directory, which is made when it is not there. A file is
/// there as a whole or not at all.
pub fn generate(
    scale: f64,
    seed: u64,
    directory: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Written, GenerateError> {
    check_target(scale, directory)?;
    let extent = Extent::at_scale(scale);
    let [readings, stations, workload] = FILES;
    let mut rows = 0;
    let data = write_file(directory, readings, |out| {
        rows = write_readings(out, extent, seed, progress)?;
        Ok(())
    })?;
    let facts = write_file(directory, stations, |out| write_stations(out, extent, seed))?;
    let text = manifest::workload(extent, rows).to_toml();
    let workload = write_file(directory, workload, |out| out.write_all(text.as_bytes()))?;
    let files = vec![data, facts, workload];
    Ok(Written { readings: rows, stations: extent.stations, days: extent.days, files })
}

fn write_readings(
    out: &mut dyn Write,
    extent: Extent,
    seed: u64,
    progress: &mut dyn FnMut(Progress),
) -> std::io::Result<u64> {
    out.write_all(b"station,at,bikes,empty_docks,locked\n")?;
    let total = extent.minutes() * u64::from(extent.stations);
    let mut done = 0;
    let mut line = readings::Line::default();
    for reading in Readings::new(extent, seed) {
        out.write_all(line.of(&reading))?;
        done += 1;
        if done % TELL_EVERY == 0 {
            progress(Progress { done, total });
        }
    }
    // What fell into gaps is done too.
    progress(Progress { done: total, total });
    Ok(done)
}

fn write_stations(out: &mut dyn Write, extent: Extent, seed: u64) -> std::io::Result<()> {
    out.write_all(b"station,name,latitude,longitude,docks\n")?;
    for number in 1..=extent.stations {
        let station = Station::new(number, seed);
        let (latitude, longitude) = station.place();
        writeln!(out, "{number},Station {number:03},{latitude},{longitude},{}", station.docks())?;
    }
    Ok(())
}
