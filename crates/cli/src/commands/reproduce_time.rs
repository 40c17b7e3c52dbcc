//! `tablesmith reproduce time`: readings over time in rows, columns and versions.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use crate::arguments::{Format, Global};
use crate::evidence_files::EvidenceFiles;
use crate::failure::{Failure, Verdict};
use crate::open;
use crate::reproduce::time::{self, Ours, Outcome, Task};
use crate::temporary::TemporaryDirectory;
use crate::terminal;
use crate::text_width::text_width;

/// Servers of the paper's cluster.
const SERVERS: u16 = 4;
/// Stars are made at twice the scale of the stations: 0.02 beside 0.01.
const STARS_TO_STATIONS: f64 = 2.0;

/// Readings of stations and particles of a universe, each in three schemas, two of them with versions (Han and Stroulia)
///
/// Makes both data sets, loads a table for each schema, cuts all into regions of one size, and asks the paper's questions on
/// all of them in turn
#[derive(Debug, Args)]
pub struct TimeArguments {
    /// How much data: 1 is 404 stations over 70 days (40,000,000 readings); of the stars twice the share
    #[arg(long, value_name = "S", default_value_t = 0.01)]
    scale: f64,
    /// Rounds that are measured of each question; the median counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    rounds: u16,
    /// The layout of ours for the stations, beside the paper's, as versions/1d/entity-time/each; without it, the one that is
    /// recommended for the paper's questions
    #[arg(long, value_name = "LAYOUT")]
    stations: Option<String>,
    /// The layout of ours for the particles
    #[arg(long, value_name = "LAYOUT")]
    particles: Option<String>,
    #[command(flatten)]
    files: EvidenceFiles,
}

pub async fn run(global: &Global, arguments: &TimeArguments) -> Result<Verdict, Failure> {
    if !(0.000_1..=10.0).contains(&arguments.scale) {
        let message = format!("the scale {} makes no data: give a number from 0.0001 to 10", arguments.scale);
        return Err(Failure::BadFile(message));
    }
    arguments.files.check()?;
    let own = TemporaryDirectory::new("tablesmith-time-")?;
    let (store, address) = match &global.store {
        Some(_) => (open::store(global).await?, open::address(global)),
        None => (open::temporary(&own, SERVERS).await?, "embedded, a directory of its own".to_owned()),
    };
    let task = Task {
        bixi_scale: arguments.scale,
        cosmology_scale: arguments.scale * STARS_TO_STATIONS,
        rounds: arguments.rounds.into(),
        seed: global.seed,
        address,
        ours: Ours { bixi: arguments.stations.clone(), cosmology: arguments.particles.clone() },
    };
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    let outcome = time::run(&store, &task, &mut |what| terminal::set_message(&bar, &what)).await;
    bar.finish_and_clear();
    let outcome = outcome?;
    tell(global, arguments, &outcome)?;
    Ok(if outcome.all_hold() { Verdict::Yes } else { Verdict::No })
}

fn tell(global: &Global, arguments: &TimeArguments, outcome: &Outcome) -> Result<(), Failure> {
    arguments.files.write(&outcome.evidence)?;
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => writeln!(out, "{}", time::json::value(outcome)),
        Format::Text => text(&mut out, global, arguments, outcome),
    }
    .map_err(Failure::Output)
}

fn text(
    out: &mut dyn Write,
    global: &Global,
    arguments: &TimeArguments,
    outcome: &Outcome,
) -> io::Result<()> {
    time::text::write(out, outcome)?;
    let summary = tablesmith_report::summary(&outcome.evidence, text_width(), terminal::paint);
    writeln!(out, "{summary}from seed {}", global.seed)?;
    arguments.files.tell(out)
}
