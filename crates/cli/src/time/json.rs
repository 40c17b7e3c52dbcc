//! The answers for programs.

use serde_json::{Map, Value, json};
use tablesmith_design::time::{Candidate, TimeQuery};
use tablesmith_model::workload::Table;

use super::Answer;
use super::text::key_text;

/// One object for a table; for several, an object with a list of them.
pub fn value(answers: &[Answer], seed: u64) -> Value {
    match answers {
        [answer] => table(answer, seed),
        answers => json!({ "tables": answers.iter().map(|answer| table(answer, seed)).collect::<Vec<_>>() }),
    }
}

fn table(answer: &Answer, seed: u64) -> Value {
    let Answer { facts, questions, recommendation, prices, .. } = answer;
    let choice = &recommendation.choice;
    let layouts: Vec<Value> = choice
        .candidates
        .iter()
        .map(|candidate| layout(candidate, &answer.table, &questions.queries))
        .collect();
    json!({
        "table": answer.table.name,
        "entities": facts.entities,
        "readings": facts.readings,
        "interval": facts.interval,
        "metrics": facts.metrics.iter().map(|metric| metric.name.as_str()).collect::<Vec<_>>(),
        "fixed": facts.fixed,
        "layouts": layouts,
        "best": choice.best().map(|best| best.layout.name()),
        "reasons": choice.reasons,
        "limits": choice.limits,
        "rejected": recommendation.rejected.iter().map(|rejected| json!({
            "layouts": rejected.layouts,
            "reason": rejected.reason,
        })).collect::<Vec<_>>(),
        "sample": recommendation.sample_readings,
        "answers_equal": recommendation.differences.is_empty(),
        "differences": recommendation.differences,
        "cost": { "name": prices.name, "calibration": prices.calibration },
        "rows_left_out": answer.rejected.as_ref().map_or(0, |(rows, _)| *rows),
        "notes": answer.notes,
        "seed": seed,
    })
}

fn layout(candidate: &Candidate, table: &Table, queries: &[TimeQuery]) -> Value {
    let Candidate { layout, prediction, observed } = candidate;
    let times = |times: &mut dyn Iterator<Item = f64>| -> Value {
        let named = queries.iter().zip(times).map(|(query, ms)| (query.name.clone(), json!(ms)));
        Value::Object(named.collect::<Map<_, _>>())
    };
    let predicted = json!({
        "cost_ms": prediction.cost_ms,
        "reading_bytes": prediction.reading_bytes,
        "queries_ms": times(&mut prediction.queries.iter().map(|query| query.cost_ms)),
    });
    let measured = observed.as_ref().map(|observed| {
        json!({
            "cost_ms": observed.cost_ms,
            "reading_bytes": observed.reading_bytes,
        "round": observed.round,
            "queries_ms": times(&mut observed.queries_ms.iter().copied()),
        })
    });
    json!({
        "layout": layout.name(),
        "row_span": layout.span.name(layout.kind),
        "dimension": layout.dimension.name(),
        "order": layout.order.to_string(),
        "cells": layout.cells.name(),
        "key": key_text(layout, table),
        "row_readings": prediction.row_readings,
        "depth": prediction.row_readings.ceil() as u64,
        "cell_versions": prediction.depth,
        "versions": layout.versions(),
        "predicted": predicted,
        "measured": measured,
    })
}
