//! `tablesmith reproduce keys`: row keys and pre-splits.

use clap::Args;
use tablesmith_app::temporary::TemporaryDirectory;
use tablesmith_app::{StoreAddress, Unit, leftovers};
use tablesmith_papers::PaperError;
use tablesmith_papers::keys::point::Setting;
use tablesmith_papers::keys::{self, Place, PlaceKind};

use crate::arguments::Global;
use crate::evidence_files::EvidenceArguments;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

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
    files: EvidenceArguments,
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
        return Err(PaperError::Scale { scale: arguments.scale, what: "load" }.into());
    }
    let (context, files) = (global.context(), arguments.files.files());
    files.check()?;
    let own = TemporaryDirectory::new("tablesmith-keys-")?;
    let kind = match &global.store {
        Some(StoreAddress::HBase(address)) => PlaceKind::Cluster(address.clone()),
        Some(StoreAddress::Embedded(directory)) => PlaceKind::Embedded(directory.clone()),
        None => {
            leftovers::set_store_temporary();
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
    context.progress.begin("", Unit::Count, None);
    let outcome = keys::run(&context, &task).await;
    context.progress.end();
    let outcome = outcome?;
    files.write(&outcome.evidence)?;
    show(global, &outcome, |out, outcome| {
        text::reproduce_keys::write(out, outcome)?;
        text::write_evidence(out, &outcome.evidence, &files)
    })?;
    Ok(Verdict::of(outcome.all_hold()))
}
