//! The log of past queries, and which part of it serves what.

use schemars::JsonSchema;

/// The log of past queries.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Log {
    /// The file, seen from the directory of `workload.toml`: SQL with or without a time before each statement, JSON lines
    /// or CSV.
    #[schemars(length(min = 1))]
    pub path: String,
    /// Its shares by time: training, validation, test. They add up to 1.
    #[schemars(default, with = "[f64; 3]", inner(range(min = 0, max = 1)), extend("default" = Split::default().shares()))]
    pub split: Split,
}

/// The shares of a log, from its beginning to its end; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// What deciders see.
    pub training: f64,
    /// What picks among parameters.
    pub validation: f64,
    /// What is replayed to measure.
    pub test: f64,
}

impl Default for Split {
    fn default() -> Self {
        Self { training: 0.6, validation: 0.2, test: 0.2 }
    }
}

impl Split {
    /// The three shares in their order.
    pub fn shares(self) -> [f64; 3] {
        [self.training, self.validation, self.test]
    }
}
