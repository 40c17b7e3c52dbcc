//! Cuts a dump into statements, and the lines behind `COPY … FROM stdin` into rows.

use std::io::{self, Read};

use tablesmith_sql::{Dialect, End, Folder};

use super::copy::Head;
use crate::log::Input;

/// The next piece of a dump.
pub(super) enum Piece<'s> {
    /// A statement, without its semicolon.
    Statement { text: &'s [u8], line: u64 },
    /// A row behind `COPY`.
    CopyLine { head: &'s Head, text: &'s [u8], line: u64 },
    /// A statement that was passed over.
    TooLong { line: u64 },
}

/// The statements of a dump, one after the other.
pub(super) struct Statements<'p, R> {
    input: Input<'p, R>,
    folder: Folder,
    dialect: Dialect,
    /// What was handed out last: it is left behind before the next.
    handed_out: usize,
    copying: Option<Head>,
}

impl<'p, R: Read> Statements<'p, R> {
    pub fn new(source: R, progress: &'p mut dyn FnMut(u64)) -> io::Result<Self> {
        let input = Input::new(source, progress)?;
        let dialect = dialect_of(input.sample());
        Ok(Self { input, folder: Folder::new(dialect), dialect, handed_out: 0, copying: None })
    }

    /// Whose dump it is, by the look of its beginning.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub fn next(&mut self) -> io::Result<Option<Piece<'_>>> {
        self.input.consume(std::mem::take(&mut self.handed_out));
        if self.copying.is_some() {
            match self.copy_line()? {
                Some(length) => {
                    let line = self.input.line();
                    let text = self.input.window().get(..length).unwrap_or_default();
                    return Ok(self.copying.as_ref().map(|head| Piece::CopyLine { head, text, line }));
                }
                None => self.copying = None,
            }
        }
        self.statement()
    }

    /// The length of the next row behind `COPY`; none behind the last, which `\.` ends.
    fn copy_line(&mut self) -> io::Result<Option<usize>> {
        let Some((length, full)) = self.input.line_lengths()? else { return Ok(None) };
        if self.input.window().get(..length) == Some(b"\\.") {
            self.input.consume(full);
            return Ok(None);
        }
        self.handed_out = full;
        Ok(Some(length))
    }

    fn statement(&mut self) -> io::Result<Option<Piece<'_>>> {
        loop {
            let skipped = beside_statements(self.input.window());
            self.input.consume(skipped);
            if self.input.window().is_empty() && self.input.is_over() {
                return Ok(None);
            }
            let folded = self.folder.fold(self.input.window());
            if folded.end != End::Semicolon && !self.input.is_over() && !self.input.is_full() {
                self.input.fill()?;
                continue;
            }
            if folded.bytes == 0 {
                return Ok(None);
            }
            let line = self.input.line();
            if folded.end != End::Semicolon && !self.input.is_over() {
                self.input.consume(folded.bytes);
                return Ok(Some(Piece::TooLong { line }));
            }
            self.handed_out = folded.bytes;
            let text = self.input.window().get(..folded.bytes).unwrap_or_default();
            self.copying = Head::of(text);
            if self.copying.is_some() {
                // The rows begin on the next line.
                self.input.consume(std::mem::take(&mut self.handed_out));
                if let Some((_, full)) = self.input.line_lengths()? {
                    self.input.consume(full);
                }
                return self.next();
            }
            let text = self.input.window().get(..folded.bytes).unwrap_or_default();
            return Ok(Some(Piece::Statement { text, line }));
        }
    }
}

/// Bytes that belong to no statement: spaces, semicolons, comments (also those in which MySQL hides what is for MySQL alone),
/// and lines that are commands of a client.
fn beside_statements(window: &[u8]) -> usize {
    let mut rest = window;
    loop {
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b';').count();
        rest = rest.get(blank..).unwrap_or_default();
        let end = if rest.starts_with(b"/*") {
            rest.windows(2).position(|pair| pair == b"*/").map(|at| at + 2)
        } else if is_line_for_itself(rest) {
            rest.iter().position(|byte| *byte == b'\n').map(|at| at + 1)
        } else {
            None
        };
        match end {
            Some(end) => rest = rest.get(end..).unwrap_or_default(),
            None => return window.len() - rest.len(),
        }
    }
}

/// Whether a line is a comment, or a command of `psql` or of the `mysql` client.
fn is_line_for_itself(text: &[u8]) -> bool {
    [&b"--"[..], b"#", b"\\"].iter().any(|mark| text.starts_with(mark)) || begins_with(text, b"DELIMITER")
}

/// Whether a text begins with these words, with any space between them.
pub(super) fn begins_with(text: &[u8], words: &[u8]) -> bool {
    let mut found = text.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    words
        .split(|byte| *byte == b' ')
        .all(|word| found.next().is_some_and(|next| next.eq_ignore_ascii_case(word)))
}

/// Whose dump it is.
fn dialect_of(sample: &[u8]) -> Dialect {
    let text = String::from_utf8_lossy(sample);
    if text.contains("MySQL dump")
        || text.contains("MariaDB dump")
        || text.contains("ENGINE=")
        || text.contains('`')
    {
        Dialect::MySql
    } else if text.contains("PostgreSQL database dump") || text.contains("pg_catalog") {
        Dialect::Postgres
    } else {
        Dialect::Generic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(dump: &str) -> Vec<String> {
        let mut nothing = |_| {};
        let mut statements = Statements::new(dump.as_bytes(), &mut nothing).unwrap();
        let mut found = Vec::new();
        while let Some(piece) = statements.next().unwrap() {
            let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            found.push(match piece {
                Piece::Statement { text: words, line } => format!("{line}: {}", text(words)),
                Piece::CopyLine { head, text: row, line } => {
                    format!("{line}: {} <- {}", head.table, text(row))
                }
                Piece::TooLong { line } => format!("{line}: too long"),
            });
        }
        found
    }

    #[test]
    fn statements_and_copied_rows_come_in_their_order() {
        let dump = "-- PostgreSQL database dump\n\\connect x\nSET a = ';';\n\nCOPY public.t (a, b) FROM stdin;\n1\t;\n2\t'\n\\.\n\n\
                    ALTER TABLE t ADD x int;\nSELECT 1";
        assert_eq!(
            pieces(dump),
            [
                "3: SET a = ';';",
                "6: t <- 1\t;",
                "7: t <- 2\t'",
                "10: ALTER TABLE t ADD x int;",
                "11: SELECT 1"
            ]
        );
    }

    #[test]
    fn comments_before_a_statement_are_passed_over() {
        assert_eq!(pieces("/* a; */ -- b\nSELECT 1;"), ["2: SELECT 1;"]);
        assert!(
            begins_with(b"create\n  table x", b"CREATE TABLE")
                && !begins_with(b"create view", b"CREATE TABLE")
        );
    }
}
