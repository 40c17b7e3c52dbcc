//! What a replay left: a time for each turn and design, and why it ended early if it did.

use std::time::Duration;

use tablesmith_store::{OpStats, StoreError};

/// What was measured.
#[derive(Debug, Default)]
pub struct Measured {
    /// The turns that all designs answered, in their order.
    pub turns: Vec<Timed>,
    /// What the store counted in these turns, for each design.
    pub stats: Vec<OpStats>,
    /// How long all of these calls together waited for a processor of this machine; it is not in their times.
    pub waited: Duration,
    /// Why the replay ended before all turns were made.
    pub stopped: Option<Stop>,
}

/// One turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timed {
    /// Its number among the measured turns.
    pub turn: usize,
    /// The call, as its place in the script.
    pub call: usize,
    /// What the call took on each design.
    pub times_ms: Vec<f64>,
    /// Rows of the answer.
    pub rows: u64,
}

/// Why a replay ended early.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// Somebody asked for it.
    #[error("it was interrupted")]
    Interrupted,
    /// The store failed.
    #[error("the store failed on {design} at {call}: {error}")]
    Store {
        /// The design that was asked.
        design: String,
        /// The call.
        call: String,
        /// What the store said.
        error: Box<StoreError>,
    },
    /// The designs answered differently.
    #[error("the designs answer differently: {0}")]
    Differ(Difference),
}

/// A call that was not answered alike by all designs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The query's name.
    pub query: String,
    /// The call.
    pub call: String,
    /// The designs with the rows of their answers, and whether the answer is the first one's.
    pub answers: Vec<DesignAnswer>,
}

/// What one design answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignAnswer {
    /// The design.
    pub design: String,
    /// Rows of its answer.
    pub rows: u64,
    /// A hash of its answer.
    pub hash: u64,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let answers: Vec<String> = self
            .answers
            .iter()
            .map(|answer| format!("{} {} rows (hash {:016x})", answer.design, answer.rows, answer.hash))
            .collect();
        write!(f, "{}; query `{}`: {}", answers.join(", "), self.query, self.call)
    }
}
