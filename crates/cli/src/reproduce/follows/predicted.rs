//! Designs drawn by chance: is the order that was predicted the one that is measured?

use std::sync::Arc;

use tablesmith_design::tables::{Terms, alternatives, decide};
use tablesmith_generate::follows::{Size, workload};
use tablesmith_model::cost::Prices;
use tablesmith_model::evidence::{Claim, Predicted, Prediction};
use tablesmith_model::workload::Workload;
use tablesmith_store::Store;
use tablesmith_verify::reproduce::follows::claims::{OURS, weighted_ms};
use tablesmith_verify::reproduce::follows::design::{FollowsDesign, Kind};
use tablesmith_verify::reproduce::follows::designed::DesignedFollows;
use tablesmith_verify::reproduce::follows::world::World;
use tablesmith_verify::statistics::spearman;

use super::ours::{GRAPH, STREAM, TIME};
use super::{Task, part};
use crate::failure::Failure;

/// A rank correlation from here on is an order that agrees.
const AGREES: f64 = 0.9;

/// Measures so many designs drawn by chance, and ours, on all questions.
pub async fn measure(
    store: &Arc<dyn Store>,
    world: &World,
    prices: &Prices,
    task: &Task,
    says: &mut (dyn FnMut(String) + Send),
) -> Result<Prediction, Failure> {
    let asked = asked(task.scale);
    let terms = Terms { prices: prices.clone(), servers: None, time: TIME };
    let refused = |error: tablesmith_design::tables::TablesError| Failure::BadFile(error.to_string());
    let mut decided = alternatives(&asked, &terms, (task.designs, task.seed)).map_err(refused)?;
    decided.push(decide(&asked, &terms).map_err(refused)?);
    let last = decided.len().saturating_sub(1);
    let (mut designs, mut predicted) = (Vec::new(), Vec::new());
    for (number, decided) in decided.iter().enumerate() {
        let name = if number == last { OURS.to_owned() } else { format!("drawn {}", number + 1) };
        let designed =
            DesignedFollows::new(&name, "by chance", &asked, &decided.design).map_err(super::failed)?;
        designs.push(Box::new(designed) as Box<dyn FollowsDesign>);
        predicted.push((name, decided.total_cost));
    }
    let kinds = [Kind::GRAPH.as_slice(), &Kind::STREAM].concat();
    let measured = part(store, designs, world, &kinds, task, says).await?;
    let both = measured.designs.iter().zip(predicted).filter_map(|(design, (name, predicted))| {
        Some(Predicted { design: name, predicted, measured_ms: weighted_ms(design)? })
    });
    let designs: Vec<Predicted> = both.collect();
    let costs: Vec<f64> = designs.iter().map(|design| design.predicted).collect();
    let times: Vec<f64> = designs.iter().map(|design| design.measured_ms).collect();
    Ok(Prediction {
        cost: prices.name.clone(),
        calibration: prices.calibration.clone(),
        spearman: spearman(&costs, &times),
        designs,
        ..Prediction::default()
    })
}

/// The workload with the questions that are measured.
fn asked(scale: f64) -> Workload {
    let whole = workload(Size::at_scale(scale));
    let is_measured = |name: &str| GRAPH.contains(&name) || STREAM.contains(&name);
    let queries = whole.queries.into_iter().filter(|query| is_measured(&query.name)).collect();
    Workload { queries, ..whole }
}

/// Whether the predicted order is the measured one.
pub fn claim(prediction: &Prediction) -> Claim {
    let spearman = prediction.spearman.unwrap_or(f64::NAN);
    Claim {
        claim: "designs come in the order that was predicted".to_owned(),
        paper: format!("not in the guides; wanted: a rank correlation of {AGREES} at least"),
        measured: format!("{spearman:.3} over {} designs", prediction.designs.len()),
        holds: spearman >= AGREES,
        ..Claim::default()
    }
}
