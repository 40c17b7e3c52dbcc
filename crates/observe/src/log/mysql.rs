//! MySQL's and MariaDB's general log, in its old and its new shape.
//!
//! ```text
//! 2024-01-02T03:04:05.678901Z→   12 Query→SELECT …      since MySQL 5.7; → is a tab
//! 240102  3:04:05→   12 Query→SELECT …                  before, and MariaDB
//! →→   12 Query→SELECT …                                the same second as before
//! ```
//! A line of another shape goes on with the statement before it.

use std::io::{self, Read};

use super::input::{BEGINNING_BYTES, FirstLine, Input};
use super::sink::{About, STATEMENT, Sink, TooLong, all_statements};
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
    let mut reader = Reader::new(input.record_bytes_max());
    loop {
        match input.first_line()? {
            FirstLine::Whole { length, full } => {
                let line = input.window().get(..length).unwrap_or_default();
                reader.line(line, input.line(), sink);
                input.consume(full);
            }
            // It begins as it would if it were shorter; what is beyond the window only counts.
            FirstLine::TooLong => {
                let held = input.window().len() as u64;
                reader.line(input.window(), input.line(), sink);
                let bytes = input.skip_line()?;
                reader.passes_over(bytes.saturating_sub(held));
            }
            FirstLine::Over => {
                reader.flush(sink);
                return Ok(());
            }
        }
    }
}

/// The statement whose lines are being read, and the time of the last entry.
struct Reader {
    bytes_max: usize,
    statement: Vec<u8>,
    /// Bytes of the statement, also of what is not held.
    bytes: u64,
    is_too_long: bool,
    /// `None` between statements.
    about: Option<About>,
    time_ms: Option<i64>,
}

impl Reader {
    fn new(bytes_max: usize) -> Self {
        Self { bytes_max, statement: Vec::new(), bytes: 0, is_too_long: false, about: None, time_ms: None }
    }

    fn line(&mut self, line: &[u8], number: u64, sink: &mut impl Sink) {
        match parse(line) {
            Some(entry) => {
                self.flush(sink);
                self.time_ms = entry.time_ms.or(self.time_ms);
                if matches!(entry.command, b"Query" | b"Execute") {
                    self.about = Some(About { line: number, time_ms: self.time_ms, ..About::default() });
                    self.add(entry.argument);
                } else {
                    sink.passed_over();
                }
            }
            None if is_heading(line) => {
                self.flush(sink);
                sink.passed_over();
            }
            None if self.about.is_some() => {
                self.add(b"\n");
                self.add(line);
            }
            None if line.trim_ascii().is_empty() => {}
            None => sink.not_understood(number, line, "it is no entry of MySQL's general log"),
        }
    }

    fn add(&mut self, text: &[u8]) {
        self.bytes += text.len() as u64;
        self.is_too_long |= self.bytes > self.bytes_max as u64;
        // Of what is too long, the beginning is shown.
        let room = BEGINNING_BYTES.saturating_sub(self.statement.len());
        let held = if self.is_too_long { text.len().min(room) } else { text.len() };
        self.statement.extend_from_slice(text.get(..held).unwrap_or_default());
    }

    /// The statement, if there is one, has so many bytes more, which are not held.
    fn passes_over(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.is_too_long = true;
    }

    fn flush(&mut self, sink: &mut impl Sink) {
        if let Some(about) = self.about.take() {
            match self.is_too_long {
                true => sink.too_long(TooLong {
                    line: about.line,
                    beginning: &self.statement,
                    calls: 1,
                    what: STATEMENT,
                    bytes: self.bytes,
                    bytes_max: self.bytes_max,
                }),
                false => all_statements(sink, &self.statement, None, &about),
            }
        }
        self.statement.clear();
        (self.bytes, self.is_too_long) = (0, false);
    }
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
