//! What was found in data files, a dump and a log, as it is serialized.

use std::path::Path;

use serde::{Serialize, Serializer};
use tablesmith_model::workload::Join;
use tablesmith_observe::dump::Dump;
use tablesmith_observe::log::{LogProfile, Place};
use tablesmith_observe::profile::{BadLine, CandidateKey, Certainty, ColumnProfile};

use super::{Found, InitResult, MeasuredTable};

/// So many places that cannot be understood are told.
const SHOWN_PLACES: usize = 10;

#[derive(Serialize)]
struct Fields<'r> {
    output: String,
    tables: Vec<TableFields<'r>>,
    schema: Option<DumpFields<'r>>,
    log: Option<LogFields<'r>>,
    joins: Vec<JoinFields>,
}

#[derive(Serialize)]
struct JoinFields {
    one: String,
    other: String,
    rows: u64,
}

/// Things that were left out: how many, and the first.
#[derive(Serialize)]
struct LeftOut<T> {
    count: u64,
    first: Vec<T>,
}

#[derive(Serialize)]
struct DumpFields<'r> {
    path: String,
    tables: Vec<&'r str>,
    written: Vec<WrittenFields<'r>>,
    notes: &'r [String],
    left_out: LeftOut<ReasonFields<'r>>,
}

#[derive(Serialize)]
struct WrittenFields<'r> {
    table: &'r str,
    data: String,
    rows: u64,
}

#[derive(Serialize)]
struct ReasonFields<'r> {
    line: u64,
    why: &'r str,
}

#[derive(Serialize)]
struct LogFields<'r> {
    path: String,
    format: &'static str,
    statements: u64,
    templates: usize,
    queries: usize,
    unanswerable: Vec<UnanswerableFields<'r>>,
    other_tables: u64,
    without_rows: u64,
    not_understood: LeftOut<PlaceFields<'r>>,
    too_long: LeftOut<PlaceFields<'r>>,
}

#[derive(Serialize)]
struct UnanswerableFields<'r> {
    query: &'r str,
    column: &'r str,
}

#[derive(Serialize)]
struct PlaceFields<'r> {
    line: u64,
    why: &'r str,
    text: &'r str,
}

#[derive(Serialize)]
struct TableFields<'r> {
    table: &'r str,
    data: String,
    rows: u64,
    columns: Vec<ColumnFields<'r>>,
    keys: Vec<KeyFields<'r>>,
    bad_lines: LeftOut<BadLineFields<'r>>,
}

#[derive(Serialize)]
struct BadLineFields<'r> {
    line: u64,
    message: &'r str,
    text: &'r str,
}

#[derive(Serialize)]
struct KeyFields<'r> {
    columns: &'r [String],
    certainty: &'static str,
}

#[derive(Serialize)]
struct ColumnFields<'r> {
    name: &'r str,
    r#type: &'static str,
    distinct: u64,
    distinct_exact: bool,
    bytes: Option<f64>,
    nulls: u64,
    min: Option<&'r str>,
    max: Option<&'r str>,
    monotone: bool,
    unique: Option<&'static str>,
    heavy: Vec<HeavyFields<'r>>,
    not_utf8: u64,
}

#[derive(Serialize)]
struct HeavyFields<'r> {
    value: &'r str,
    share: f64,
}

impl Serialize for InitResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { found, output } = self;
        let join = |join: &Join| JoinFields {
            one: join.one.to_string(),
            other: join.other.to_string(),
            rows: join.rows,
        };
        let fields = Fields {
            output: output.display().to_string(),
            tables: found.tables.iter().map(table).collect(),
            schema: found.dump.as_ref().map(|(path, dump)| dump_fields(path, dump)),
            log: found.log.as_ref().map(|(path, log)| log_fields(path, log, found)),
            joins: found.workload.joins.iter().map(join).collect(),
        };
        fields.serialize(serializer)
    }
}

fn dump_fields<'r>(path: &Path, dump: &'r Dump) -> DumpFields<'r> {
    let written = dump.files.iter().map(|(table, path, rows)| WrittenFields {
        table,
        data: path.display().to_string(),
        rows: *rows,
    });
    let reasons = dump.reasons.iter().map(|(line, why)| ReasonFields { line: *line, why });
    DumpFields {
        path: path.display().to_string(),
        tables: dump.tables.iter().map(|table| table.name.as_str()).collect(),
        written: written.collect(),
        notes: &dump.notes,
        left_out: LeftOut { count: dump.left_out, first: reasons.collect() },
    }
}

fn log_fields<'r>(path: &Path, log: &'r LogProfile, found: &'r Found) -> LogFields<'r> {
    fn first(places: &[Place]) -> Vec<PlaceFields<'_>> {
        places
            .iter()
            .take(SHOWN_PLACES)
            .map(|place| PlaceFields { line: place.line, why: &place.why, text: &place.excerpt })
            .collect()
    }
    let unanswerable = found.unanswerable.iter().map(|(query, column)| UnanswerableFields { query, column });
    LogFields {
        path: path.display().to_string(),
        format: log.format.name(),
        statements: log.statements,
        templates: log.templates.len(),
        queries: found.workload.queries.len(),
        unanswerable: unanswerable.collect(),
        other_tables: log.other_tables,
        without_rows: log.without_rows,
        not_understood: LeftOut { count: log.not_understood, first: first(&log.not_understood_places) },
        too_long: LeftOut { count: log.too_long, first: first(&log.too_long_places) },
    }
}

fn table(MeasuredTable { path, name, profile }: &MeasuredTable) -> TableFields<'_> {
    TableFields {
        table: name,
        data: path.display().to_string(),
        rows: profile.rows,
        columns: profile.columns.iter().map(column).collect(),
        keys: profile.keys.iter().map(key).collect(),
        bad_lines: LeftOut {
            count: profile.bad_lines,
            first: profile.first_bad_lines.iter().map(bad_line).collect(),
        },
    }
}

fn bad_line(bad: &BadLine) -> BadLineFields<'_> {
    BadLineFields { line: bad.line, message: &bad.message, text: &bad.text }
}

fn column(column: &ColumnProfile) -> ColumnFields<'_> {
    let heavy = column.heavy.iter().map(|heavy| HeavyFields { value: &heavy.value, share: heavy.share });
    ColumnFields {
        name: &column.name,
        r#type: column.value_type.name(),
        distinct: column.distinct.count,
        distinct_exact: column.distinct.exact,
        bytes: column.mean_bytes,
        nulls: column.nulls,
        min: column.min.as_deref(),
        max: column.max.as_deref(),
        monotone: column.monotone,
        unique: column.unique.map(certainty),
        heavy: heavy.collect(),
        not_utf8: column.not_utf8,
    }
}

fn key(key: &CandidateKey) -> KeyFields<'_> {
    KeyFields { columns: &key.columns, certainty: certainty(key.certainty) }
}

fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Probable => "probable",
    }
}
