//! The way to an answer, told: what was expected and what it really took.

use std::fmt;

use tablesmith_model::workload::ROWS_ASSUMED;

use super::plan::{Figures, PlanOrigin};

/// The way to an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explain {
    /// The steps, in the order in which rows go through them.
    pub steps: Vec<ExplainStep>,
    /// Where the plan comes from.
    pub origin: PlanOrigin,
    /// Tables of the workload whose number of rows is assumed, because neither the design nor the workload has it.
    pub uncounted: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainStep {
    /// The table of the design; none where no table is read.
    pub table: Option<String>,
    /// What is done, in words.
    pub what: String,
    /// What it is expected to take; none where no table is read.
    pub expected: Option<Figures>,
    /// What it took; none before it has run.
    pub actual: Option<Figures>,
}

impl ExplainStep {
    /// A step that reads no table.
    pub(super) fn here(what: impl Into<String>) -> Self {
        Self { table: None, what: what.into(), expected: None, actual: None }
    }
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(f, "{}. {}", number + 1, step.what)?;
            for (when, figures) in [("expected", step.expected), ("took", step.actual)] {
                if let Some(Figures { calls, rows, regions, records }) = figures {
                    let (calls, rows) = (told(calls, "call"), told(rows, "row"));
                    let (regions, records) = (told(regions, "region"), told(records, "record"));
                    writeln!(f, "   {when}: {calls}, {rows} in {regions}, {records}")?;
                }
            }
        }
        if !self.uncounted.is_empty() {
            let tables = self.uncounted.join(", ");
            writeln!(f, "estimated without statistics: {ROWS_ASSUMED} rows are assumed for {tables}")?;
        }
        match &self.origin {
            PlanOrigin::Planner => Ok(()),
            PlanOrigin::Design(query) => writeln!(f, "as in the design: the plan of query {query:?}"),
            PlanOrigin::Differs { query, designed } => writeln!(
                f,
                "not as in the design: its plan of query {query:?} reads {}, which cannot answer this statement",
                designed.join(", then ")
            ),
        }
    }
}

/// So many of something, as people write it: whole, or with a fraction where it is small.
fn told(number: f64, what: &str) -> String {
    let number =
        if number >= 10.0 || number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.1}") };
    let many = if number == "1" { "" } else { "s" };
    format!("{number} {what}{many}")
}
