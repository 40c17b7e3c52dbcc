//! The way to an answer, told: what was expected and what it really took.

use std::fmt;

use tablesmith_model::workload::ROWS_ASSUMED;

use super::plan::{PlanOrigin, StepFigures};

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
    pub expected: Option<StepFigures>,
    /// What it took; none before it has run.
    pub actual: Option<StepFigures>,
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
                if let Some(figures) = figures {
                    writeln!(f, "   {when}: {figures}")?;
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

impl fmt::Display for StepFigures {
    /// `1 call, 20 rows (1.3 kB) in 1 region, 20 records, 0.1 ms`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, rows, regions, bytes, records, ms } = *self;
        write!(f, "{}, {}", counted(calls, "call"), counted(rows, "row"))?;
        if let Some(bytes) = bytes {
            write!(f, " ({})", size(bytes))?;
        }
        write!(f, " in {}, {}", counted(regions, "region"), counted(records, "record"))?;
        match ms {
            Some(ms) if ms >= 10.0 => write!(f, ", {ms:.0} ms"),
            Some(ms) => write!(f, ", {ms:.2} ms"),
            None => Ok(()),
        }
    }
}

/// Bytes with a unit.
fn size(bytes: f64) -> String {
    match bytes {
        bytes if bytes >= 1e9 => format!("{:.1} GB", bytes / 1e9),
        bytes if bytes >= 1e6 => format!("{:.1} MB", bytes / 1e6),
        bytes if bytes >= 1e3 => format!("{:.1} kB", bytes / 1e3),
        bytes => format!("{bytes:.0} B"),
    }
}

/// So many of something, as people write it: whole, or with a fraction where it is small.
fn counted(number: f64, what: &str) -> String {
    let number =
        if number >= 10.0 || number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.1}") };
    let many = if number == "1" { "" } else { "s" };
    format!("{number} {what}{many}")
}
