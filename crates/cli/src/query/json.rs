//! Values and plans as JSON.

use serde_json::{Value as Json, json};
use tablesmith_access::answer::{Explain, ExplainStep, PlanOrigin, StepFigures};
use tablesmith_model::value::Value;

/// A value: numbers and truths as they are, everything else as text. Decimals are texts, so that no digit is lost.
pub fn value(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(number) => (*number).into(),
        Value::Float(number) if number.is_finite() => (*number).into(),
        Value::Bool(truth) => (*truth).into(),
        other => other.to_string().into(),
    }
}

/// The way to an answer.
pub fn plan(plan: &Explain) -> Json {
    let (origin, query) = match &plan.origin {
        PlanOrigin::Planner => ("planner", None),
        PlanOrigin::Design(query) => ("design", Some(query)),
        PlanOrigin::Differs { query, .. } => ("differs", Some(query)),
    };
    let steps: Vec<Json> = plan.steps.iter().map(step).collect();
    json!({"steps": steps, "origin": origin, "query": query, "assumed_rows": plan.uncounted})
}

fn step(step: &ExplainStep) -> Json {
    let mut told = json!({"what": step.what});
    if let Some(object) = told.as_object_mut() {
        object.extend(step.table.as_ref().map(|table| ("table".to_owned(), table.as_str().into())));
        object.extend(step.expected.map(|expected| ("expected".to_owned(), figures(&expected))));
        object.extend(step.actual.map(|actual| ("actual".to_owned(), figures(&actual))));
    }
    told
}

fn figures(StepFigures { calls, rows, regions, bytes, records, ms }: &StepFigures) -> Json {
    json!({
        "calls": calls, "rows": rows, "regions": regions, "records": records, "bytes": bytes, "ms": ms,
    })
}
