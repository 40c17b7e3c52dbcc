//! `tablesmith demo`: shows what the tool is for, in a moment and without leaving anything behind.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use tablesmith_store::Store;

use crate::arguments::{Format, Global};
use crate::demo::{self, Pages, Size, Story, ads, whole};
use crate::failure::{Failure, Verdict};
use crate::interrupt::{TemporaryTables, interruptible};
use crate::temporary::TemporaryDirectory;
use crate::{open, terminal};

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

impl DemoArguments {
    fn has(&self, part: Part) -> bool {
        self.part.is_empty() || self.part.contains(&part)
    }
}

pub async fn run(global: &Global, arguments: DemoArguments) -> Result<Verdict, Failure> {
    let pages = Pages::of(arguments.designs.as_deref(), arguments.report.as_deref())?;
    // Held until the store is closed: the later binding goes first.
    let (_directory, store) = place(global, &arguments).await?;
    let story = tell(global, &arguments, &store, &pages).await?;
    drop(store);
    print(global, &arguments, &story).map_err(Failure::Output)?;
    Ok(if story.is_true() { Verdict::Yes } else { Verdict::No })
}

async fn tell(
    global: &Global,
    arguments: &DemoArguments,
    store: &Arc<dyn Store>,
    pages: &Pages,
) -> Result<Story, Failure> {
    let address = global.store.as_ref().map_or_else(|| "embedded".to_owned(), ToString::to_string);
    let mut story = Story { seed: global.seed, ..Story::default() };
    if arguments.has(Part::Designs) {
        story.whole = Some(whole::run(store, &address, &pages.designs, global.seed).await?);
    }
    if arguments.has(Part::Graph) {
        let graph = graph(store, arguments, Size::usual(global.seed)).await?;
        story = Story { whole: story.whole, ..graph };
    }
    if arguments.has(Part::Families) {
        let place = ads::Place { store, address, page: &pages.families };
        story.ads = Some(ads::run(&place, global.seed).await?);
    }
    Ok(story)
}

/// The follow graph in its tables, which are dropped again unless they are to be kept.
async fn graph(store: &Arc<dyn Store>, arguments: &DemoArguments, size: Size) -> Result<Story, Failure> {
    let temporary =
        (!arguments.keep).then(|| TemporaryTables::new("the demo, demo_follows and demo_followers"));
    let bar = progress_bar(size.puts());
    let progress = |puts| bar.inc(puts);
    let graph = interruptible(async { Ok(demo::run(&**store, size, &progress).await?) }).await;
    bar.finish_and_clear();
    let Some(temporary) = temporary else { return graph };
    let dropped = demo::drop_tables(&**store).await;
    // Why it came to nothing counts more than what could not be dropped.
    temporary.dropped(graph).and_then(|graph| Ok(dropped.map(|()| graph)?))
}

/// The store to work in. A temporary one lasts as long as its directory is held.
async fn place(
    global: &Global,
    arguments: &DemoArguments,
) -> Result<(Option<TemporaryDirectory>, Arc<dyn Store>), Failure> {
    if global.store.is_some() || arguments.keep {
        return Ok((None, open::store(global).await?));
    }
    let directory = TemporaryDirectory::new("tablesmith-demo-")?;
    let store = open::temporary(&directory, global.embedded_servers()).await?;
    Ok((Some(directory), store))
}

/// Shows itself only at a terminal.
fn progress_bar(puts: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("loading {bar:40.cyan} {human_pos} of {human_len} puts");
    ProgressBar::new(puts).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn print(global: &Global, arguments: &DemoArguments, story: &Story) -> io::Result<()> {
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => writeln!(out, "{}", demo::json::value(story)),
        Format::Text => {
            let store = global.store.as_ref().map(ToString::to_string);
            demo::text::write(&mut out, story, &demo::hints(arguments.keep, store.as_deref()))
        }
    }
}
