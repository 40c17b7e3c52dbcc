//! `tablesmith demo`: shows what the tool is for, in a moment and without leaving anything behind.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tablesmith_app::demo::{self, DemoOptions, DemoPart};

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

const EXAMPLES: &str = "\
Examples:
  tablesmith demo
  tablesmith demo --seed 7 --servers 5
  tablesmith demo --keep --store embedded:./tables
  tablesmith demo --format json";

/// Designs tables from questions, makes, loads and measures them; then looks at what answers cost, and at a wide table
///
/// Works in a temporary store. With --store, in the tables demo_follows and demo_followers of that store and in the
/// namespace tablesmith_verify, which it drops before and after
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DemoArguments {
    /// Keeps the tables for you to look at, in the store of --store or in your own
    #[arg(long)]
    keep: bool,
    /// Write the page about column families here [default: tablesmith/demo/tablesmith-demo.html in your cache directory]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the page about the designed tables here [default: tablesmith/demo/tablesmith-demo-designs.html in your cache directory]
    #[arg(long, value_name = "FILE")]
    designs: Option<PathBuf>,
    /// Only this part; can be given several times
    #[arg(long, value_name = "PART")]
    part: Vec<Part>,
}

/// A part of the demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// From questions to tables, measured beside designs made by hand.
    Designs,
    /// A follow graph in two tables, and what its questions cost.
    Graph,
    /// The families of a wide table, found in a query log and measured.
    Families,
}

impl Part {
    fn part(self) -> DemoPart {
        match self {
            Self::Designs => DemoPart::Designs,
            Self::Graph => DemoPart::Graph,
            Self::Families => DemoPart::Families,
        }
    }
}

pub async fn run(global: &Global, arguments: DemoArguments) -> Result<Verdict, Failure> {
    let DemoArguments { keep, report, designs, part } = arguments;
    let parts = part.into_iter().map(Part::part).collect();
    let story = demo::run(&global.context(), &DemoOptions { keep, report, designs, parts }).await?;
    let store = global.store.as_ref().map(ToString::to_string);
    show(global, &story, |out, story| {
        text::demo::write(out, story, &text::demo::hints(keep, store.as_deref()))
    })?;
    Ok(Verdict::of(story.is_true()))
}
