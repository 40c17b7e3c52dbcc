//! MySQL's and MariaDB's general log, in its old and its new shape.
//!
//! ```text
//! 2024-01-02T03:04:05.678901Z→   12 Query→SELECT …      since MySQL 5.7; → is a tab
//! 240102  3:04:05→   12 Query→SELECT …                  before, and MariaDB
//! →→   12 Query→SELECT …                                the same second as before
//! ```
//! A line of another shape goes on with the statement before it.

use std::io::{self, Read};

use super::input::{Input, RECORD_BYTES_MAX};
use super::sink::{About, Sink, all_statements};
use super::time;

/// What may stand between the connection's number and the argument.
const COMMANDS: &[&[u8]] = &[
    b"Query",
    b"Execute",
    b"Prepare",
    b"Connect",
    b"Quit",
    b"Init DB",
    b"Close stmt",
    b"Reset stmt",
    b"Statistics",
    b"Field List",
    b"Ping",
    b"Change user",
    b"Shutdown",
    b"Processlist",
    b"Kill",
    b"Long Data",
    b"Fetch",
    b"Daemon",
    b"Set option",
    b"Debug",
    b"Sleep",
    b"Create DB",
    b"Drop DB",
    b"Refresh",
    b"Binlog Dump",
    b"Register Slave",
    b"Time",
    b"Delayed insert",
    b"Error",
    b"Bulk execute",
];

/// A line that begins an entry.
struct Entry<'l> {
    /// `None` when it is that of the entry before.
    time_ms: Option<i64>,
    command: &'l [u8],
    argument: &'l [u8],
}

/// The heading that the server writes when it opens the log.
fn is_heading(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.by_ref().take(4).eq([&b"Time"[..], b"Id", b"Command", b"Argument"])
        || line.starts_with(b"Tcp port:")
        || (line.ends_with(b"started with:") && line.windows(9).any(|part| part == b", Version"))
}

/// Whether a text looks like a general log.
pub(super) fn is_general_log(sample: &[u8]) -> bool {
    sample.split(|byte| *byte == b'\n').take(50).any(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        is_heading(line) || parse(line).is_some_and(|entry| entry.time_ms.is_some())
    })
}

/// Reads the log.
pub(super) fn read<R: Read>(input: &mut Input<'_, R>, sink: &mut impl Sink) -> io::Result<()> {
    let mut statement = Vec::new();
    let mut about: Option<About> = None;
    let mut time_ms = None;
    while let Some((length, full)) = input.line_lengths()? {
        let line = input.window().get(..length).unwrap_or_default();
        match parse(line) {
            Some(entry) => {
                flush(&mut statement, about.take(), sink);
                time_ms = entry.time_ms.or(time_ms);
                if matches!(entry.command, b"Query" | b"Execute") {
                    statement.extend_from_slice(entry.argument);
                    about = Some(About { line: input.line(), time_ms, ..About::default() });
                } else {
                    sink.passed_over();
                }
            }
            None if is_heading(line) => {
                flush(&mut statement, about.take(), sink);
                sink.passed_over();
            }
            None if about.is_some() && statement.len() < RECORD_BYTES_MAX => {
                statement.push(b'\n');
                statement.extend_from_slice(line);
            }
            None if line.trim_ascii().is_empty() => {}
            None => sink.not_understood(input.line(), line, "it is no entry of MySQL's general log"),
        }
        input.consume(full);
    }
    flush(&mut statement, about, sink);
    Ok(())
}

fn flush(statement: &mut Vec<u8>, about: Option<About>, sink: &mut impl Sink) {
    if let Some(about) = about {
        all_statements(sink, statement, None, &about);
    }
    statement.clear();
}

fn parse(line: &[u8]) -> Option<Entry<'_>> {
    let (time_ms, rest) = match time::leading(line).or_else(|| time::short_date_time(line)) {
        Some((time_ms, length)) => (Some(time_ms), line.get(length..)?),
        None => (None, line.strip_prefix(b"\t\t")?),
    };
    let rest = rest.trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest =
        rest.get(digits..).filter(|rest| digits > 0 && rest.first() == Some(&b' '))?.trim_ascii_start();
    let command = COMMANDS.iter().find(|command| {
        rest.starts_with(command) && rest.get(command.len()).is_none_or(|byte| matches!(byte, b'\t' | b' '))
    })?;
    let argument = rest.get(command.len()..).unwrap_or_default();
    Some(Entry { time_ms, command, argument: argument.strip_prefix(b"\t").unwrap_or(argument) })
}
