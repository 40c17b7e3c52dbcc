//! CSV with a header that says which column has the statements; also exports of pg_stat_statements and of MySQL's
//! table `general_log`.

use std::io::{self, Read};

use super::csv_record::{Fields, Length, Signs, length, skip_record};
use super::input::Input;
use super::plain;
use super::postgres;
use super::sink::{About, Sink, all_statements, pass_too_long};
use super::time;

const STATEMENTS: &[&str] = &["sql", "query", "statement", "query_text", "sql_text", "argument"];
const TIMES: &[&str] =
    &["time", "timestamp", "ts", "datetime", "date", "log_time", "event_time", "start_time"];
const CALLS: &[&str] = &["count", "calls", "rate", "executions"];
const ROWS: &[&str] = &["rows"];
const MEANS: &[&str] = &["mean_exec_time", "mean_time", "mean_ms", "avg_ms", "duration_ms", "ms"];
const TOTALS: &[&str] = &["total_exec_time", "total_time", "total_ms"];
const COMMANDS: &[&str] = &["command_type"];

/// Which column is which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub delimiter: u8,
    columns: usize,
    statement: usize,
    time: Option<usize>,
    calls: Option<usize>,
    rows: Option<usize>,
    mean_ms: Option<usize>,
    total_ms: Option<usize>,
    command: Option<usize>,
    /// Each record is the total of a template, as pg_stat_statements has them.
    pub is_totals: bool,
}

impl Header {
    /// The header that a line is, if it names a column with statements.
    pub fn parse(line: &[u8]) -> Option<Self> {
        [b',', b';', b'\t'].into_iter().find_map(|delimiter| Self::with_delimiter(line, delimiter))
    }

    fn with_delimiter(line: &[u8], delimiter: u8) -> Option<Self> {
        let mut fields = Fields::default();
        fields.parse(line, delimiter);
        let names: Vec<String> =
            fields.iter().map(|name| String::from_utf8_lossy(name).trim().to_lowercase()).collect();
        let place =
            |wanted: &[&str]| wanted.iter().find_map(|name| names.iter().position(|found| found == name));
        let calls = place(CALLS);
        let time = place(TIMES);
        Some(Self {
            delimiter,
            columns: names.len(),
            statement: place(STATEMENTS)?,
            time,
            calls,
            rows: place(ROWS),
            mean_ms: place(MEANS),
            total_ms: place(TOTALS),
            command: place(COMMANDS),
            is_totals: calls.is_some() && time.is_none(),
        })
    }

    /// Whether a line looks like a record of its own, with a time and a statement.
    fn resembles(&self, line: &[u8]) -> bool {
        let mut fields = Fields::default();
        fields.parse(line, self.delimiter);
        fields.len() == self.columns
            && self.time.is_none_or(|at| time::whole(fields.get(at)).is_some())
            && plain::begins_statement(fields.get(self.statement).trim_ascii_start())
    }

    /// The names that a column with statements may have.
    pub fn expected() -> String {
        STATEMENTS.join(", ")
    }
}

/// Reads records after the header, which is the window's first line.
pub(super) fn read<R: Read>(
    input: &mut Input<'_, R>,
    header: Header,
    sink: &mut impl Sink,
) -> io::Result<()> {
    input.skip_line()?;
    let resembles = |line: &[u8]| header.resembles(line);
    let begins = |line: &[u8]| header.time.is_some() && header.resembles(line);
    let signs = Signs { delimiter: header.delimiter, begins: &begins, resembles: &resembles };
    each_record(input, signs, sink, |fields, line, raw, sink| {
        record(header, fields, line, raw, sink);
    })
}

/// Reads PostgreSQL's csvlog.
pub(super) fn read_csvlog<R: Read>(input: &mut Input<'_, R>, sink: &mut impl Sink) -> io::Result<()> {
    let begins = postgres::begins_entry;
    each_record(input, Signs { delimiter: b',', begins: &begins, resembles: &begins }, sink, postgres::entry)
}

fn each_record<R: Read, S: Sink>(
    input: &mut Input<'_, R>,
    signs: Signs<'_>,
    sink: &mut S,
    mut see: impl FnMut(&Fields, u64, &[u8], &mut S),
) -> io::Result<()> {
    let mut fields = Fields::default();
    loop {
        let consumed = match length(input, signs)? {
            Length::Whole(length, full) => {
                let raw = input.window().get(..length).unwrap_or_default();
                if !raw.trim_ascii().is_empty() {
                    fields.parse(raw, signs.delimiter);
                    see(&fields, input.line(), raw, sink);
                }
                full
            }
            Length::Broken(length) => {
                let raw = input.window().get(..length).unwrap_or_default();
                sink.not_understood(input.line(), raw, "a quotation in it never ends");
                length
            }
            Length::TooLong => {
                pass_too_long(input, sink, |input| skip_record(input, signs))?;
                continue;
            }
            Length::Over => return Ok(()),
        };
        input.consume(consumed);
    }
}

fn record(header: Header, fields: &Fields, line: u64, raw: &[u8], sink: &mut impl Sink) {
    if header.statement >= fields.len() {
        return sink.not_understood(line, raw, "it has fewer fields than the header names");
    }
    let is_call = header.command.is_none_or(|at| matches!(fields.get(at), b"Query" | b"Execute"));
    let statement = fields.get(header.statement);
    if !is_call || statement.trim_ascii().is_empty() {
        return sink.passed_over();
    }
    let number = |at: Option<usize>| -> Option<f64> {
        std::str::from_utf8(fields.get(at?))
            .ok()?
            .trim()
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    };
    let calls = number(header.calls).map_or(1.0, |calls| calls.round().max(1.0));
    let rows = number(header.rows).map(|rows| if header.is_totals { rows / calls } else { rows });
    let mean_ms = number(header.mean_ms).or_else(|| number(header.total_ms).map(|total| total / calls));
    let time_ms = header.time.and_then(|at| time::whole(fields.get(at)));
    all_statements(sink, statement, None, &About { line, time_ms, calls: calls as u64, rows, mean_ms });
}
