//! People, edges and messages from a seed.

use crate::follows::world::{Message, World};
use tablesmith_generate::follows::{Graph, Size, Twit, Twits};

/// The same scale and seed give the same world.
pub fn world(scale: f64, seed: u64) -> World {
    let size = Size::at_scale(scale);
    let graph = Graph::generate(seed, size.users, size.follows);
    let id = |place: usize| graph.users.get(place).map(|user| user.id.clone()).unwrap_or_default();
    let people = graph.users.iter().map(|user| (user.id.clone(), user.name.clone())).collect();
    let edges = graph.edges.iter().map(|edge| (id(edge.follower), id(edge.followed)));
    let twits = Twits::new(&graph, seed).take(size.twits);
    let messages = twits.map(|Twit { author, at_ms, text }| Message { at_ms, author: id(author), text });
    World::new(people, edges, messages)
}
