//! `tablesmith verify`: designs side by side on a store.

use std::path::PathBuf;

use clap::Args;
use tablesmith_app::verify::{self, VerifyOptions};
use tablesmith_verify::evidence::Expectation;
use tablesmith_verify::replay::{CLIENTS_MAX, Pace, QUERIES, WARM_UP};

use crate::arguments::Global;
use crate::evidence_files::EvidenceArguments;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::{interrupt, text};

const EXAMPLES: &str = "\
Examples:
  tablesmith verify workload.toml one.toml three.toml
  tablesmith verify workload.toml ref01.toml s05.toml --expect \"s05 < ref01\" --report verdict.html
  tablesmith verify workload.toml a.toml b.toml --queries 5000 --clients 8 --rate 200 --store hbase://localhost:16000
  tablesmith verify workload.toml a.toml b.toml --format json --evidence evidence.json

Tables are made in the namespace tablesmith_verify, which is verify's own, and removed after. No other table is touched.
Exit code 1 when --expect does not hold or the designs answer differently, 3 when the store failed, 130 when it was
interrupted; what was measured until then is told.";

/// Measures designs: loads the data into a table for each, replays the test part of the log, and says which is faster
///
/// Every call is made on all designs one after another, in an order drawn by seed, and all must answer alike. A paired
/// t-test says how sure the difference is
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArguments {
    /// The workload.toml
    #[arg(value_name = "WORKLOAD")]
    workload: PathBuf,
    /// The designs; each is called as its file without .toml
    #[arg(value_name = "DESIGN", required = true)]
    designs: Vec<PathBuf>,
    /// Calls that are measured on each design: a third as many different ones, drawn evenly from the test part of the log,
    /// each made three times. Where the log has fewer, they are made more often
    #[arg(long, value_name = "N", default_value_t = QUERIES as u32, value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
    /// Calls before them that do not count
    #[arg(long, value_name = "N", default_value_t = WARM_UP as u32)]
    warm_up: u32,
    /// Calls at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(CLIENTS_MAX)))]
    clients: u32,
    /// Calls a second, each on all designs. Without it: as fast as it goes
    #[arg(long, value_name = "R", value_parser = rate)]
    rate: Option<f64>,
    /// What should come out, as "A < B": the design A answers faster than the design B
    #[arg(long, value_name = "CLAIM")]
    expect: Option<Expectation>,
    #[command(flatten)]
    files: EvidenceArguments,
    /// Keeps the tables
    #[arg(long)]
    keep: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (0.001..=1e6).contains(&rate) => Ok(rate),
        _ => Err("expected calls a second, from 0.001 to 1000000".to_owned()),
    }
}

pub async fn run(global: &Global, arguments: VerifyArguments) -> Result<Verdict, Failure> {
    let files = arguments.files.files();
    let options = VerifyOptions {
        workload: arguments.workload,
        designs: arguments.designs,
        queries: arguments.queries as usize,
        warm_up: arguments.warm_up as usize,
        pace: Pace { clients: arguments.clients, rate: arguments.rate },
        expectation: arguments.expect,
        keep: arguments.keep,
        files: files.clone(),
    };
    let result = verify::run(&global.context(), &options).await?;
    show(global, &result, |out, result| text::verify::write(out, &result.evidence, &files))?;
    // All is said; closing the store could take longer than somebody who pressed Ctrl-C waits.
    interrupt::end_if_interrupted();
    Ok(Verdict::of(result.verdict()?))
}
