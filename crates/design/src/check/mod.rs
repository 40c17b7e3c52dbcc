//! Rules over a design: what is known to go wrong in wide-column stores, with the place and what to do.
//!
//! ```text
//!  design, workload ──▶ Subject ──registry: one rule a file──▶ Findings
//! ```
//!
//! A rule says only what it can see: without a workload, the rules that look at queries or sizes find nothing. A table
//! that lives in a store is checked as the design that its description makes.

mod finding;
mod registry;
mod rule;
mod rules;
mod subject;

pub use finding::{Finding, Severity};
pub use registry::{RULES, rule};
pub use rule::{Example, Rule};
pub use subject::{Laid, LiveRegion, Subject};

/// Everything that the rules find, the gravest first.
pub fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule.findings(subject)).collect();
    findings.sort_by_key(|finding| finding.severity);
    let mut told: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        // Two queries can lead to the same words.
        if !told.contains(&finding) {
            told.push(finding);
        }
    }
    told
}

#[cfg(test)]
mod tests;
