//! Every design of the follow graph answers what is true.

use std::sync::Arc;

use tablesmith_model::design::{Design, Table};
use tablesmith_model::workload::Workload;

use tablesmith_papers::follows::claims::{Results, claims};
use tablesmith_papers::follows::design::{FollowsDesign, Kind};
use tablesmith_papers::follows::designed::DesignedFollows;
use tablesmith_papers::follows::measure::measure;
use tablesmith_papers::follows::world::{Message, World};
use tablesmith_papers::follows::{graph_designs, stream_designs};
use tablesmith_store::Store;
use tablesmith_store::SystemClock;
use tablesmith_store_testing::memory::MemoryStore;

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

/// The example's workload, and a design for it: the tables as they are, or with copies for all that is asked.
fn example() -> (Workload, Design, Design) {
    let workload = Workload::parse(include_str!("../../../../examples/twits/workload.toml")).unwrap();
    let tables: Vec<Table> = workload.tables.iter().map(Table::of_workload).collect();
    let plain = Design { tables, ..Design::default() };
    let copies = r#"
[[table]]
name = "followers"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["md5(followed, 8)", "followed"]
cells = [{ family = "f", qualifier = "follower", value = "since" }]
[[table]]
name = "stream"
[[table.family]]
name = "f"
[[table.rows]]
from = "twit"
join = ["follow.followed"]
key = ["follow.follower", "desc(at)", "author"]
cells = [{ family = "f", columns = ["text"] }]
"#;
    let copied = Design::parse_for(&format!("{}{copies}", plain.to_toml()), &workload).unwrap();
    (workload, plain, copied)
}

#[tokio::test]
async fn designs_asked_in_sql_answer_what_is_true_and_copies_save_calls() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Arc::new(SystemClock), 2));
    let (workload, plain, copied) = example();
    let designs: Vec<Box<dyn FollowsDesign>> = [("plain", &plain), ("copies", &copied)]
        .into_iter()
        .map(|(name, design)| {
            let designed = DesignedFollows::new(name, "test", &workload, design).unwrap();
            Box::new(designed) as Box<dyn FollowsDesign>
        })
        .collect();
    let kinds = [Kind::GRAPH.as_slice(), &Kind::STREAM].concat();
    let measured = measure(&store, &designs, &mut world(), &kinds, (12, 1), &mut |_| {}).await.unwrap();
    assert_eq!(measured.wrong, Vec::<String>::new());
    let calls = |design: usize, kind: Kind| measured.designs[design].took[&kind].calls;
    assert_eq!(calls(1, Kind::Newest), 1.0, "the stream is one scan");
    assert!(calls(0, Kind::Newest) > 1.0);
    assert_eq!(calls(1, Kind::Who), 1.0);
    assert!(calls(1, Kind::Follow) > calls(0, Kind::Follow), "copies are written, too");
}
