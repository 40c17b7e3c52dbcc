//! `tablesmith demo`: shows what the tool is for, in a moment and without leaving anything behind.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use tablesmith_store::Store;
use tempfile::TempDir;

use crate::arguments::{Format, Global};
use crate::demo::{self, Size, Story, ads, whole};
use crate::failure::{Failure, Verdict};
use crate::interrupt::interruptible;
use crate::open;

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
    /// Where the page with the pictures goes; without it, tablesmith-demo.html among the temporary files
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Where the page about the designed tables goes; without it, tablesmith-demo-designs.html among the temporary files
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
    let story = interruptible(tell(global, &arguments)).await?;
    print(global, &arguments, &story).map_err(Failure::Output)?;
    Ok(if story.is_true() { Verdict::Yes } else { Verdict::No })
}

async fn tell(global: &Global, arguments: &DemoArguments) -> Result<Story, Failure> {
    // Held until the store is closed: the later binding goes first.
    let (_directory, store) = place(global, arguments).await?;
    let address = global.store.as_ref().map_or_else(|| "embedded".to_owned(), ToString::to_string);
    let usual = |name: &str| std::env::temp_dir().join(name);
    let mut story = Story { seed: global.seed, ..Story::default() };
    if arguments.has(Part::Designs) {
        let page = arguments.designs.clone().unwrap_or_else(|| usual("tablesmith-demo-designs.html"));
        story.whole = Some(whole::run(&store, &address, &page, global.seed).await?);
    }
    if arguments.has(Part::Graph) {
        let size = Size::usual(global.seed);
        let bar = progress_bar(size.puts());
        let graph = demo::run(&*store, size, &|puts| bar.inc(puts)).await?;
        bar.finish_and_clear();
        story = Story { whole: story.whole, ..graph };
    }
    if arguments.has(Part::Families) {
        let page = arguments.report.clone().unwrap_or_else(|| usual("tablesmith-demo.html"));
        story.ads = Some(ads::run(&ads::Place { store: &store, address, page: &page }, global.seed).await?);
    }
    if !arguments.keep {
        demo::drop_tables(&*store).await?;
    }
    Ok(story)
}

/// The store to work in. A temporary one lasts as long as its directory is held.
async fn place(
    global: &Global,
    arguments: &DemoArguments,
) -> Result<(Option<TempDir>, Arc<dyn Store>), Failure> {
    if global.store.is_some() || arguments.keep {
        return Ok((None, open::store(global).await?));
    }
    let directory = TempDir::with_prefix("tablesmith-demo-").map_err(Failure::System)?;
    let store = open::embedded(directory.path(), global.embedded_servers())?;
    Ok((Some(directory), store))
}

/// Shows itself only at a terminal.
fn progress_bar(puts: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("loading {bar:40.cyan} {human_pos} of {human_len} puts");
    ProgressBar::new(puts).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn print(global: &Global, arguments: &DemoArguments, story: &Story) -> io::Result<()> {
    let mut out = anstream::AutoStream::auto(io::stdout());
    match global.format {
        Format::Json => writeln!(out, "{}", demo::json::value(story)),
        Format::Text => {
            let store = global.store.as_ref().map(ToString::to_string);
            demo::text::write(&mut out, story, &demo::hints(arguments.keep, store.as_deref()))
        }
    }
}
