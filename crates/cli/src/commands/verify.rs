//! `tablesmith verify`: designs side by side on a store.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use tablesmith_model::cost::Prices;
use tablesmith_model::evidence::Evidence;
use tablesmith_verify::evidence::Expectation;
use tablesmith_verify::replay::{CLIENTS_MAX, Pace, QUERIES, Stop, WARM_UP};

use crate::arguments::{Format, Global};
use crate::evidence_files::EvidenceFiles;
use crate::failure::{Failure, Verdict};
use crate::terminal;
use crate::text_width::text_width;
use crate::verify::{self, Outcome, Task, designs};
use crate::{calibrate, interrupt, open, workload_file};

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
    files: EvidenceFiles,
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

pub async fn run(global: &Global, arguments: &VerifyArguments) -> Result<Verdict, Failure> {
    let workload = workload_file::read(&arguments.workload)?;
    let designs = designs::read(&arguments.designs, &workload)?;
    designs::check_expectation(arguments.expect.as_ref(), &designs)?;
    arguments.files.check()?;
    let prices = calibrate::of_store(global, false).await?.map(|found| found.prices());
    let prices = prices.unwrap_or_else(Prices::guessed);
    let task = Task { prices, ..task(global, arguments, &designs) };
    let store = open::bare(global).await?;
    let outcome = verify::measure(&store, &workload, &arguments.workload, &designs, &task).await?;
    tell(global, arguments, &outcome.evidence)?;
    verdict(arguments, outcome)
}

fn task(global: &Global, arguments: &VerifyArguments, designs: &[designs::NamedDesign]) -> Task {
    let names: Vec<&str> = designs.iter().map(|design| design.name.as_str()).collect();
    Task {
        queries: arguments.queries as usize,
        warm_up: arguments.warm_up as usize,
        pace: Pace { clients: arguments.clients, rate: arguments.rate },
        expectation: arguments.expect.clone(),
        keep: arguments.keep,
        seed: global.seed,
        store: open::address(global),
        title: names.join(", "),
        prices: Prices::guessed(),
    }
}

fn tell(global: &Global, arguments: &VerifyArguments, evidence: &Evidence) -> Result<(), Failure> {
    arguments.files.write(evidence)?;
    let json = serde_json::to_string(evidence).map_err(|error| Failure::Output(error.into()))?;
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => writeln!(out, "{json}"),
        Format::Text => text(&mut out, arguments, evidence),
    }
    .map_err(Failure::Output)
}

fn text(out: &mut dyn Write, arguments: &VerifyArguments, evidence: &Evidence) -> io::Result<()> {
    let summary = tablesmith_report::summary(evidence, text_width(), terminal::paint);
    out.write_all(summary.as_bytes())?;
    verify::text::write(out, evidence)?;
    arguments.files.tell(out)
}

fn verdict(arguments: &VerifyArguments, outcome: Outcome) -> Result<Verdict, Failure> {
    match outcome.stopped {
        Some(Stop::Store { error, .. }) => return Err(Failure::Store(*error)),
        Some(Stop::Interrupted) => {
            // All is said; closing the store could take longer than somebody who pressed Ctrl-C waits.
            interrupt::end_if_interrupted();
            return Err(Failure::Interrupted);
        }
        Some(Stop::Differ(_)) => return Ok(Verdict::No),
        None => {}
    }
    let holds = arguments.expect.as_ref().is_none_or(|claim| claim.holds(&outcome.evidence.pairs));
    Ok(if holds { Verdict::Yes } else { Verdict::No })
}
