//! `demo`: tables designed from queries and measured; then a closer look at a follow graph in two tables, the questions
//! it is asked, and what each answer costs.
//!
//! [`Graph`] is the data, [`design`] decides how it lies in tables, [`load`] and [`questions`] do the work on a store,
//! [`story`] is what came out of it. [`whole`] comes before it: from queries to tables. [`ads`] is the last part: families
//! of a wide table, measured.

mod ads;
mod design;
mod load;
mod pages;
mod questions;
mod regions;
mod story;
mod whole;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tablesmith_generate::follows::Graph;
use tablesmith_store::{Store, StoreError};

pub use self::ads::{AdsStory, FOUND};
pub use self::design::Direction;
use self::load::drop_tables;
use self::pages::Pages;
pub use self::story::{Cost, MostFollowed, Question, RegionStory, Story, TableStory};
pub use self::whole::{OURS, WholeStory};
use crate::leftovers::TemporaryTables;
use crate::temporary::TemporaryDirectory;
use crate::{AppError, Context, Unit, open};

/// What is shown, and where.
#[derive(Clone, Debug, Default)]
pub struct DemoOptions {
    /// Whether the tables stay.
    pub keep: bool,
    /// The page about column families; none: in the user's cache directory.
    pub report: Option<PathBuf>,
    /// The page about the designed tables; none: in the user's cache directory.
    pub designs: Option<PathBuf>,
    /// Only these parts; none: all.
    pub parts: Vec<DemoPart>,
}

/// A part of the demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemoPart {
    /// From queries to tables, measured beside designs made by hand.
    Designs,
    /// A follow graph in two tables, and what its questions cost.
    Graph,
    /// The families of a wide table, found in a query log and measured.
    Families,
}

impl DemoOptions {
    fn has(&self, part: DemoPart) -> bool {
        self.parts.is_empty() || self.parts.contains(&part)
    }
}

/// Shows what the tool is for, in a temporary store unless another one is named.
pub async fn run(context: &Context, options: &DemoOptions) -> Result<Story, AppError> {
    let pages = Pages::of(options.designs.as_deref(), options.report.as_deref())?;
    // Held until the store is closed: the later binding goes first.
    let (_directory, store) = place(context, options).await?;
    let address = context.store.as_ref().map_or_else(|| "embedded".to_owned(), ToString::to_string);
    let mut story = Story { seed: context.seed, ..Story::default() };
    if options.has(DemoPart::Designs) {
        story.whole = Some(whole::run(context, &store, &address, &pages.designs).await?);
        context.progress.note(format!("{} is written and stays", pages.designs.display()));
    }
    if options.has(DemoPart::Graph) {
        let graph = graph(context, &store, options, Size::usual(context.seed)).await?;
        story = Story { whole: story.whole, ..graph };
    }
    if options.has(DemoPart::Families) {
        let place = ads::Place { store: &store, address, page: &pages.families };
        story.ads = Some(ads::run(context, &place).await?);
    }
    Ok(story)
}

/// The follow graph in its tables, which are dropped again unless they are to be kept.
async fn graph(
    context: &Context,
    store: &Arc<dyn Store>,
    options: &DemoOptions,
    size: Size,
) -> Result<Story, AppError> {
    let temporary =
        (!options.keep).then(|| TemporaryTables::new("the demo, demo_follows and demo_followers"));
    context.progress.begin("loading", Unit::Count, Some(size.puts()));
    let done = AtomicU64::new(0);
    let progress = |puts| context.progress.advance(done.fetch_add(puts, Ordering::Relaxed) + puts);
    let work = async { Ok(graph_story(&**store, size, &progress).await?) };
    let graph = context.cancellation.or_cancelled(work).await;
    context.progress.end();
    let Some(temporary) = temporary else { return graph };
    let dropped = drop_tables(&**store).await;
    // Why it came to nothing counts more than what could not be dropped.
    temporary.dropped(context, graph).and_then(|graph| Ok(dropped.map(|()| graph)?))
}

/// The store to work in. A temporary one lasts as long as its directory is held.
async fn place(
    context: &Context,
    options: &DemoOptions,
) -> Result<(Option<TemporaryDirectory>, Arc<dyn Store>), AppError> {
    if context.store.is_some() || options.keep {
        return Ok((None, open::store(context).await?));
    }
    let directory = TemporaryDirectory::new("tablesmith-demo-")?;
    let store = open::temporary(context, &directory, context.embedded_servers()).await?;
    Ok((Some(directory), store))
}

/// How large the graph is, and what it is made from.
#[derive(Clone, Copy, Debug)]
struct Size {
    /// The same seed gives the same graph.
    seed: u64,
    /// Users.
    users: usize,
    /// Edges among them.
    edges: usize,
}

impl Size {
    /// Large enough that a full scan hurts, small enough to be done in a moment.
    fn usual(seed: u64) -> Self {
        Self { seed, users: 3_000, edges: 40_000 }
    }

    /// Puts that loading does: every edge goes into both tables.
    fn puts(self) -> u64 {
        (self.edges * Direction::ALL.len()) as u64
    }
}

/// Makes the tables anew, loads them, asks, and looks at the regions. `progress` is told of puts that are done.
async fn graph_story(
    store: &dyn Store,
    size: Size,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Story, StoreError> {
    drop_tables(store).await?;
    let graph = Graph::generate(size.seed, size.users, size.edges);
    let mut loads = Vec::new();
    for direction in Direction::ALL {
        load::create(store, direction).await?;
        loads.push((direction, load::load(store, direction, &graph, progress).await?));
    }
    let questions = questions::ask_all(store, &graph).await?;
    let mut tables = Vec::new();
    for (direction, load) in loads {
        let regions = regions::look(store, direction).await?;
        tables.push(TableStory { direction, load, regions });
    }
    let (star, followers) = graph.most_followed().unwrap_or_default();
    let star = graph.users.get(star).map(|user| user.id.clone()).unwrap_or_default();
    Ok(Story {
        seed: size.seed,
        users: graph.users.len(),
        edges: graph.edges.len(),
        most_followed: MostFollowed { user: star, followers },
        tables,
        questions,
        whole: None,
        ads: None,
    })
}
