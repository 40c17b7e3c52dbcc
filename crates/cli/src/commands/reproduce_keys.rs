//! `tablesmith reproduce keys`: row keys and pre-splits.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use tablesmith_verify::reproduce::keys::point::Setting;

use crate::arguments::{Format, Global};
use crate::evidence_files::EvidenceFiles;
use crate::failure::{Failure, Verdict};
use crate::interrupt;
use crate::reproduce::keys::{self, Outcome, Place, PlaceKind};
use crate::store_address::StoreAddress;
use crate::temporary::TemporaryDirectory;
use crate::terminal;
use crate::text_width::text_width;

/// Four designs of row keys and the plain key: a histogram, and loads (Zdravevski, Lameski and Kulakov)
///
/// Hashes 4 million ids, loads the paper's 4 million rows in a simulator with 1 to 220 regions on 4, 8 and 55 servers from 1 to
/// 80 files, and loads fewer of them into the store: an embedded one of its own whose servers are throttled, or a cluster
/// whose servers are limited by quotas where it has them (hbase.quota.enabled)
#[derive(Debug, Args)]
pub struct KeysArguments {
    /// How much is loaded into the store: 1 is 4,000,000 rows
    #[arg(long, value_name = "S", default_value_t = 0.01)]
    scale: f64,
    /// Rows in the simulator
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = clap::value_parser!(u64).range(1_000..=100_000_000))]
    rows: u64,
    /// Requests a second of each server
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// Loads into the store, as regions/servers/files with commas between; a cluster has the servers that it has
    #[arg(long, value_name = "R/S/F", value_delimiter = ',', default_value = "8/8/4,4/4/1", value_parser = setting)]
    settings: Vec<Setting>,
    #[command(flatten)]
    files: EvidenceFiles,
}

fn setting(text: &str) -> Result<Setting, String> {
    let numbers: Vec<u16> = text.split('/').filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [regions @ (1..), servers @ (1..), files @ (1..)] => {
            Ok(Setting { regions: (*regions).into(), servers: (*servers).into(), files: (*files).into() })
        }
        _ => Err("expected regions/servers/files, as 8/8/4".to_owned()),
    }
}

pub async fn run(global: &Global, arguments: &KeysArguments) -> Result<Verdict, Failure> {
    if !(0.000_1..=10.0).contains(&arguments.scale) {
        let message = format!("the scale {} makes no load: give a number from 0.0001 to 10", arguments.scale);
        return Err(Failure::BadFile(message));
    }
    arguments.files.check()?;
    let own = TemporaryDirectory::new("tablesmith-keys-")?;
    let kind = match &global.store {
        Some(StoreAddress::HBase(address)) => PlaceKind::Cluster(address.clone()),
        Some(StoreAddress::Embedded(directory)) => PlaceKind::Embedded(directory.clone()),
        None => {
            interrupt::set_store_temporary();
            PlaceKind::Embedded(own.path().to_owned())
        }
    };
    let place = Place { kind, requests_per_second: arguments.rate };
    let task = keys::Task {
        scale: arguments.scale,
        rows: arguments.rows,
        settings: arguments.settings.clone(),
        seed: global.seed,
        place,
    };
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    let outcome = keys::run(&task, &mut |what| terminal::set_message(&bar, &what)).await;
    bar.finish_and_clear();
    let outcome = outcome?;
    tell(global, arguments, &outcome)?;
    Ok(if outcome.all_hold() { Verdict::Yes } else { Verdict::No })
}

fn tell(global: &Global, arguments: &KeysArguments, outcome: &Outcome) -> Result<(), Failure> {
    arguments.files.write(&outcome.evidence)?;
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => writeln!(out, "{}", keys::json::value(outcome)),
        Format::Text => text(&mut out, global, arguments, outcome),
    }
    .map_err(Failure::Output)
}

fn text(
    out: &mut dyn Write,
    global: &Global,
    arguments: &KeysArguments,
    outcome: &Outcome,
) -> io::Result<()> {
    keys::text::write(out, outcome)?;
    let summary = tablesmith_report::summary(&outcome.evidence, text_width(), terminal::paint);
    writeln!(out, "{summary}from seed {}", global.seed)?;
    arguments.files.tell(out)
}
