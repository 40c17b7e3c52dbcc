//! `tablesmith calibrate`: measures what operations take on a store, for costs in milliseconds.

use std::time::Duration;

use clap::Args;
use tablesmith_app::calibrate;

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

const EXAMPLES: &str = "\
Examples:
  tablesmith calibrate
  tablesmith calibrate --store embedded:./tables --seconds 20
  tablesmith calibrate --store hbase://localhost:16000
  tablesmith calibrate --format json";

/// Measures what a get, a scan, a seek, a cell, a put and so on take on a store
///
/// Works on small tables of its own in the namespace tablesmith_calibration, which are removed after. The prices are kept
/// in your data directory; costs in milliseconds use them from then on. Let the store do nothing else meanwhile
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CalibrateArguments {
    /// About how long it may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    seconds: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3_600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds up to 3600".to_owned()),
    }
}

pub async fn run(global: &Global, arguments: &CalibrateArguments) -> Result<Verdict, Failure> {
    let time = Duration::from_secs_f64(arguments.seconds);
    let result = calibrate::measure(&global.context(), time).await?;
    show(global, &result, text::calibrate::write)?;
    Ok(Verdict::Yes)
}
