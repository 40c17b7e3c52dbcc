//! `tablesmith calibrate`: measures what operations take on a store, for costs in milliseconds.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use crate::arguments::{Format, Global};
use crate::calibrate::{self, Outcome};
use crate::failure::{Failure, Verdict};
use crate::terminal;

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
    let outcome = calibrate::measure(global, Duration::from_secs_f64(arguments.seconds)).await?;
    print(global, &outcome).map_err(Failure::Output)?;
    Ok(Verdict::Yes)
}

fn print(global: &Global, outcome: &Outcome) -> io::Result<()> {
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => writeln!(out, "{}", value(global, outcome)),
        Format::Text => calibrate::text::write(&mut out, outcome),
    }
}

fn value(global: &Global, outcome: &Outcome) -> Value {
    let mut value = outcome.calibration.to_json();
    if let Value::Object(fields) = &mut value {
        let more = [
            ("experiments", json!(outcome.experiments)),
            ("repeats", json!(outcome.repeats)),
            ("file", json!(outcome.file.display().to_string())),
            ("seed", json!(global.seed)),
        ];
        fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
    }
    value
}
