//! `tablesmith reproduce follows`: who follows whom, in every design that the guides go through.

use clap::Args;
use tablesmith_app::temporary::TemporaryDirectory;
use tablesmith_app::{Unit, calibrate, open};
use tablesmith_model::cost::Prices;
use tablesmith_papers::PaperError;
use tablesmith_papers::follows::{self, Task};

use crate::arguments::Global;
use crate::evidence_files::EvidenceArguments;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

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
    files: EvidenceArguments,
}

pub async fn run(global: &Global, arguments: &FollowsArguments) -> Result<Verdict, Failure> {
    if !(0.000_1..=10.0).contains(&arguments.scale) {
        return Err(PaperError::Scale { scale: arguments.scale, what: "data" }.into());
    }
    let (context, files) = (global.context(), arguments.files.files());
    files.check()?;
    // Before the store is opened: a directory serves one at a time.
    let calibration = match arguments.designs {
        0 => calibrate::of_store(&context, true).await?,
        _ => Some(calibrate::known_or_measured(&context).await?),
    };
    let own = TemporaryDirectory::new("tablesmith-follows-")?;
    let (store, address) = match &global.store {
        Some(_) => (open::bare(&context).await?, open::address(&context)),
        None => {
            (open::temporary(&context, &own, SERVERS).await?, "embedded, a directory of its own".to_owned())
        }
    };
    let task = Task {
        scale: arguments.scale,
        rounds: arguments.rounds.into(),
        seed: global.seed,
        address,
        designs: arguments.designs.into(),
        prices: calibration.map_or_else(Prices::guessed, |calibration| calibration.prices()),
    };
    context.progress.begin("", Unit::Count, None);
    let outcome = follows::run(&context, &store, &task).await;
    context.progress.end();
    let outcome = outcome?;
    files.write(&outcome.evidence)?;
    show(global, &outcome, |out, outcome| {
        text::reproduce_follows::write(out, outcome)?;
        text::write_evidence(out, &outcome.evidence, &files)
    })?;
    Ok(Verdict::of(outcome.all_hold()))
}
