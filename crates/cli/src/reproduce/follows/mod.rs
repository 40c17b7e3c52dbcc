//! Who follows whom: all designs of the guides and ours, on a store.

pub mod figures;
pub mod json;
mod ours;
mod predicted;
pub mod text;
pub mod world;

use std::sync::Arc;

use tablesmith_model::cost::Prices;
use tablesmith_model::evidence::Evidence;
use tablesmith_store::Store;
use tablesmith_verify::reproduce::follows::claims::{Results, claims};
use tablesmith_verify::reproduce::follows::design::{FollowsDesign, FollowsError, Kind, remove};
use tablesmith_verify::reproduce::follows::measure::{Measured, measure};
use tablesmith_verify::reproduce::follows::world::World;
use tablesmith_verify::reproduce::follows::{graph_designs, stream_designs};

use crate::failure::Failure;
use crate::interrupt::{TemporaryTables, interruptible};

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

/// Does all of it. `says` hears what is going on.
pub async fn run(
    store: &Arc<dyn Store>,
    task: &Task,
    says: &mut (dyn FnMut(String) + Send),
) -> Result<Outcome, Failure> {
    let world = world::generate(task.scale, task.seed);
    let mut designs = graph_designs();
    designs.push(ours::design(&world, &ours::GRAPH, &task.prices)?);
    let graph = part(store, designs, &world, &Kind::GRAPH, task, says).await?;
    let mut designs = stream_designs();
    designs.push(ours::design(&world, &ours::STREAM, &task.prices)?);
    let stream = part(store, designs, &world, &Kind::STREAM, task, says).await?;
    let mut evidence = evidence(task, &world, &graph, &stream);
    if task.designs > 0 {
        let prediction = predicted::measure(store, &world, &task.prices, task, says).await?;
        evidence.claims.push(predicted::claim(&prediction));
        evidence.prediction = Some(prediction);
    }
    let hold = evidence.claims.iter().filter(|claim| claim.holds).count();
    evidence.verdict = format!("{hold} of {} claims hold", evidence.claims.len());
    Ok(Outcome { scale: task.scale, graph, stream, evidence })
}

/// Measures some designs, and removes their tables whatever happens.
async fn part(
    store: &Arc<dyn Store>,
    designs: Vec<Box<dyn FollowsDesign>>,
    world: &World,
    kinds: &[Kind],
    task: &Task,
    says: &mut (dyn FnMut(String) + Send),
) -> Result<Measured, Failure> {
    let asked = (task.rounds, task.seed);
    measure_and_drop(store, &designs, &mut world.clone(), kinds, asked, says).await
}

/// Measures designs unless the program is interrupted, and drops their tables whatever happens.
pub async fn measure_and_drop(
    store: &Arc<dyn Store>,
    designs: &[Box<dyn FollowsDesign>],
    world: &mut World,
    kinds: &[Kind],
    asked: (usize, u64),
    says: &mut (dyn FnMut(String) + Send),
) -> Result<Measured, Failure> {
    let temporary = TemporaryTables::new("the experiment, tablesmith_follows_*");
    let work = async { measure(store, designs, world, kinds, asked, says).await.map_err(failed) };
    let measured = interruptible(work).await;
    for design in designs {
        for table in design.tables().map_err(failed)? {
            remove(&**store, &table).await.map_err(Failure::Store)?;
        }
    }
    temporary.dropped(measured)
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

/// Why designs could not be measured.
pub fn failed(error: FollowsError) -> Failure {
    match error {
        FollowsError::Store(error) => Failure::Store(error),
        FollowsError::Other(message) => Failure::BadFile(message),
    }
}
