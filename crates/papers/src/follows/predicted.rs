//! Designs drawn by chance: is the order that was predicted the one that is measured?

use std::sync::Arc;

use crate::follows::claims::{OURS, weighted_ms};
use crate::follows::design::{FollowsDesign, Kind};
use crate::follows::designed::DesignedFollows;
use crate::follows::measure::DesignTook;
use crate::follows::world::World;
use tablesmith_app::Context;
use tablesmith_design::tables::{Terms, alternatives, decide};
use tablesmith_model::cost::Prices;
use tablesmith_model::design::Design;
use tablesmith_model::evidence::{Claim, Predicted, PredictedQuestion, Prediction};
use tablesmith_store::Store;
use tablesmith_verify::statistics::spearman;

use super::ours::{GRAPH, STREAM, TIME, asked};
use super::run::{Task, part};
use crate::PaperError;

/// A rank correlation from here on is an order that agrees.
const AGREES: f64 = 0.9;
/// Why the order may differ.
const WHY_NOT: &str = "other work on the machine moves the times, now or when the prices were measured: `tablesmith \
                       calibrate` measures them anew; --evidence has what was predicted of each question";

/// Measures so many designs drawn by chance, and ours, on all questions.
pub async fn measure(
    context: &Context,
    store: &Arc<dyn Store>,
    world: &World,
    prices: &Prices,
    task: &Task,
) -> Result<Prediction, PaperError> {
    let asked = asked(world, &[GRAPH.as_slice(), &STREAM].concat());
    let terms = Terms { prices: prices.clone(), servers: None, time: TIME };
    let mut decided = alternatives(&asked, &terms, (task.designs, task.seed))?;
    decided.push(decide(&asked, &terms)?);
    let last = decided.len().saturating_sub(1);
    let (mut designs, mut predicted) = (Vec::new(), Vec::new());
    for (number, decided) in decided.iter().enumerate() {
        let name = if number == last { OURS.to_owned() } else { format!("drawn {}", number + 1) };
        let designed = DesignedFollows::new(&name, "by chance", &asked, &decided.design)?;
        designs.push(Box::new(designed) as Box<dyn FollowsDesign>);
        predicted.push((name, decided));
    }
    let kinds = [Kind::GRAPH.as_slice(), &Kind::STREAM].concat();
    let measured = part(context, store, designs, world, &kinds, task).await?;
    let both = measured.designs.iter().zip(predicted).filter_map(|(design, (name, decided))| {
        let measured_ms = weighted_ms(design)?;
        let questions = questions(&decided.design, design);
        Some(Predicted { design: name, predicted: decided.total_cost, measured_ms, questions })
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

/// Each question by itself.
fn questions(design: &Design, took: &DesignTook) -> Vec<PredictedQuestion> {
    let kinds = Kind::GRAPH.iter().zip(GRAPH).chain(Kind::STREAM.iter().zip(STREAM));
    let of = |(kind, name): (&Kind, &str)| {
        let query = design.queries.iter().find(|query| query.name == name)?;
        let took = took.took.get(kind)?;
        let steps: Vec<String> =
            query.plan.iter().map(|step| format!("{} {}", step.access.name(), step.table)).collect();
        Some(PredictedQuestion {
            question: name.to_owned(),
            plan: steps.join(", then "),
            predicted: query.predicted.as_ref()?.cost,
            measured_ms: took.mean_ms,
            rows: took.rows,
        })
    };
    kinds.filter_map(of).collect()
}

/// Whether the predicted order is the measured one.
pub fn claim(prediction: &Prediction) -> Claim {
    let spearman = prediction.spearman.unwrap_or(f64::NAN);
    Claim {
        claim: "designs come in the order that was predicted".to_owned(),
        paper: format!("not in the guides; wanted: a rank correlation of {AGREES} at least"),
        measured: format!("{spearman:.3} over {} designs", prediction.designs.len()),
        holds: spearman >= AGREES,
        reason: (spearman < AGREES).then(|| WHY_NOT.to_owned()),
    }
}
