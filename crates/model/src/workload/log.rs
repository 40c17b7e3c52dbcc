//! The log of past queries, and which part of it serves what.

/// The log of past queries.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The file, seen from the directory of `workload.toml`.
    pub path: String,
    /// How it is divided by time.
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
