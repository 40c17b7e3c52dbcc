//! The demo: tables designed from questions and measured; then a closer look at a follow graph in two tables, the questions
//! it is asked, and what each answer costs.
//!
//! [`Graph`] is the data, [`design`] decides how it lies in tables, [`load`] and [`questions`] do the work on a
//! store, [`story`] is what came out of it, [`text`] and [`json`] print that. [`whole`] comes before it: from
//! questions to tables. [`ads`] is the last part: families of a wide table, measured.

pub mod ads;
mod design;
pub mod json;
mod load;
mod next;
mod pages;
mod questions;
mod regions;
mod story;
pub mod text;
pub mod whole;

use tablesmith_generate::follows::Graph;
use tablesmith_store::{Store, StoreError};

use self::design::Direction;
pub use self::load::drop_tables;
pub use self::next::hints;
pub use self::pages::Pages;
pub use self::story::Story;
use self::story::TableStory;

/// How large the graph is, and what it is made from.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The same seed gives the same graph.
    pub seed: u64,
    /// Users.
    pub users: usize,
    /// Edges among them.
    pub edges: usize,
}

impl Size {
    /// Large enough that a full scan hurts, small enough to be done in a moment.
    pub fn usual(seed: u64) -> Self {
        Self { seed, users: 3_000, edges: 40_000 }
    }

    /// Puts that loading does: every edge goes into both tables.
    pub fn puts(self) -> u64 {
        (self.edges * Direction::ALL.len()) as u64
    }
}

/// Makes the tables anew, loads them, asks, and looks at the regions. `progress` is told of puts that are done.
pub async fn run(
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
        most_followed: (star, followers),
        tables,
        questions,
        whole: None,
        ads: None,
    })
}
