//! `tablesmith reproduce time`: readings over time in rows, columns and versions.

use clap::Args;
use tablesmith_app::temporary::TemporaryDirectory;
use tablesmith_app::{Unit, open};
use tablesmith_papers::PaperError;
use tablesmith_papers::time::{self, Ours, Task};

use crate::arguments::Global;
use crate::evidence_files::EvidenceArguments;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

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
    files: EvidenceArguments,
}

pub async fn run(global: &Global, arguments: &TimeArguments) -> Result<Verdict, Failure> {
    if !(0.000_1..=10.0).contains(&arguments.scale) {
        return Err(PaperError::Scale { scale: arguments.scale, what: "data" }.into());
    }
    let (context, files) = (global.context(), arguments.files.files());
    files.check()?;
    let own = TemporaryDirectory::new("tablesmith-time-")?;
    let (store, address) = match &global.store {
        Some(_) => (open::store(&context).await?, open::address(&context)),
        None => {
            (open::temporary(&context, &own, SERVERS).await?, "embedded, a directory of its own".to_owned())
        }
    };
    let task = Task {
        bixi_scale: arguments.scale,
        cosmology_scale: arguments.scale * STARS_TO_STATIONS,
        rounds: arguments.rounds.into(),
        seed: global.seed,
        address,
        ours: Ours { bixi: arguments.stations.clone(), cosmology: arguments.particles.clone() },
    };
    context.progress.begin("", Unit::Count, None);
    let outcome = time::run(&context, &store, &task).await;
    context.progress.end();
    let outcome = outcome?;
    files.write(&outcome.evidence)?;
    show(global, &outcome, |out, outcome| {
        text::reproduce_time::write(out, outcome)?;
        text::write_evidence(out, &outcome.evidence, &files)
    })?;
    Ok(Verdict::of(outcome.all_hold()))
}
