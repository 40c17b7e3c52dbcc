//! `tablesmith reproduce`: experiments of papers, done again.

use std::io::{self, Write};
use std::time::Duration;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use tablesmith_design::families::cost::store::Store as StoreCost;
use tablesmith_verify::replay::{CLIENTS_MAX, Pace, Stop, WARM_UP};

use super::reproduce_follows::{self, FollowsArguments};
use super::reproduce_keys::{self, KeysArguments};
use super::reproduce_time::{self, TimeArguments};
use crate::arguments::{Format, Global};
use crate::evidence_files::EvidenceFiles;
use crate::failure::{Failure, Verdict};
use crate::reproduce::{self, Outcome, families};
use crate::terminal;
use crate::text_width::text_width;
use crate::{calibrate, open};

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
    files: EvidenceFiles,
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
    arguments.files.check()?;
    let cost = StoreCost { prices: calibrate::known_or_measured(global).await?.prices() };
    // As cold as the calibration was: what is measured is reading, not the cache.
    let store = open::for_calibration(global).await?;
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    let task = families::Task {
        scale: arguments.scale,
        seed: global.seed,
        schemas: arguments.schemas as usize,
        queries: arguments.queries as usize,
        warm_up: WARM_UP,
        pace: Pace { clients: arguments.clients, rate: None },
        time: Duration::from_secs(arguments.seconds),
        store: open::address(global),
    };
    let outcome = families::run(&store, &cost, &task, &mut |what| terminal::set_message(&bar, &what)).await?;
    bar.finish_and_clear();
    tell(global, arguments, &outcome)?;
    match outcome.stopped {
        Some(Stop::Store { error, .. }) => Err(Failure::Store(*error)),
        Some(Stop::Interrupted) => Err(Failure::Interrupted),
        _ if outcome.all_hold() => Ok(Verdict::Yes),
        _ => Ok(Verdict::No),
    }
}

fn tell(global: &Global, arguments: &FamiliesArguments, outcome: &Outcome) -> Result<(), Failure> {
    arguments.files.write(&outcome.evidence)?;
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => writeln!(out, "{}", reproduce::json::value(outcome)),
        Format::Text => text(&mut out, arguments, outcome),
    }
    .map_err(Failure::Output)
}

fn text(out: &mut dyn Write, arguments: &FamiliesArguments, outcome: &Outcome) -> io::Result<()> {
    let summary = tablesmith_report::summary(&outcome.evidence, text_width(), terminal::paint);
    writeln!(out, "{summary}")?;
    reproduce::text::write_origins(out, outcome)?;
    arguments.files.tell(out)
}
