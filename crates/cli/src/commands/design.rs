//! `tablesmith design`: from questions to tables.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tablesmith_app::design::{self, DesignOptions, UnitCosts};

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

const EXAMPLES: &str = "\
Examples:
  tablesmith design workload.toml
  tablesmith design workload.toml -o design.toml
  tablesmith design workload.toml --explain \"who follows a user\"
  tablesmith design workload.toml --store embedded:./tables --cost store
  tablesmith design workload.toml --format json

Costs: store (milliseconds of a call, with the prices that `tablesmith calibrate` measured on the store of --store), default
(the same with guessed prices).
Wishes of a query in the workload: max_ms, one_call, atomic, fresh.";

/// Designs the tables that answer all queries of a workload at least cost, and says why
///
/// Weighs tables of all shapes (tall, wide, nested, mixed, hashed, copies along references, counters, layouts of readings) by what
/// every query and every write takes on them, and chooses the set of least total cost. For each table: the seven questions
/// that a design answers; for each query: its plan, and what else was possible. With -o the design is written into a
/// design.toml, which check, ddl and apply take
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DesignArguments {
    /// The workload.toml
    #[arg(value_name = "WORKLOAD")]
    workload: PathBuf,
    /// Explains the plan of this query: why, what else was possible, what a crash leaves
    #[arg(long, value_name = "QUERY")]
    explain: Option<String>,
    /// The prices that plans are weighed with. Without it: `store` when the store of --store is calibrated, else `default`
    #[arg(long, value_enum, value_name = "COST")]
    cost: Option<CostName>,
    /// How long the choice among tables may take; when it is over, the best one known is told with its gap
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// Writes the design into this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CostName {
    /// Prices that were measured on the store of --store
    Store,
    /// Guessed prices of a typical cluster
    Default,
}

pub async fn run(global: &Global, arguments: DesignArguments) -> Result<Verdict, Failure> {
    let DesignArguments { workload, explain, cost, seconds, output } = arguments;
    let cost = cost.map(|cost| match cost {
        CostName::Store => UnitCosts::Store,
        CostName::Default => UnitCosts::Default,
    });
    let time = Duration::from_secs(seconds.into());
    let options = DesignOptions { workload, explain, cost, time, output };
    let result = design::run(&global.context(), &options).await?;
    show(global, &result, |out, result| text::design::write(out, result, options.output.as_deref()))?;
    Ok(Verdict::Yes)
}
