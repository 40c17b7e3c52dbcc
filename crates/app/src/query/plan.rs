//! Plans and values as they are serialized.

use serde::{Serialize, Serializer};
use tablesmith_access::answer::{Explain, ExplainStep, PlanOrigin, StepFigures};
use tablesmith_model::value::Value;

/// A value: numbers and truths as they are, everything else as text. Decimals are texts, so that no digit is lost.
pub struct JsonValue<'v>(pub &'v Value);

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_none(),
            Value::Int(number) => serializer.serialize_i64(*number),
            Value::Float(number) if number.is_finite() => serializer.serialize_f64(*number),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            other => serializer.collect_str(other),
        }
    }
}

/// The plan of a statement, as `EXPLAIN` shows it.
#[derive(Clone, Debug)]
pub struct Plan(pub Explain);

/// A plan as programs get it.
#[derive(Serialize)]
pub(super) struct PlanFields<'p> {
    steps: Vec<StepFields<'p>>,
    origin: &'static str,
    query: Option<&'p str>,
    assumed_rows: &'p [String],
}

#[derive(Serialize)]
struct StepFields<'p> {
    what: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<FigureFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<FigureFields>,
}

#[derive(Serialize)]
struct FigureFields {
    calls: f64,
    rows: f64,
    regions: f64,
    records: f64,
    bytes: Option<f64>,
    ms: Option<f64>,
}

impl Plan {
    pub(super) fn fields(&self) -> PlanFields<'_> {
        let (origin, query) = match &self.0.origin {
            PlanOrigin::Planner => ("planner", None),
            PlanOrigin::Design(query) => ("design", Some(query.as_str())),
            PlanOrigin::Differs { query, .. } => ("differs", Some(query.as_str())),
        };
        PlanFields {
            steps: self.0.steps.iter().map(step).collect(),
            origin,
            query,
            assumed_rows: &self.0.uncounted,
        }
    }
}

fn step(step: &ExplainStep) -> StepFields<'_> {
    StepFields {
        what: &step.what,
        table: step.table.as_deref(),
        expected: step.expected.map(figures),
        actual: step.actual.map(figures),
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields().serialize(serializer)
    }
}

fn figures(StepFigures { calls, rows, regions, records, bytes, ms }: StepFigures) -> FigureFields {
    FigureFields { calls, rows, regions, records, bytes, ms }
}
