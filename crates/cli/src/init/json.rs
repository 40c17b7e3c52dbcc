//! What was found, for programs.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tablesmith_model::workload::Join;
use tablesmith_observe::dump::Dump;
use tablesmith_observe::log::{LogProfile, Place};
use tablesmith_observe::profile::{CandidateKey, Certainty, ColumnProfile};

use super::{Found, MeasuredTable};

/// So many places that cannot be understood are told.
const SHOWN_PLACES: usize = 10;

/// All of it in one object.
pub fn value(found: &Found, output: &Path) -> Value {
    let tables: Vec<Value> = found.tables.iter().map(table).collect();
    let log = found.log.as_ref().map(|(path, log)| log_value(path, log, found));
    let dump = found.dump.as_ref().map(|(path, dump)| dump_value(path, dump));
    let join = |join: &Join| json!({ "one": join.one.to_string(), "other": join.other.to_string(), "rows": join.rows });
    let joins: Vec<Value> = found.workload.joins.iter().map(join).collect();
    json!({ "output": output.display().to_string(), "tables": tables, "schema": dump, "log": log, "joins": joins })
}

fn dump_value(path: &Path, dump: &Dump) -> Value {
    let reason = |(line, why): &(u64, String)| json!({ "line": line, "why": why });
    let file = |(table, path, rows): &(String, PathBuf, u64)| json!({ "table": table, "data": path.display().to_string(), "rows": rows });
    json!({
        "path": path.display().to_string(),
        "tables": dump.tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>(),
        "written": dump.files.iter().map(file).collect::<Vec<_>>(),
        "notes": dump.notes,
        "left_out": { "count": dump.left_out, "first": dump.reasons.iter().map(reason).collect::<Vec<_>>() },
    })
}

fn log_value(path: &Path, log: &LogProfile, found: &Found) -> Value {
    let place = |place: &Place| json!({ "line": place.line, "why": place.why, "text": place.excerpt });
    let first = |places: &[Place]| places.iter().take(SHOWN_PLACES).map(place).collect::<Vec<_>>();
    json!({
        "path": path.display().to_string(),
        "format": log.format.name(),
        "statements": log.statements,
        "templates": log.templates.len(),
        "queries": found.workload.queries.len(),
        "unanswerable": found.unanswerable.iter().map(|(query, column)| json!({ "query": query, "column": column })).collect::<Vec<_>>(),
        "other_tables": log.other_tables,
        "without_rows": log.without_rows,
        "not_understood": { "count": log.not_understood, "first": first(&log.not_understood_places) },
        "too_long": { "count": log.too_long, "first": first(&log.too_long_places) },
    })
}

fn table(table: &MeasuredTable) -> Value {
    let MeasuredTable { path, name, profile } = table;
    let bad = |bad: &tablesmith_observe::profile::BadLine| json!({ "line": bad.line, "message": bad.message, "text": bad.text });
    json!({
        "table": name,
        "data": path.display().to_string(),
        "rows": profile.rows,
        "columns": profile.columns.iter().map(column).collect::<Vec<_>>(),
        "keys": profile.keys.iter().map(key).collect::<Vec<_>>(),
        "bad_lines": { "count": profile.bad_lines, "first": profile.first_bad_lines.iter().map(bad).collect::<Vec<_>>() },
    })
}

fn column(column: &ColumnProfile) -> Value {
    let heavy = column.heavy.iter().map(|heavy| json!({ "value": heavy.value, "share": heavy.share }));
    json!({
        "name": column.name,
        "type": column.value_type.name(),
        "distinct": column.distinct.count,
        "distinct_exact": column.distinct.exact,
        "bytes": column.mean_bytes,
        "nulls": column.nulls,
        "min": column.min,
        "max": column.max,
        "monotone": column.monotone,
        "unique": column.unique.map(certainty),
        "heavy": heavy.collect::<Vec<_>>(),
        "not_utf8": column.not_utf8,
    })
}

fn key(key: &CandidateKey) -> Value {
    json!({ "columns": key.columns, "certainty": certainty(key.certainty) })
}

fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Probable => "probable",
    }
}
