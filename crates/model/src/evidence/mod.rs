//! Evidence: what was measured on designs side by side, and what follows from it.
//!
//! Plain values that are written to a file as JSON and read back. `verify` makes them, `report` shows them. Times are in
//! milliseconds; what a store does not know is absent, never 0; a number that JSON cannot write (infinite, or none at
//! all) is `null`.

mod claim;
mod design;
mod figures;
mod heat;
mod number;
mod pair;
mod prediction;

use serde::{Deserialize, Serialize};

pub use claim::Claim;
pub use design::{
    Distribution, FamilyShape, Loaded, MeasuredDesign, MeasuredQuery, MeasuredRegion, Outlier, Rejected,
    StoreCounts, Summary,
};
pub use figures::Figures;
pub use heat::{HeatLine, HeatMap};
pub use pair::Pair;
pub use prediction::{Predicted, PredictedQuestion, Prediction};

/// What was measured in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// What was measured, in a few words: the title of its page.
    pub title: String,
    /// The store, as its address says it.
    pub store: String,
    /// The seed of everything random.
    pub seed: u64,
    /// Calls that were replayed at the same time.
    pub clients: u32,
    /// Calls a second that were asked for; none: as fast as it goes.
    pub rate: Option<f64>,
    /// Calls of each design that came before the measured ones and do not count.
    pub warm_up: u64,
    /// The designs, in the order in which they were given.
    pub designs: Vec<MeasuredDesign>,
    /// Pairs of designs on the same queries.
    pub pairs: Vec<Pair>,
    /// What came out, in one sentence.
    pub verdict: String,
    /// Whether every query had the same answer on all designs.
    pub answers_equal: bool,
    /// Why measuring ended before all queries were asked; what was measured until then is here.
    pub stopped: Option<String>,
    /// What was predicted beside what was measured.
    pub prediction: Option<Prediction>,
    /// Claims of others, and whether they hold here.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// Further tables of figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figures>,
    /// Load over time, one map for each design or key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heat: Vec<HeatMap>,
    /// What a reader should know: what was assumed, left out, or done in another way.
    pub notes: Vec<String>,
}
