//! The four key designs of the paper and the plain key: a histogram, loads in the simulator at full size, and loads on a
//! store at a scale.

use std::sync::Arc;

use crate::keys::check::{Checked, checked};
use crate::keys::claims::{Divisor, EIGHT, Results, claims};
use crate::keys::designs::{KeyDesign, MODULUS};
use crate::keys::hash_cost::{HashCost, hash_cost};
use crate::keys::histogram::{Histogram, IDS, MODULI, histograms};
use crate::keys::placed::Source;
use crate::keys::point::{LoadPoint, Setting};
use crate::keys::simulated::{Model, all_settings, grid};
use tablesmith_app::Context;
use tablesmith_generate::sparse::{FULL_WIDTH, ROWS, SparseRows, rows_at};
use tablesmith_model::evidence::Evidence;

use super::cluster::Place;
use super::page;
use crate::PaperError;

/// Values of a row that is simulated or loaded: enough to be rows, and little to write. What is hashed is as large as the
/// paper's where its time is measured.
const NARROW: u32 = 6;

/// How it is done.
pub struct Task {
    /// How much is loaded into the store: 1 is four million rows.
    pub scale: f64,
    /// Rows in the simulator.
    pub rows: u64,
    /// The loads into the store.
    pub settings: Vec<Setting>,
    /// What everything random is made from.
    pub seed: u64,
    /// The store.
    pub place: Place,
}

/// What came out.
pub struct Outcome {
    /// How much was loaded into the store.
    pub scale: f64,
    /// Of ids from 1 on, then of ids from 0 on.
    pub histograms: Vec<Histogram>,
    /// Loads in the simulator.
    pub simulated: Vec<LoadPoint>,
    /// Loads with other numbers of prefixes.
    pub divisors: Vec<Divisor>,
    /// What hashing costs.
    pub hash_cost: HashCost,
    /// Loads on the store.
    pub measured: Vec<LoadPoint>,
    /// Those beside what was predicted.
    pub checked: Vec<Checked>,
    /// The claims, and what a reader should know.
    pub evidence: Evidence,
}

/// Does all of it.
pub async fn run(context: &Context, task: &Task) -> Result<Outcome, PaperError> {
    let says = &mut |what: String| context.progress.detail(&what);
    says(format!("hashing {IDS} ids"));
    let histograms = histograms(IDS, &MODULI)?;
    let source = source(task.rows as usize, MODULUS, task.seed, NARROW);
    let cost = hash_cost(&self::source(task.rows as usize, MODULUS, task.seed, FULL_WIDTH));
    let model = Model::of_paper(task.seed);
    let (mut simulated, mut divisors) = (Vec::new(), Vec::new());
    for design in KeyDesign::ALL {
        says(format!("simulating {}", design.name()));
        simulated.extend(grid(&model, &source, design, &all_settings())?);
        divisors.extend(other_divisors(&model, &source, design)?);
    }
    let small = self::source(rows_at(task.scale) as usize, scaled_modulus(task.scale), task.seed, NARROW);
    let loads = task.place.load_all(context, &small, &task.settings, task.seed).await?;
    let checked = checked(&loads.measured, &loads.predicted);
    let mut outcome = Outcome {
        scale: task.scale,
        histograms,
        simulated,
        divisors,
        hash_cost: cost?,
        measured: loads.measured.into_iter().map(|measured| measured.point).collect(),
        checked,
        evidence: Evidence::default(),
    };
    outcome.evidence = evidence(task, &outcome, loads.notes);
    Ok(outcome)
}

fn source(rows: usize, modulus: u64, seed: u64, width: u32) -> Source {
    let maker = SparseRows::new(seed, width);
    Source { rows, modulus, seed, lines: Arc::new(move |id, line| maker.line(id, line)) }
}

/// Fewer rows get fewer prefixes, so that as many rows share one as in the paper.
fn scaled_modulus(scale: f64) -> u64 {
    ((MODULUS as f64 * scale).round() as u64).max(1_000)
}

fn other_divisors(model: &Model, source: &Source, design: KeyDesign) -> Result<Vec<Divisor>, PaperError> {
    if design == KeyDesign::Plain {
        return Ok(Vec::new());
    }
    let mut divisors = Vec::new();
    for modulus in MODULI {
        let source = Source { modulus, ..source.clone() };
        let points = grid(model, &source, design, &[EIGHT])?;
        divisors.extend(points.iter().map(|point| Divisor { design, modulus, load_s: point.load_s }));
    }
    Ok(divisors)
}

fn evidence(task: &Task, outcome: &Outcome, mut notes: Vec<String>) -> Evidence {
    let claims = claims(&Results {
        histograms: &outcome.histograms,
        simulated: &outcome.simulated,
        divisors: &outcome.divisors,
        hash_cost: Some(outcome.hash_cost),
        measured: &outcome.measured,
        checked: &outcome.checked,
    });
    let hold = claims.iter().filter(|claim| claim.holds).count();
    notes.push(format!(
        "the simulator has {} of the paper's {ROWS} rows; what the paper does not tell of its clients and servers is set by \
         its four load times on 55 servers",
        task.rows
    ));
    Evidence {
        title: "Row keys and pre-splits".to_owned(),
        store: task.place.address(),
        seed: task.seed,
        verdict: format!("{hold} of {} claims hold", claims.len()),
        answers_equal: true,
        claims,
        figures: page::figures(outcome),
        heat: page::heat(outcome),
        notes,
        ..Evidence::default()
    }
}

impl Outcome {
    /// Whether every claim holds.
    pub fn all_hold(&self) -> bool {
        self.evidence.claims.iter().all(|claim| claim.holds)
    }

    /// A load in the simulator.
    pub fn at(&self, design: KeyDesign, setting: Setting) -> Option<&LoadPoint> {
        self.simulated.iter().find(|point| point.design == design && point.setting == setting)
    }
}
