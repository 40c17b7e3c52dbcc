//! `tablesmith reproduce`: experiments of papers, done again.

use std::time::Duration;

use clap::{Args, Subcommand};
use tablesmith_app::{AppError, Unit, calibrate, open};
use tablesmith_design::families::cost::store::Store as StoreCost;
use tablesmith_papers::families::{self, Task};
use tablesmith_verify::replay::{CLIENTS_MAX, Pace, Stop, WARM_UP};

use super::reproduce_follows::{self, FollowsArguments};
use super::reproduce_keys::{self, KeysArguments};
use super::reproduce_time::{self, TimeArguments};
use crate::arguments::Global;
use crate::evidence_files::EvidenceArguments;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

const EXAMPLES: &str = "\
Examples:
  tablesmith reproduce families
  tablesmith reproduce families --scale 0.02 --schemas 32 --report families.html
  tablesmith reproduce keys --scale 0.05 --report keys.html
  tablesmith reproduce time --scale 0.01 --report time.html
  tablesmith reproduce follows --scale 0.002
  tablesmith reproduce families --store hbase://localhost:16000 --format json

Exit code 1 when a claim does not hold here; the reason is told.";

/// Does the experiment of a paper again, and says which of its claims hold here
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReproduceArguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    Families(FamiliesArguments),
    Keys(KeysArguments),
    Time(TimeArguments),
    Follows(FollowsArguments),
}

/// Five schemas of column families on tracking data, and ours (Yang, Cao and Milosevic)
///
/// Generates data and a query log, looks for the schemas, loads a table for each, and replays the test part of the log on
/// all of them. Without a calibration of the store, makes one first
#[derive(Debug, Args)]
struct FamiliesArguments {
    /// How much data: 1 is 2,600,000 rows and 1,300,000 queries, as the paper has
    #[arg(long, value_name = "S", default_value_t = 0.01)]
    scale: f64,
    /// Calls that are measured on each schema
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
    /// Schemas in all: the paper's and ours are 7, then come those of other methods and random ones
    #[arg(long, value_name = "N", default_value_t = 7)]
    schemas: u32,
    /// Calls at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(CLIENTS_MAX)))]
    clients: u32,
    /// How long each method may look for a schema
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    seconds: u64,
    #[command(flatten)]
    files: EvidenceArguments,
}

pub async fn run(global: &Global, arguments: &ReproduceArguments) -> Result<Verdict, Failure> {
    match &arguments.experiment {
        Experiment::Families(arguments) => run_families(global, arguments).await,
        Experiment::Keys(arguments) => reproduce_keys::run(global, arguments).await,
        Experiment::Time(arguments) => reproduce_time::run(global, arguments).await,
        Experiment::Follows(arguments) => reproduce_follows::run(global, arguments).await,
    }
}

async fn run_families(global: &Global, arguments: &FamiliesArguments) -> Result<Verdict, Failure> {
    let (context, files) = (global.context(), arguments.files.files());
    files.check()?;
    let cost = StoreCost { prices: calibrate::known_or_measured(&context).await?.prices() };
    // As cold as the calibration was: what is measured is reading, not the cache.
    let store = open::for_calibration(&context).await?;
    let task = Task {
        scale: arguments.scale,
        seed: global.seed,
        schemas: arguments.schemas as usize,
        queries: arguments.queries as usize,
        warm_up: WARM_UP,
        pace: Pace { clients: arguments.clients, rate: None },
        time: Duration::from_secs(arguments.seconds),
        store: open::address(&context),
    };
    context.progress.begin("", Unit::Count, None);
    let outcome = families::run(&context, &store, &cost, &task).await;
    context.progress.end();
    let outcome = outcome?;
    files.write(&outcome.evidence)?;
    show(global, &outcome, |out, outcome| text::reproduce_families::write(out, outcome, &files))?;
    let all_hold = outcome.all_hold();
    match outcome.stopped {
        Some(Stop::Store { error, .. }) => Err(AppError::Store(*error).into()),
        Some(Stop::Interrupted) => Err(AppError::Cancelled.into()),
        _ => Ok(Verdict::of(all_hold)),
    }
}
