//! `tablesmith reproduce follows`: who follows whom, in every design that the guides go through.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use tablesmith_model::cost::Prices;

use crate::arguments::{Format, Global};
use crate::evidence_files::EvidenceFiles;
use crate::failure::{Failure, Verdict};
use crate::reproduce::follows::{self, Outcome, Task};
use crate::temporary::TemporaryDirectory;
use crate::terminal;
use crate::text_width::text_width;
use crate::{calibrate, open};

/// Servers of a store of its own.
const SERVERS: u16 = 3;

/// Who follows whom and who wrote what, in all designs of two guides to schema design and in ours (Khurana; TwitBase)
///
/// Makes people, edges and messages, loads a set of tables for each design, and asks all of them the same questions in turn:
/// calls, rows and time of each
#[derive(Debug, Args)]
pub struct FollowsArguments {
    /// How much data: 1 is 500,000 people, 4,000,000 edges and 2,000,000 messages
    #[arg(long, value_name = "S", default_value_t = 0.002)]
    scale: f64,
    /// Questions of each kind that are asked
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    rounds: u16,
    /// Designs drawn by chance that are measured beside ours, to see whether they come in the order that was predicted.
    /// Without a calibration of the store, makes one first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1_000))]
    designs: u16,
    #[command(flatten)]
    files: EvidenceFiles,
}

pub async fn run(global: &Global, arguments: &FollowsArguments) -> Result<Verdict, Failure> {
    if !(0.000_1..=10.0).contains(&arguments.scale) {
        let message = format!("the scale {} makes no data: give a number from 0.0001 to 10", arguments.scale);
        return Err(Failure::BadFile(message));
    }
    arguments.files.check()?;
    // Before the store is opened: a directory serves one at a time.
    let calibration = match arguments.designs {
        0 => calibrate::of_store(global, true).await?,
        _ => Some(calibrate::known_or_measured(global).await?),
    };
    let own = TemporaryDirectory::new("tablesmith-follows-")?;
    let (store, address) = match &global.store {
        Some(_) => (open::bare(global).await?, open::address(global)),
        None => (open::temporary(&own, SERVERS).await?, "embedded, a directory of its own".to_owned()),
    };
    let task = Task {
        scale: arguments.scale,
        rounds: arguments.rounds.into(),
        seed: global.seed,
        address,
        designs: arguments.designs.into(),
        prices: calibration.map_or_else(Prices::guessed, |calibration| calibration.prices()),
    };
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    let outcome = follows::run(&store, &task, &mut |what| terminal::set_message(&bar, &what)).await;
    bar.finish_and_clear();
    let outcome = outcome?;
    tell(global, arguments, &outcome)?;
    Ok(if outcome.all_hold() { Verdict::Yes } else { Verdict::No })
}

fn tell(global: &Global, arguments: &FollowsArguments, outcome: &Outcome) -> Result<(), Failure> {
    arguments.files.write(&outcome.evidence)?;
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => writeln!(out, "{}", follows::json::value(outcome)),
        Format::Text => text(&mut out, global, arguments, outcome),
    }
    .map_err(Failure::Output)
}

fn text(
    out: &mut dyn Write,
    global: &Global,
    arguments: &FollowsArguments,
    outcome: &Outcome,
) -> io::Result<()> {
    follows::text::write(out, outcome)?;
    let summary = tablesmith_report::summary(&outcome.evidence, text_width(), terminal::paint);
    writeln!(out, "{summary}from seed {}", global.seed)?;
    arguments.files.tell(out)
}
