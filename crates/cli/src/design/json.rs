//! A design as one JSON object.

use serde_json::{Value, json};
use tablesmith_design::tables::{Answered, Drawn, Rival, Without};

use super::Answer;

/// The whole answer; with `--explain` only the one query.
pub fn value(answer: &Answer) -> Value {
    let decided = &answer.decided;
    let is_told = |query: &&Answered| answer.explain.as_ref().is_none_or(|name| query.name == *name);
    let reasons: Vec<Value> =
        decided.design.reasons.iter().map(|reason| json!({ "at": reason.at, "text": reason.text })).collect();
    json!({
        "tables": decided.tables.iter().map(|drawn| table(answer, drawn)).collect::<Vec<_>>(),
        "queries": decided.queries.iter().filter(is_told).map(query).collect::<Vec<_>>(),
        "total_cost": decided.total_cost,
        "bound": decided.bound,
        "proven_optimal": decided.is_proven,
        "candidates": decided.candidates,
        "cost": decided.design.cost.as_ref().map(|cost| json!({ "name": cost.name, "calibration": cost.calibration })),
        "without": decided.without.iter().map(without).collect::<Vec<_>>(),
        "reasons": reasons,
        "notes": decided.notes,
    })
}

fn table(answer: &Answer, drawn: &Drawn) -> Value {
    let designed = answer.decided.design.table(&drawn.name);
    let rows = designed.into_iter().flat_map(|table| &table.rows).map(|rows| {
        let key: Vec<String> = rows.key.parts.iter().map(ToString::to_string).collect();
        json!({ "from": rows.from, "join": rows.join, "key": key })
    });
    let questions = drawn.questions.iter().map(|question| {
        json!({ "question": question.question, "answer": question.answer, "reason": question.reason })
    });
    json!({
        "name": drawn.name,
        "shape": drawn.shape,
        "master_of": drawn.base_of,
        "rows": drawn.rows.round(),
        "bytes": drawn.bytes.round(),
        "regions": designed.map_or(1, |table| table.splits.len() + 1),
        "families": designed.map(|table| table.families.iter().map(|family| family.name.clone()).collect::<Vec<_>>()),
        "entries": rows.collect::<Vec<_>>(),
        "questions": questions.collect::<Vec<_>>(),
    })
}

fn query(answered: &Answered) -> Value {
    let operations = &answered.operations;
    let steps = answered.steps.iter().map(|step| {
        json!({
            "table": step.table,
            "access": step.access.name(),
            "families": step.families,
            "words": step.words,
            "calls": step.operations.calls,
        })
    });
    let first = answered.steps.first();
    json!({
        "name": answered.name,
        "table": first.map(|step| step.table.clone()),
        "access": first.map(|step| step.access.name()),
        "calls": operations.calls,
        "rows_read": operations.rows,
        "bytes_read": operations.bytes,
        "rows_written": operations.puts,
        "cost": answered.cost_ms,
        "rate": answered.rate,
        "steps": steps.collect::<Vec<_>>(),
        "reasons": answered.reasons,
        "rejected": answered.rivals.iter().map(rival).collect::<Vec<_>>(),
        "after_crash": answered.after_crash,
    })
}

fn rival(rival: &Rival) -> Value {
    let total = rival.total_ms.is_finite().then_some(rival.total_ms);
    json!({ "what": rival.what, "cost": rival.cost_ms, "total_cost": total })
}

fn without(without: &Without) -> Value {
    let (query, cost) = without.hurts.clone().unzip();
    json!({ "table": without.table, "total_cost": without.total_ms, "query": query, "cost": cost.flatten() })
}
