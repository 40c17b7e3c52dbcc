//! A claim that others made, beside what was measured here.

use serde::{Deserialize, Serialize};

/// One claim of a paper, and whether it holds here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What is claimed, as a sentence.
    pub claim: String,
    /// The paper's value, with its unit.
    pub paper: String,
    /// The value measured here, with its unit.
    pub measured: String,
    /// Whether the claim holds here.
    pub holds: bool,
    /// Why it does not hold, or what else a reader should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
