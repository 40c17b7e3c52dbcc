//! SQL statements as text, with or without a time before each.
//!
//! Three ways to tell where a statement ends ([`Ends`]): a line that begins with a time begins the next entry; a
//! semicolon; or the end of the line. A quotation that never ends must not swallow the rest of the log: see
//! [`swallowed`].

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memmem, memrchr};
use tablesmith_sql::End;

use super::input::{FirstLine, Input};
use super::postgres;
use super::sink::{About, Sink, all_statements, folded_statement, pass_too_long};
use super::time;

/// What ends a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// A line that begins with a time.
    Times,
    /// A semicolon.
    Semicolons,
    /// The end of the line.
    Lines,
}

/// No time at the beginning of a line is as long.
const TIME_BYTES_MAX: usize = 256;

/// Words that begin a statement.
const BEGINNINGS: &[&[u8]] =
    &[b"select", b"insert", b"update", b"delete", b"with", b"replace", b"merge", b"upsert"];

/// How statements end in a text that begins so.
pub(super) fn ends(sample: &[u8]) -> Ends {
    let lines: Vec<&[u8]> = sample
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && !line.starts_with(b"--") && !line.starts_with(b"#"))
        .collect();
    let count = |holds: &dyn Fn(&[u8]) -> bool| lines.iter().filter(|line| holds(line)).count();
    let first_has_time = lines.first().is_some_and(|line| time::leading(line).is_some());
    if first_has_time || count(&|line| time::leading(line).is_some()) * 10 > lines.len() {
        return Ends::Times;
    }
    let beginnings = count(&begins_statement);
    if count(&|line| line.ends_with(b";")) == 0 && beginnings * 2 > lines.len() && beginnings > 1 {
        return Ends::Lines;
    }
    Ends::Semicolons
}

/// Whether a line begins with a word that begins statements.
pub(super) fn begins_statement(line: &[u8]) -> bool {
    BEGINNINGS.iter().any(|word| {
        let (beginning, rest) = line.split_at_checked(word.len()).unwrap_or_default();
        beginning.eq_ignore_ascii_case(word) && rest.first().is_some_and(|byte| !byte.is_ascii_alphanumeric())
    })
}

/// Reads the log.
pub(super) fn read<R: Read>(input: &mut Input<'_, R>, ends: Ends, sink: &mut impl Sink) -> io::Result<()> {
    match ends {
        Ends::Times => read_timed(input, sink),
        Ends::Semicolons => read_semicolons(input, sink),
        Ends::Lines => read_lines(input, sink),
    }
}

/// Statements that end with their line.
fn read_lines<R: Read>(input: &mut Input<'_, R>, sink: &mut impl Sink) -> io::Result<()> {
    loop {
        match input.first_line()? {
            FirstLine::Whole { length, full } => {
                let about = About { line: input.line(), ..About::default() };
                all_statements(sink, input.window().get(..length).unwrap_or_default(), None, &about);
                input.consume(full);
            }
            FirstLine::TooLong => pass_too_long(input, sink, |input| input.skip_line())?,
            FirstLine::Over => return Ok(()),
        }
    }
}

/// Entries that begin with a time and go on until the next line that does.
fn read_timed<R: Read>(input: &mut Input<'_, R>, sink: &mut impl Sink) -> io::Result<()> {
    let mut searched = 0;
    while !input.window().is_empty() || !input.is_over() {
        let window = input.window();
        let end = next_timed_line(window, searched);
        if end.is_none() && !input.is_over() {
            if input.is_full() {
                pass_too_long(input, sink, skip_entry)?;
                searched = 0;
            } else {
                // The last line may be cut inside its time.
                searched = memrchr(b'\n', window).unwrap_or(0);
                input.fill()?;
            }
            continue;
        }
        let end = end.unwrap_or(window.len());
        entry(window.get(..end).unwrap_or_default(), input.line(), sink);
        input.consume(end);
        searched = 0;
    }
    Ok(())
}

