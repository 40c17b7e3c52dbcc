//! Every design of the follow graph answers what is true.

use std::sync::Arc;

use tablesmith_store::Store;
use tablesmith_store::SystemClock;
use tablesmith_store::memory::MemoryStore;
use tablesmith_verify::reproduce::follows::claims::{Results, claims};
use tablesmith_verify::reproduce::follows::design::Kind;
use tablesmith_verify::reproduce::follows::measure::measure;
use tablesmith_verify::reproduce::follows::world::{Message, World};
use tablesmith_verify::reproduce::follows::{graph_designs, stream_designs};

/// Thirty people, of whom everybody follows some and writes some.
fn world() -> World {
    let id = |number: usize| format!("user{number}");
    let people = (0..30).map(|number| (id(number), format!("Name {number}"))).collect();
    let edges = (0..30).flat_map(|one| (1..8).map(move |step| (one, (one * 5 + step * step) % 30)));
    let edges = edges.filter(|(one, other)| one != other).map(|(one, other)| (id(one), id(other)));
    let messages = (0..300_i64).map(|number| Message {
        at_ms: 1_000 * number,
        author: id(usize::try_from(number * 7 % 30).unwrap()),
        text: format!("text {number}"),
    });
    World::new(people, edges.collect::<Vec<_>>(), messages)
}

#[tokio::test]
async fn every_design_of_the_guides_answers_what_is_true() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Arc::new(SystemClock), 2));
    let mut world = world();
    let mut says = |_| {};
    let graph = graph_designs();
    let graph = measure(&store, &graph, &mut world.clone(), &Kind::GRAPH, (12, 1), &mut says).await.unwrap();
    assert_eq!(graph.wrong, Vec::<String>::new());
    let calls = |name: &str, kind: Kind| {
        let design = graph.designs.iter().find(|design| design.name == name).unwrap();
        design.took[&kind].calls
    };
    assert_eq!((calls("numbered", Kind::Follow), calls("wide", Kind::Follow)), (2.0, 1.0));
    assert_eq!((calls("wide, both ways", Kind::Who), calls("tall, type inside", Kind::Follow)), (1.0, 1.0));
    let stream = stream_designs();
    let stream = measure(&store, &stream, &mut world, &Kind::STREAM, (12, 1), &mut says).await.unwrap();
    assert_eq!(stream.wrong, Vec::<String>::new());
    let claims = claims(&Results { graph: &graph, stream: &stream });
    assert!(claims[0].holds && claims[1].holds, "{claims:?}");
}
