//! What a cost predicted beside what was measured.

use serde::{Deserialize, Serialize};

/// How good a cost is at telling designs apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The cost's name.
    pub cost: String,
    /// The calibration behind its prices.
    pub calibration: Option<String>,
    /// The designs, in their order.
    pub designs: Vec<Predicted>,
    /// Spearman's rank correlation between predicted and measured; absent for fewer than three designs.
    pub spearman: Option<f64>,
    /// Pairs whose measured difference is significant.
    pub significant_pairs: u64,
    /// Of those, the pairs that the prediction orders as measured.
    pub ordered_right: u64,
    /// The design whose measured time is furthest from the line through all predictions, by its name.
    pub worst: Option<String>,
}

/// A design's predicted cost and measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// The design's name.
    pub design: String,
    /// The predicted cost of a call, on average, in the cost's unit.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub predicted: f64,
    /// The measured mean response time.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub measured_ms: f64,
    /// The same for each question, where it was predicted apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<PredictedQuestion>,
}

/// One call of a question: its predicted cost and measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PredictedQuestion {
    /// The question's name in the workload.
    pub question: String,
    /// How the design answers it.
    pub plan: String,
    /// The predicted cost, in the cost's unit.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub predicted: f64,
    /// The measured mean time.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub measured_ms: f64,
    /// Rows that came back on average.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub rows: f64,
}
