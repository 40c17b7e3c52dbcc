//! A design as it is serialized.

use serde::{Serialize, Serializer};
use tablesmith_design::tables::{Answered, Drawn, Rival, Without};
use tablesmith_model::design::{CostName, Reason, Rows};

use super::DesignResult;

/// The whole result; with `--explain` only the one query.
#[derive(Serialize)]
struct Fields<'r> {
    tables: Vec<TableFields<'r>>,
    queries: Vec<QueryFields<'r>>,
    total_cost: f64,
    bound: f64,
    proven_optimal: bool,
    candidates: usize,
    cost: Option<CostFields<'r>>,
    without: Vec<WithoutFields<'r>>,
    reasons: Vec<ReasonFields<'r>>,
    notes: &'r [String],
}

#[derive(Serialize)]
struct CostFields<'r> {
    name: &'r str,
    calibration: Option<&'r str>,
}

#[derive(Serialize)]
struct ReasonFields<'r> {
    at: &'r str,
    text: &'r str,
}

#[derive(Serialize)]
struct TableFields<'r> {
    name: &'r str,
    shape: &'static str,
    master_of: &'r [String],
    rows: f64,
    bytes: f64,
    regions: usize,
    families: Option<Vec<&'r str>>,
    entries: Vec<EntryFields<'r>>,
    questions: Vec<QuestionFields<'r>>,
}

#[derive(Serialize)]
struct EntryFields<'r> {
    from: &'r str,
    join: &'r [String],
    key: Vec<String>,
}

#[derive(Serialize)]
struct QuestionFields<'r> {
    question: &'static str,
    answer: &'r str,
    reason: &'r str,
}

#[derive(Serialize)]
struct QueryFields<'r> {
    name: &'r str,
    table: Option<&'r str>,
    access: Option<&'static str>,
    calls: f64,
    rows_read: f64,
    bytes_read: f64,
    rows_written: f64,
    cost: f64,
    rate: f64,
    steps: Vec<StepFields<'r>>,
    reasons: &'r [String],
    rejected: Vec<RivalFields<'r>>,
    after_crash: Option<&'r str>,
}

#[derive(Serialize)]
struct StepFields<'r> {
    table: &'r str,
    access: &'static str,
    families: &'r [String],
    words: &'r str,
    calls: f64,
}

#[derive(Serialize)]
struct RivalFields<'r> {
    what: &'r str,
    cost: f64,
    total_cost: Option<f64>,
}

#[derive(Serialize)]
struct WithoutFields<'r> {
    table: &'r str,
    total_cost: Option<f64>,
    query: Option<&'r str>,
    cost: Option<f64>,
}

impl Serialize for DesignResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let decided = &self.decided;
        let is_told = |query: &&Answered| self.explain.as_ref().is_none_or(|name| query.name == *name);
        let fields = Fields {
            tables: decided.tables.iter().map(|drawn| table(self, drawn)).collect(),
            queries: decided.queries.iter().filter(is_told).map(query).collect(),
            total_cost: decided.total_cost,
            bound: decided.bound,
            proven_optimal: decided.is_proven,
            candidates: decided.candidates,
            cost: decided.design.cost.as_ref().map(cost),
            without: decided.without.iter().map(without).collect(),
            reasons: decided.design.reasons.iter().map(reason).collect(),
            notes: &decided.notes,
        };
        fields.serialize(serializer)
    }
}

fn cost(cost: &CostName) -> CostFields<'_> {
    CostFields { name: &cost.name, calibration: cost.calibration.as_deref() }
}

fn reason(reason: &Reason) -> ReasonFields<'_> {
    ReasonFields { at: &reason.at, text: &reason.text }
}

fn table<'r>(result: &'r DesignResult, drawn: &'r Drawn) -> TableFields<'r> {
    let designed = result.decided.design.table(&drawn.name);
    let entry = |rows: &'r Rows| EntryFields {
        from: &rows.from,
        join: &rows.join,
        key: rows.key.parts.iter().map(ToString::to_string).collect(),
    };
    let questions = drawn.questions.iter().map(|question| QuestionFields {
        question: question.question,
        answer: &question.answer,
        reason: &question.reason,
    });
    TableFields {
        name: &drawn.name,
        shape: drawn.shape,
        master_of: &drawn.base_of,
        rows: drawn.rows.round(),
        bytes: drawn.bytes.round(),
        regions: designed.map_or(1, |table| table.splits.len() + 1),
        families: designed.map(|table| table.families.iter().map(|family| family.name.as_str()).collect()),
        entries: designed.into_iter().flat_map(|table| &table.rows).map(entry).collect(),
        questions: questions.collect(),
    }
}

fn query(answered: &Answered) -> QueryFields<'_> {
    let operations = &answered.operations;
    let first = answered.steps.first();
    let steps = answered.steps.iter().map(|step| StepFields {
        table: &step.table,
        access: step.access.name(),
        families: &step.families,
        words: &step.words,
        calls: step.operations.calls,
    });
    QueryFields {
        name: &answered.name,
        table: first.map(|step| step.table.as_str()),
        access: first.map(|step| step.access.name()),
        calls: operations.calls,
        rows_read: operations.rows,
        bytes_read: operations.bytes,
        rows_written: operations.puts,
        cost: answered.cost_ms,
        rate: answered.rate,
        steps: steps.collect(),
        reasons: &answered.reasons,
        rejected: answered.rivals.iter().map(rival).collect(),
        after_crash: answered.after_crash.as_deref(),
    }
}

fn rival(rival: &Rival) -> RivalFields<'_> {
    let total_cost = rival.total_ms.is_finite().then_some(rival.total_ms);
    RivalFields { what: &rival.what, cost: rival.cost_ms, total_cost }
}

fn without(without: &Without) -> WithoutFields<'_> {
    let (query, cost) = without.hurts.as_ref().map(|(query, cost)| (query.as_str(), *cost)).unzip();
    WithoutFields { table: &without.table, total_cost: without.total_ms, query, cost: cost.flatten() }
}
