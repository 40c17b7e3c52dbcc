//! Recommended layouts as they are serialized.

use serde::Serialize;
use serde_json::{Map, Value};
use tablesmith_design::time::{Candidate, TimeQuery};
use tablesmith_model::workload::Table;

use super::{TableTime, key_text};

#[derive(Serialize)]
pub(super) struct TableFields<'r> {
    table: &'r str,
    entities: f64,
    readings: f64,
    interval: f64,
    metrics: Vec<&'r str>,
    fixed: &'r [String],
    layouts: Vec<LayoutFields>,
    best: Option<String>,
    reasons: &'r [String],
    limits: &'r [String],
    rejected: Vec<RejectedFields<'r>>,
    sample: usize,
    answers_equal: bool,
    differences: &'r [String],
    cost: CostFields<'r>,
    rows_left_out: u64,
    notes: &'r [String],
    seed: u64,
}

#[derive(Serialize)]
struct RejectedFields<'r> {
    layouts: &'r str,
    reason: &'r str,
}

#[derive(Serialize)]
struct CostFields<'r> {
    name: &'r str,
    calibration: Option<&'r str>,
}

#[derive(Serialize)]
struct LayoutFields {
    layout: String,
    row_span: String,
    dimension: String,
    order: String,
    cells: String,
    key: Vec<String>,
    row_readings: f64,
    depth: u64,
    cell_versions: u64,
    versions: u64,
    predicted: PredictedFields,
    measured: Option<MeasuredFields>,
}

#[derive(Serialize)]
struct PredictedFields {
    cost_ms: f64,
    reading_bytes: f64,
    queries_ms: Map<String, Value>,
}

#[derive(Serialize)]
struct MeasuredFields {
    cost_ms: f64,
    reading_bytes: Option<f64>,
    round: usize,
    queries_ms: Map<String, Value>,
}

/// What was found for a table, as it is serialized.
pub(super) fn fields(found: &TableTime, seed: u64) -> TableFields<'_> {
    let TableTime { table, facts, questions, recommendation, prices, rejected, notes } = found;
    let choice = &recommendation.choice;
    let layout = |candidate: &Candidate| layout(candidate, table, &questions.queries);
    let left_out = recommendation
        .rejected
        .iter()
        .map(|rejected| RejectedFields { layouts: &rejected.layouts, reason: &rejected.reason });
    TableFields {
        table: &table.name,
        entities: facts.entities,
        readings: facts.readings,
        interval: facts.interval,
        metrics: facts.metrics.iter().map(|metric| metric.name.as_str()).collect(),
        fixed: &facts.fixed,
        layouts: choice.candidates.iter().map(layout).collect(),
        best: choice.best().map(|best| best.layout.name()),
        reasons: &choice.reasons,
        limits: &choice.limits,
        rejected: left_out.collect(),
        sample: recommendation.sample_readings,
        answers_equal: recommendation.differences.is_empty(),
        differences: &recommendation.differences,
        cost: CostFields { name: &prices.name, calibration: prices.calibration.as_deref() },
        rows_left_out: rejected.as_ref().map_or(0, |(rows, _)| *rows),
        notes,
        seed,
    }
}

fn layout(candidate: &Candidate, table: &Table, queries: &[TimeQuery]) -> LayoutFields {
    let Candidate { layout, prediction, observed } = candidate;
    let times = |times: &mut dyn Iterator<Item = f64>| -> Map<String, Value> {
        queries.iter().zip(times).map(|(query, ms)| (query.name.clone(), ms.into())).collect()
    };
    LayoutFields {
        layout: layout.name(),
        row_span: layout.span.name(layout.kind),
        dimension: layout.dimension.name().to_owned(),
        order: layout.order.to_string(),
        cells: layout.cells.name().to_owned(),
        key: key_text(layout, table),
        row_readings: prediction.row_readings,
        depth: prediction.row_readings.ceil() as u64,
        cell_versions: prediction.depth,
        versions: layout.versions(),
        predicted: PredictedFields {
            cost_ms: prediction.cost_ms,
            reading_bytes: prediction.reading_bytes,
            queries_ms: times(&mut prediction.queries.iter().map(|query| query.cost_ms)),
        },
        measured: observed.as_ref().map(|observed| MeasuredFields {
            cost_ms: observed.cost_ms,
            reading_bytes: observed.reading_bytes,
            round: observed.round,
            queries_ms: times(&mut observed.queries_ms.iter().copied()),
        }),
    }
}
