//! What a run of the suite found.

use std::fmt;

/// A rule that a store does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The check, `theme::name`.
    pub check: String,
    /// What differed.
    pub message: String,
}

/// What a run of the suite found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The checks that passed.
    pub passed: Vec<String>,
    /// The rules that are not kept.
    pub failures: Vec<Failure>,
    /// What could not be removed afterwards.
    pub leftovers: Vec<String>,
}

impl Report {
    /// Whether every rule is kept and nothing is left behind.
    pub fn is_ok(&self) -> bool {
        self.failures.is_empty() && self.leftovers.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{}:\n    {}", failure.check, failure.message)?;
        }
        for leftover in &self.leftovers {
            writeln!(f, "left behind: {leftover}")?;
        }
        write!(f, "{} checks passed, {} failed", self.passed.len(), self.failures.len())
    }
}
