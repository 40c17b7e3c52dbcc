//! What `tablesmith reproduce` does: an experiment of a paper, done again, claim by claim.

pub mod families;
pub mod follows;
pub mod json;
pub mod keys;
pub mod text;
pub mod time;

use tablesmith_model::evidence::Evidence;
use tablesmith_verify::replay::Stop;

/// What came out of an experiment.
pub struct Outcome {
    /// The experiment's name on the command line.
    pub experiment: &'static str,
    /// How much data there was, beside the paper's.
    pub scale: f64,
    /// What was measured, and where it comes from.
    pub tried: Vec<Tried>,
    /// What was measured, with the claims.
    pub evidence: Evidence,
    /// Why measuring ended early.
    pub stopped: Option<Stop>,
}

/// A design that was measured.
pub struct Tried {
    /// Its name.
    pub name: String,
    /// How it was found, in words.
    pub origin: String,
}

impl Outcome {
    /// Whether every claim holds.
    pub fn all_hold(&self) -> bool {
        self.stopped.is_none() && self.evidence.claims.iter().all(|claim| claim.holds)
    }
}
