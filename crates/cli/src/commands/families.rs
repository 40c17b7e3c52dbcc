//! `tablesmith families`: which columns belong together, and in how many families.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tablesmith_app::families::{self, CostOption, FamiliesOptions};
use tablesmith_design::families::FamilyLimit;

use super::family_methods::{EvolutionArguments, MethodChoice};
use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

const EXAMPLES: &str = "\
Examples:
  tablesmith families workload.toml
  tablesmith families workload.toml --table ads --max-families 5 -o design.toml
  tablesmith families workload.toml --store embedded:./tables --cost store
  tablesmith families workload.toml --cost disk --max-families none --method all
  tablesmith families workload.toml --cost paper --families 3 --method evolve,evolve+ --plot convergence.svg
  tablesmith families workload.toml --format json

Methods: one, each, current (the schema in the file), navathe, o2p, hillclimb, autopart, hyrise, trojan, evolve (the
evolutionary algorithm of Yang, Cao and Milosevic), evolve+ (made better), exact (the proven optimum).
Costs: store (milliseconds of a call, with the prices that `tablesmith calibrate` measured on the store of --store), bytes
(what the store must read and write), paper (equation (1) of the evolutionary algorithm's paper), disk (the
published comparison of vertical partitioning algorithms).";

/// Groups the columns of tables into families, by what the queries read together
///
/// Sets methods side by side under one cost. Without --method: one family, the present schema, evolve+, and the exact
/// search for a proof. With -o the best grouping is written into a design.toml; the rest of that file stays as it is
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FamiliesArguments {
    /// The workload.toml
    #[arg(value_name = "WORKLOAD")]
    workload: PathBuf,
    /// Only this table
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
    /// Methods, with commas between; `all` for all
    #[arg(long, value_name = "METHOD", value_delimiter = ',')]
    method: Vec<MethodChoice>,
    /// What a grouping costs. Without it: `store` when the store of --store is calibrated, else `bytes`
    #[arg(long, value_enum, value_name = "COST")]
    cost: Option<CostName>,
    /// At most so many families; `none` for any number
    #[arg(long, value_name = "K", default_value = "3", value_parser = family_cap, conflicts_with = "families")]
    max_families: FamilyCap,
    /// Exactly so many families
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    families: Option<u32>,
    /// How long each method may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    seconds: f64,
    /// Writes the best grouping into this design.toml
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draws how the cost fell with the number of evaluations, as an SVG picture
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    evolution: EvolutionArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CostName {
    /// Milliseconds of a call on the store of --store, as calibrated
    Store,
    /// Bytes that the store must read and write
    Bytes,
    /// Equation (1) of the evolutionary algorithm's paper
    Paper,
    /// Seconds of disk time in the published comparison
    Disk,
}

/// The most families, if there is a most.
#[derive(Clone, Copy, Debug)]
struct FamilyCap(Option<usize>);

fn family_cap(text: &str) -> Result<FamilyCap, String> {
    if text == "none" {
        return Ok(FamilyCap(None));
    }
    match text.parse() {
        Ok(cap) if cap > 0 => Ok(FamilyCap(Some(cap))),
        _ => Err("expected a number from 1, or `none`".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.001 to 86400".to_owned()),
    }
}

pub async fn run(global: &Global, arguments: FamiliesArguments) -> Result<Verdict, Failure> {
    let evolution = &arguments.evolution;
    let limit = match (arguments.families, arguments.max_families) {
        (Some(families), _) => FamilyLimit::Exactly(families as usize),
        (None, FamilyCap(Some(cap))) => FamilyLimit::AtMost(cap),
        (None, FamilyCap(None)) => FamilyLimit::None,
    };
    let cost = match arguments.cost {
        Some(CostName::Store) => Some(CostOption::Store),
        Some(CostName::Bytes) => Some(CostOption::Bytes),
        Some(CostName::Paper) => Some(CostOption::Paper(evolution.paper()?)),
        Some(CostName::Disk) => Some(CostOption::Disk),
        None => None,
    };
    let options = FamiliesOptions {
        method_names: MethodChoice::names(&arguments.method),
        settings: evolution.settings(),
        is_set: evolution.is_set(),
        cost,
        limit,
        time: Duration::from_secs_f64(arguments.seconds),
        workload: arguments.workload,
        table: arguments.table,
        plot: arguments.plot,
        output: arguments.output,
    };
    let result = families::run(&global.context(), &options).await?;
    show(global, &result, |out, result| text::families::write(out, result, options.output.as_deref()))?;
    Ok(Verdict::Yes)
}