/// Leaves an entry behind, up to the next line that begins with a time: the number of its bytes.
fn skip_entry<R: Read>(input: &mut Input<'_, R>) -> io::Result<u64> {
    let mut bytes = 0;
    loop {
        let window = input.window();
        let end = next_timed_line(window, 0);
        // The last line may be cut inside its time; a long one is not.
        let last_line = memrchr(b'\n', window).filter(|at| window.len() - at < TIME_BYTES_MAX);
        let passed = match (end, input.is_over()) {
            (Some(end), _) => end,
            (None, true) => window.len(),
            (None, false) => last_line.unwrap_or(window.len()),
        };
        input.consume(passed);
        bytes += passed as u64;
        if end.is_some() || input.is_over() {
            return Ok(bytes);
        }
        input.fill()?;
    }
}

/// Where the next line begins that begins with a time, after the first line.
fn next_timed_line(window: &[u8], searched: usize) -> Option<usize> {
    let rest = window.get(searched..)?;
    memchr_iter(b'\n', rest).map(|at| searched + at + 1).find(|at| {
        let line = window.get(*at..).unwrap_or_default();
        line.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'[')
            && time::leading(line).is_some()
    })
}

/// One entry: a time, what stands between, and statements.
fn entry(text: &[u8], line: u64, sink: &mut impl Sink) {
    let Some((time_ms, length)) = time::leading(text) else {
        // Before the first time: a heading, or statements without one.
        return all_statements(sink, text, None, &About { line, ..About::default() });
    };
    let rest = text.get(length..).unwrap_or_default();
    let mut about = About { line, time_ms: Some(time_ms), ..About::default() };
    let is_between = |byte: &u8| matches!(byte, b' ' | b'\t' | b'|' | b',' | b':' | b'\r' | b'\n');
    let between = rest.iter().take_while(|byte| is_between(byte)).count();
    let statements = rest.get(between..).unwrap_or_default();
    let message = if begins_statement(statements) { None } else { postgres::message_of_line(rest) };
    match message {
        Some(message) => postgres::message(message, None, &mut about, sink),
        None => all_statements(sink, statements, None, &about),
    }
}

/// Statements that end with semicolons.
fn read_semicolons<R: Read>(input: &mut Input<'_, R>, sink: &mut impl Sink) -> io::Result<()> {
    while !input.window().is_empty() || !input.is_over() {
        let blank =
            input.window().iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b';').count();
        input.consume(blank);
        let window = input.window();
        let folded = sink.folder().fold(window);
        let is_cut = folded.end != End::Semicolon && !input.is_over();
        if is_cut && !input.is_full() {
            input.fill()?;
            continue;
        }
        let text = window.get(..folded.bytes).unwrap_or_default();
        let about = About { line: input.line(), ..About::default() };
        let consumed = match swallowed(text) {
            Some(end) => {
                let bad = text.get(..end).unwrap_or_default();
                sink.not_understood(about.line, bad, "a quotation in it never ends");
                end
            }
            None if is_cut => {
                let dialect = sink.folder().dialect();
                pass_too_long(input, sink, |input| input.skip_statement(dialect))?;
                continue;
            }
            None => {
                folded_statement(sink, text, None, &about);
                text.len()
            }
        };
        if consumed == 0 && input.is_over() {
            return Ok(());
        }
        input.consume(consumed);
    }
    Ok(())
}

/// Where a text that was taken as one statement should have ended: after a line that ends with a semicolon, when the
/// next begins like a statement. Only a quotation that never ends can hide both.
fn swallowed(text: &[u8]) -> Option<usize> {
    // The body of a function is quoted by dollars, and has statements in it.
    if memchr(b'\n', text).is_none() || memmem::find(text, b"$$").is_some() {
        return None;
    }
    memchr_iter(b'\n', text).map(|at| at + 1).find(|at| {
        let (before, after) = text.split_at_checked(*at).unwrap_or_default();
        before.trim_ascii_end().ends_with(b";") && begins_statement(after.trim_ascii_start())
    })
}
