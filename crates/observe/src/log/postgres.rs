//! PostgreSQL's logs: messages that carry statements, in csvlog and in lines.

use memchr::memmem;

use super::csv_record::Fields;
use super::sink::{About, Sink, all_statements};
use super::time;

/// The columns of csvlog that matter, by their place. Its versions have 23 to 26, the later ones at the end.
const TIME: usize = 0;
const SEVERITY: usize = 11;
const MESSAGE: usize = 13;
const DETAIL: usize = 14;
/// The fewest columns that csvlog has had.
const COLUMNS_MIN: usize = 22;

/// Whether a line begins an entry of csvlog, whatever came before.
pub(super) fn begins_entry(line: &[u8]) -> bool {
    time::leading(line).is_some_and(|(_, length)| line.get(length) == Some(&b','))
}

/// Whether the first entry looks like csvlog.
pub(super) fn is_csvlog(fields: &Fields) -> bool {
    let severity = fields.get(SEVERITY);
    let is_severity = !severity.is_empty()
        && severity.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    fields.len() >= COLUMNS_MIN && is_severity && time::whole(fields.get(TIME)).is_some()
}

/// One entry of csvlog.
pub(super) fn entry(fields: &Fields, line: u64, raw: &[u8], sink: &mut impl Sink) {
    if fields.len() < COLUMNS_MIN {
        return sink.not_understood(line, raw, "it has too few fields for PostgreSQL's csvlog");
    }
    if fields.get(SEVERITY) != b"LOG" {
        return sink.passed_over();
    }
    let mut about = About { line, time_ms: time::whole(fields.get(TIME)), ..About::default() };
    let detail = fields.get(DETAIL);
    let values = detail.strip_prefix(b"parameters: ").or_else(|| detail.strip_prefix(b"Parameters: "));
    message(fields.get(MESSAGE), values, &mut about, sink);
}

/// The message of a line of PostgreSQL's own format, after its time: `[12] me@db LOG:  statement: …`.
pub(super) fn message_of_line(rest: &[u8]) -> Option<&[u8]> {
    const PREFIX_BYTES_MAX: usize = 200;
    let beginning = rest.get(..rest.len().min(PREFIX_BYTES_MAX))?;
    let line = beginning.split(|byte| *byte == b'\n').next()?;
    let found =
        [&b"LOG:  "[..], b"ERROR:  ", b"DETAIL:  ", b"STATEMENT:  ", b"HINT:  ", b"FATAL:  ", b"WARNING:  "]
            .into_iter()
            .find_map(|mark| memmem::find(line, mark).map(|at| (at, mark)));
    let (at, mark) = found?;
    match mark {
        b"LOG:  " => rest.get(at + mark.len()..),
        _ => Some(&[]),
    }
}

/// Takes the statement of a message, if it has one.
pub(super) fn message(message: &[u8], values: Option<&[u8]>, about: &mut About, sink: &mut impl Sink) {
    let mut rest = message;
    if let Some(after) = rest.strip_prefix(b"duration: ") {
        let number = after.iter().position(|byte| *byte == b' ').unwrap_or(after.len());
        let (milliseconds, after) = after.split_at_checked(number).unwrap_or_default();
        about.mean_ms = std::str::from_utf8(milliseconds).ok().and_then(|text| text.parse().ok());
        rest = after.trim_ascii_start();
        rest = rest.strip_prefix(b"ms").unwrap_or(rest).trim_ascii_start();
    }
    match statement(rest) {
        Some(statement) => all_statements(sink, statement, values, about),
        None => sink.passed_over(),
    }
}

/// `statement: …` and `execute name: …` are calls; `parse` and `bind` only prepare one, `fetch` goes on with one.
fn statement(message: &[u8]) -> Option<&[u8]> {
    if let Some(statement) = message.strip_prefix(b"statement: ") {
        return Some(statement);
    }
    let named = message.strip_prefix(b"execute ").filter(|named| !named.starts_with(b"fetch from "))?;
    let colon = memmem::find(named, b": ")?;
    named.get(colon + 2..)
}
