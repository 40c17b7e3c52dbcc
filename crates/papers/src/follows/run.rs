//! Who follows whom: all designs of the guides and ours, on a store.

use std::sync::Arc;

use crate::follows::claims::{Results, claims};
use crate::follows::design::{FollowsDesign, Kind, remove};
use crate::follows::measure::{Measured, measure};
use crate::follows::world::World;
use crate::follows::{graph_designs, stream_designs};
use tablesmith_app::Context;
use tablesmith_app::leftovers::TemporaryTables;
use tablesmith_model::cost::Prices;
use tablesmith_model::evidence::Evidence;
use tablesmith_store::Store;

use super::{figures, generate, ours, predicted};
use crate::PaperError;

/// How it is done.
pub struct Task {
    /// How much data.
    pub scale: f64,
    /// Questions of each kind.
    pub rounds: usize,
    /// What everything random is made from.
    pub seed: u64,
    /// How the store is named.
    pub address: String,
    /// Designs drawn by chance that are measured, too; 0: none.
    pub designs: usize,
    /// What operations cost.
    pub prices: Prices,
}

/// What came out.
pub struct Outcome {
    /// How much data.
    pub scale: f64,
    /// Designs of the graph.
    pub graph: Measured,
    /// Designs of the stream.
    pub stream: Measured,
    /// The claims, and what a reader should know.
    pub evidence: Evidence,
}

impl Outcome {
    /// Whether every claim holds, and all designs gave true answers.
    pub fn all_hold(&self) -> bool {
        self.evidence.answers_equal && self.evidence.claims.iter().all(|claim| claim.holds)
    }
}

/// Does all of it.
pub async fn run(context: &Context, store: &Arc<dyn Store>, task: &Task) -> Result<Outcome, PaperError> {
    let world = generate::world(task.scale, task.seed);
    let mut designs = graph_designs();
    designs.push(ours::design(&world, &ours::GRAPH, &task.prices)?);
    let graph = part(context, store, designs, &world, &Kind::GRAPH, task).await?;
    let mut designs = stream_designs();
    designs.push(ours::design(&world, &ours::STREAM, &task.prices)?);
    let stream = part(context, store, designs, &world, &Kind::STREAM, task).await?;
    let mut evidence = evidence(task, &world, &graph, &stream);
    if task.designs > 0 {
        let prediction = predicted::measure(context, store, &world, &task.prices, task).await?;
        evidence.claims.push(predicted::claim(&prediction));
        evidence.prediction = Some(prediction);
    }
    let hold = evidence.claims.iter().filter(|claim| claim.holds).count();
    evidence.verdict = format!("{hold} of {} claims hold", evidence.claims.len());
    Ok(Outcome { scale: task.scale, graph, stream, evidence })
}

/// Measures designs unless the work is cancelled, and drops their tables whatever happens.
pub(super) async fn part(
    context: &Context,
    store: &Arc<dyn Store>,
    designs: Vec<Box<dyn FollowsDesign>>,
    world: &World,
    kinds: &[Kind],
    task: &Task,
) -> Result<Measured, PaperError> {
    let temporary = TemporaryTables::new("the experiment, tablesmith_follows_*");
    let mut world = world.clone();
    let mut says = |what: String| context.progress.detail(&what);
    let asked = (task.rounds, task.seed);
    let work = async { Ok(measure(store, &designs, &mut world, kinds, asked, &mut says).await) };
    let measured = context.cancellation.or_cancelled(work).await;
    for design in &designs {
        for table in design.tables()? {
            remove(&**store, &table).await?;
        }
    }
    Ok(temporary.dropped(context, measured)??)
}

fn evidence(task: &Task, world: &World, graph: &Measured, stream: &Measured) -> Evidence {
    let claims = claims(&Results { graph, stream });
    let wrong: Vec<String> = graph.wrong.iter().chain(&stream.wrong).cloned().collect();
    let mut notes = vec![format!(
        "{} people, {} edges, {} messages; {} questions of each kind, on all designs in turn",
        world.users.len(),
        world.edges().count(),
        world.messages().count(),
        task.rounds
    )];
    notes.extend(wrong.iter().map(|wrong| format!("wrong: {wrong}")));
    Evidence {
        title: "Who follows whom".to_owned(),
        store: task.address.clone(),
        seed: task.seed,
        answers_equal: wrong.is_empty(),
        claims,
        figures: [
            figures::figures("Who follows whom", graph, &Kind::GRAPH),
            figures::figures("The stream", stream, &Kind::STREAM),
        ]
        .concat(),
        notes,
        ..Evidence::default()
    }
}
