//! Estimates beside what was counted.

use std::collections::BTreeMap;
use std::fmt;

use tablesmith_access::answer::{Explain, StepFigures};
use tablesmith_model::design::Predicted;

/// Rows and bytes are predicted well within this factor.
const FACTOR: f64 = 1.5;
/// Executions that are shown whose calls were predicted wrong.
const SHOWN: usize = 8;

/// One execution of a query.
pub struct Execution {
    pub seed: u64,
    pub sql: String,
    pub is_as_designed: bool,
    /// What the design predicts for any execution of the query.
    pub predicted: Option<Predicted>,
    pub explain: Explain,
}

impl Execution {
    /// The sum of a figure over all steps: estimated, and counted.
    fn both(&self, figure: impl Fn(&StepFigures) -> f64) -> (f64, f64) {
        let sum = |figures: fn(&tablesmith_access::answer::ExplainStep) -> Option<StepFigures>| {
            self.explain.steps.iter().filter_map(figures).map(|figures| figure(&figures)).sum::<f64>()
        };
        (sum(|step| step.expected), sum(|step| step.actual))
    }

    fn calls(&self) -> (f64, f64) {
        self.both(|figures| figures.calls)
    }

    fn rows(&self) -> (f64, f64) {
        self.both(|figures| figures.rows)
    }

    fn bytes(&self) -> (f64, f64) {
        self.both(|figures| figures.bytes.unwrap_or_default())
    }

    /// Whether the number of calls was predicted exactly.
    pub fn has_calls(&self) -> bool {
        let (expected, actual) = self.calls();
        (expected - actual).abs() < 0.5
    }

    /// Whether rows were predicted within the factor.
    pub fn has_rows(&self) -> bool {
        is_within(self.rows())
    }

    /// Whether bytes were predicted within the factor.
    pub fn has_bytes(&self) -> bool {
        is_within(self.bytes())
    }
}

fn ratio((expected, actual): (f64, f64)) -> f64 {
    expected.max(1.0) / actual.max(1.0)
}

fn is_within(both: (f64, f64)) -> bool {
    (1.0 / FACTOR..=FACTOR).contains(&ratio(both))
}

/// All executions.
#[derive(Default)]
pub struct Tally {
    pub workloads: u64,
    executions: Vec<Execution>,
}

impl Tally {
    pub fn add(&mut self, execution: Execution) {
        self.executions.push(execution);
    }

    /// The share of executions that pass.
    pub fn share(&self, passes: impl Fn(&Execution) -> bool) -> f64 {
        let passed = self.executions.iter().filter(|one| passes(one)).count();
        passed as f64 / self.executions.len().max(1) as f64
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        writeln!(f, "{} executions on {} workloads", self.executions.len(), self.workloads)?;
        writeln!(f, "plan of the design executed:  {}", percent(self.share(|one| one.is_as_designed)))?;
        writeln!(f, "calls predicted exactly:      {}", percent(self.share(Execution::has_calls)))?;
        let of_design = |one: &Execution| {
            one.predicted
                .as_ref()
                .is_some_and(|predicted| (predicted.operations.calls - one.calls().1).abs() < 0.5)
        };
        writeln!(f, "calls as design.toml says:    {}", percent(self.share(of_design)))?;
        writeln!(f, "rows within a factor of 1.5:  {}", percent(self.share(Execution::has_rows)))?;
        writeln!(f, "bytes within a factor of 1.5: {}", percent(self.share(Execution::has_bytes)))?;
        distribution(f, "calls, estimated / actual", self.executions.iter().map(|one| ratio(one.calls())))?;
        distribution(f, "rows, estimated / actual", self.executions.iter().map(|one| ratio(one.rows())))?;
        distribution(f, "bytes, estimated / actual", self.executions.iter().map(|one| ratio(one.bytes())))?;
        let wrong = |one: &&Execution| !one.has_calls() || !one.has_rows() || !one.has_bytes();
        for one in self.executions.iter().filter(wrong).step_by(7).take(SHOWN) {
            writeln!(f, "\nTABLESMITH_SEED={}: {}\n{}", one.seed, one.sql, one.explain)?;
        }
        Ok(())
    }
}

/// A histogram of ratios.
fn distribution(f: &mut fmt::Formatter<'_>, what: &str, ratios: impl Iterator<Item = f64>) -> fmt::Result {
    let bounds = [0.25, 0.5, 1.0 / FACTOR, 0.9, 1.1, FACTOR, 2.0, 4.0, f64::INFINITY];
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for ratio in ratios {
        *counts.entry(bounds.iter().position(|bound| ratio <= *bound).unwrap_or(0)).or_default() += 1;
    }
    writeln!(f, "{what}")?;
    for (at, count) in counts {
        let bound = bounds.get(at).copied().unwrap_or(f64::INFINITY);
        writeln!(f, "  up to {bound:>5.2}: {count:>6}")?;
    }
    Ok(())
}
