//! The design that tablesmith finds for the same questions.

use std::time::Duration;

use crate::follows::claims::OURS;
use crate::follows::design::FollowsDesign;
use crate::follows::designed::DesignedFollows;
use crate::follows::world::World;
use tablesmith_design::tables::{Terms, decide};
use tablesmith_generate::follows::{Size, seen, workload};
use tablesmith_model::cost::Prices;
use tablesmith_model::workload::Workload;

use crate::PaperError;

/// How long the search may take.
pub const TIME: Duration = Duration::from_secs(10);

/// The questions about the graph, by their names in the workload.
pub const GRAPH: [&str; 5] =
    ["whom does a user follow", "does a user follow another", "who follows a user", "follow", "unfollow"];
/// The questions about messages.
pub const STREAM: [&str; 2] = ["newest twits of the people a user follows", "twit"];

/// The workload with some of its questions.
pub fn asked(world: &World, questions: &[&str]) -> Workload {
    let size =
        Size { users: world.users.len(), follows: world.edges().count(), twits: world.messages().count() };
    let whole = workload(size);
    let queries = whole.queries.into_iter().filter(|query| questions.contains(&query.name.as_str()));
    Workload { queries: queries.collect(), joins: vec![seen(world.seen())], ..whole }
}

/// The design for some of the workload's questions.
pub fn design(
    world: &World,
    questions: &[&str],
    prices: &Prices,
) -> Result<Box<dyn FollowsDesign>, PaperError> {
    let asked = asked(world, questions);
    let terms = Terms { prices: prices.clone(), servers: None, time: TIME };
    let decided = decide(&asked, &terms)?;
    let designed = DesignedFollows::new(OURS, "tablesmith design", &asked, &decided.design);
    Ok(Box::new(designed?))
}
