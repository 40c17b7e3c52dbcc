//! `tablesmith keys`: which row key, how many regions, and where they are split.

use std::path::PathBuf;

use clap::Args;
use tablesmith_app::keys::{self, KeysInput, KeysOptions, Reads};
use tablesmith_design::keys::{SplitMethod, StrategyName, Weight};
use tablesmith_model::value::KeyEncoding;

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;
use crate::text_width::text_width;

const EXAMPLES: &str = "\
Examples:
  tablesmith keys workload.toml --servers 5
  tablesmith keys --data events.csv --id user,at --time at --servers 8 --regions 24
  tablesmith keys workload.toml --table events --reads point=1,range=5,entity=20 -o design.toml
  tablesmith keys --data events.csv --id id --splits hex --strategy plain,md5_mod --report keys.html
  tablesmith keys --data events.csv --id id --simulate 20
  tablesmith keys workload.toml --format json

Strategies: plain, random, mod, md5_mod (of the whole id), md5_mod_part (of whose rows they are), md5_line_mod, reverse,
hash, bucket (time first), desc (newest first).
Split points: prefix (equal stretches of the prefixes), quantile (of the keys that there are), hex, uniform and decimal
(HBase's HexStringSplit, UniformSplit and DecimalStringSplit).
The rows of the file are the write stream, in their order.";

/// Says which row key spreads the writes over the servers at every moment, and what it does to reads
///
/// Puts every row of the data through all strategies: load of regions and servers, in all and over time, what reads cost,
/// and what happens when servers are added. With -o the best key and its split points are written into a design.toml;
/// the rest of that file stays as it is
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct KeysArguments {
    /// The workload.toml
    #[arg(value_name = "WORKLOAD", required_unless_present = "data", conflicts_with = "data")]
    workload: Option<PathBuf>,
    /// A data file instead of a workload: CSV, JSON lines or Parquet
    #[arg(long, value_name = "FILE", requires = "id")]
    data: Option<PathBuf>,
    /// The columns that together identify a row; without it the table's key
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    id: Vec<String>,
    /// The column that says when; without it the one of the table's [time]
    #[arg(long, value_name = "COLUMN")]
    time: Option<String>,
    /// Whose rows are read together: columns of the id; without it the id without its time
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    entity: Vec<String>,
    /// Only this table
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
    /// Regions; without it three for each server
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
    regions: Option<u32>,
    /// Further numbers of regions to look at, with commas between
    #[arg(long, value_name = "R", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    compare_regions: Vec<u32>,
    /// How many prefixes there are; without it about a million
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    prefixes: Option<u64>,
    /// Strategies, with commas between; `all` for all
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = strategy)]
    strategy: Vec<Chosen>,
    /// How split points are made
    #[arg(long, value_name = "HOW", default_value = "prefix", value_parser = split_method)]
    splits: SplitMethod,
    /// What quantiles weigh: rows, bytes or writes
    #[arg(long, value_name = "WHAT", default_value = "writes", value_parser = weight)]
    weight: Weight,
    /// How keys are written: binary, or zero-padded text
    #[arg(long, value_name = "ENCODING", default_value = "binary", value_parser = encoding)]
    encoding: KeyEncoding,
    /// How often which read happens, as weights, and how many rows a range has; without it as the workload's queries have
    /// it
    #[arg(long, value_name = "point=W,range=W,entity=W,rows=N", default_value = "", value_parser = reads)]
    reads: Reads,
    /// Reads the data again and counts every row and every duplicate, instead of a sample
    #[arg(long)]
    exact: bool,
    /// Predict how long the load takes on a cluster of so many region servers, and which server is the busiest
    #[arg(long, value_name = "SERVERS", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    simulate: Option<u16>,
    /// Heat maps of these strategies at the terminal; without it the best and the plain key
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = strategy)]
    heat: Vec<Chosen>,
    /// Writes the best key and its splits into this design.toml
    #[arg(short, long, value_name = "FILE", requires = "workload")]
    output: Option<PathBuf>,
    /// Writes a page with pictures into this file, as HTML
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Strategies that a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    All,
    One(StrategyName),
}

fn strategy(text: &str) -> Result<Chosen, String> {
    if text == "all" {
        return Ok(Chosen::All);
    }
    let names = || StrategyName::ALL.map(StrategyName::name).join(", ");
    StrategyName::from_name(text)
        .map(Chosen::One)
        .ok_or_else(|| format!("expected one of {}, or all", names()))
}

fn split_method(text: &str) -> Result<SplitMethod, String> {
    let names = || SplitMethod::ALL.map(SplitMethod::name).join(", ");
    SplitMethod::from_name(text).ok_or_else(|| format!("expected one of {}", names()))
}

fn weight(text: &str) -> Result<Weight, String> {
    Weight::from_name(text).ok_or_else(|| "expected rows, bytes or writes".to_owned())
}

fn encoding(text: &str) -> Result<KeyEncoding, String> {
    KeyEncoding::from_name(text).ok_or_else(|| "expected binary or text".to_owned())
}

fn reads(text: &str) -> Result<Reads, String> {
    Reads::parse(text)
}

/// The strategies that words name; none: all.
fn names(chosen: &[Chosen]) -> Vec<StrategyName> {
    let one = |chosen: &Chosen| match chosen {
        Chosen::All => StrategyName::ALL.to_vec(),
        Chosen::One(name) => vec![*name],
    };
    chosen.iter().flat_map(one).collect()
}

pub async fn run(global: &Global, arguments: KeysArguments) -> Result<Verdict, Failure> {
    let heat = names(&arguments.heat);
    let options = options(global, arguments);
    let result = keys::run(&global.context(), &options).await?;
    show(global, &result, |out, result| {
        text::keys::write(out, result, &heat, text_width())?;
        text::write_files(out, &[("design", &options.output), ("page", &options.report)])
    })?;
    Ok(Verdict::Yes)
}

fn options(global: &Global, arguments: KeysArguments) -> KeysOptions {
    let count = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    let input = match (arguments.workload, arguments.data) {
        (None, Some(data)) => KeysInput::Data(data),
        // The parser sees to it that one of them is there.
        (workload, _) => KeysInput::Workload { path: workload.unwrap_or_default(), table: arguments.table },
    };
    KeysOptions {
        input,
        id: arguments.id,
        time: arguments.time,
        entity: arguments.entity,
        servers: global.servers.map(usize::from),
        regions: arguments.regions.map(count),
        compare_regions: arguments.compare_regions.into_iter().map(count).collect(),
        prefixes: arguments.prefixes,
        strategies: names(&arguments.strategy),
        splits: arguments.splits,
        weight: arguments.weight,
        encoding: arguments.encoding,
        reads: arguments.reads,
        is_exact: arguments.exact,
        simulate: arguments.simulate.map(usize::from),
        output: arguments.output,
        report: arguments.report,
    }
}
