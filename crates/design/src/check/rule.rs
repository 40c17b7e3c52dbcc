//! A rule: what it looks for, and why.

use super::{Finding, Severity, Subject};

/// A rule.
pub struct Rule {
    /// Its id, as it is printed.
    pub id: &'static str,
    /// How grave what it finds is.
    pub severity: Severity,
    /// What it finds, in a sentence.
    pub what: &'static str,
    /// Why that is bad, in a few sentences.
    pub why: &'static str,
    /// A design that it finds something in.
    pub example: Example,
    /// Finds it.
    pub find: fn(&Subject<'_>) -> Vec<Found>,
}

/// A small workload and a design of it.
pub struct Example {
    /// What stands in `workload.toml`, without its first line.
    pub workload: &'static str,
    /// What stands in `design.toml`, without its first two lines.
    pub design: &'static str,
    /// What the regions of its first table had to do, for rules about living tables.
    pub requests: &'static [u64],
}

/// Something that a rule found.
pub struct Found {
    /// Where.
    pub at: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do, in a sentence.
    pub fix: String,
}

impl Rule {
    /// What it finds in a design.
    pub fn findings(&self, subject: &Subject<'_>) -> Vec<Finding> {
        let finding = |found: Found| Finding {
            rule: self.id,
            severity: self.severity,
            at: found.at,
            message: found.message,
            fix: found.fix,
        };
        (self.find)(subject).into_iter().map(finding).collect()
    }
}

impl Example {
    /// The whole text of the workload.
    pub fn workload_toml(&self) -> String {
        format!("version = 1\n{}", self.workload)
    }

    /// The whole text of the design.
    pub fn design_toml(&self) -> String {
        format!("version = 1\nworkload = \"workload.toml\"\n{}", self.design)
    }
}
