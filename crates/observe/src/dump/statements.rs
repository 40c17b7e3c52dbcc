//! Cuts a dump into statements, and the lines behind `COPY … FROM stdin` into rows.

use std::io::{self, Read};

use tablesmith_sql::{Dialect, End, Folder, QualifiedName};

use super::copy::Head;
use super::routine::Routine;
use crate::log::{FirstLine, Input};

/// The next piece of a dump.
pub(super) enum Piece<'s> {
    /// A statement, without its semicolon.
    Statement { text: &'s [u8], line: u64 },
    /// The database that what follows belongs to.
    Database { name: String },
    /// A row behind `COPY`.
    CopyLine { head: &'s Head, text: &'s [u8], line: u64 },
    /// Rows behind `COPY` that the end of the file cut off.
    CutOff { table: QualifiedName, line: u64 },
    /// A statement, or a row behind `COPY`, that was passed over.
    TooLong { line: u64, bytes: u64 },
}

/// The statements of a dump, one after the other.
pub(super) struct Statements<'p, R> {
    input: Input<'p, R>,
    folder: Folder,
    dialect: Dialect,
    /// What was handed out last: it is left behind before the next.
    handed_out: usize,
    copying: Option<Head>,
    /// Whether the last rows behind `COPY` were ended as they should be.
    is_ended: bool,
    routine: Routine,
}

impl<'p, R: Read> Statements<'p, R> {
    /// Begins to read; no statement or row longer than `bytes_max` is held.
    pub fn new(source: R, bytes_max: usize, progress: &'p mut dyn FnMut(u64)) -> io::Result<Self> {
        let input = Input::new(source, bytes_max, progress)?;
        let dialect = Dialect::of_text(input.sample());
        Ok(Self {
            input,
            folder: Folder::new(dialect),
            dialect,
            handed_out: 0,
            copying: None,
            is_ended: false,
            routine: Routine::default(),
        })
    }

    /// How the file begins.
    pub fn beginning(&self) -> &[u8] {
        self.input.sample()
    }

    /// Whose dump it is, by the look of its beginning.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub fn next(&mut self) -> io::Result<Option<Piece<'_>>> {
        self.input.consume(std::mem::take(&mut self.handed_out));
        if self.copying.is_some() {
            match self.copy_line()? {
                FirstLine::TooLong => {
                    let line = self.input.line();
                    return Ok(Some(Piece::TooLong { line, bytes: self.input.skip_line()? }));
                }
                FirstLine::Whole { length, .. } => {
                    let line = self.input.line();
                    let text = self.input.window().get(..length).unwrap_or_default();
                    return Ok(self.copying.as_ref().map(|head| Piece::CopyLine { head, text, line }));
                }
                FirstLine::Over => {
                    let head = self.copying.take();
                    if let Some(head) = head.filter(|_| self.input.window().is_empty() && !self.is_ended) {
                        return Ok(Some(Piece::CutOff { table: head.table, line: self.input.line() }));
                    }
                }
            }
        }
        self.statement()
    }

    /// The next row behind `COPY`; none behind the last, which `\.` ends.
    fn copy_line(&mut self) -> io::Result<FirstLine> {
        self.is_ended = false;
        let line = self.input.first_line()?;
        if let FirstLine::Whole { length, full } = line {
            if self.input.window().get(..length) == Some(b"\\.") {
                self.input.consume(full);
                self.is_ended = true;
                return Ok(FirstLine::Over);
            }
            self.handed_out = full;
        }
        Ok(line)
    }

    fn statement(&mut self) -> io::Result<Option<Piece<'_>>> {
        loop {
            let window = self.input.window();
            let skipped = beside_statements(window);
            let database = window.get(..skipped).and_then(connected);
            self.input.consume(skipped);
            if let Some(name) = database {
                return Ok(Some(Piece::Database { name }));
            }
            if self.input.window().is_empty() && self.input.is_over() {
                return Ok(None);
            }
            let is_whole = self.input.is_over() || self.input.is_full();
            if changes_delimiter(self.input.window()) {
                // The line that changes it back is not here yet, or nowhere.
                match is_whole {
                    true => drop(self.input.skip_line()?),
                    false => self.input.fill()?,
                }
                continue;
            }
            let folded = self.folder.fold(self.input.window());
            if folded.end != End::Semicolon && !is_whole {
                self.input.fill()?;
                continue;
            }
            if folded.bytes == 0 {
                return Ok(None);
            }
            let line = self.input.line();
            if folded.end != End::Semicolon && !self.input.is_over() {
                let bytes = self.input.skip_statement(self.dialect)?;
                return Ok(Some(Piece::TooLong { line, bytes }));
            }
            self.handed_out = folded.bytes;
            let text = self.input.window().get(..folded.bytes).unwrap_or_default();
            if self.routine.has(text, self.dialect) {
                self.input.consume(std::mem::take(&mut self.handed_out));
                continue;
            }
            self.copying = Head::of(text);
            if self.copying.is_some() {
                // The rows begin on the next line.
                self.input.consume(std::mem::take(&mut self.handed_out));
                self.input.skip_line()?;
                return self.next();
            }
            let text = self.input.window().get(..folded.bytes).unwrap_or_default();
            return Ok(Some(Piece::Statement { text, line }));
        }
    }
}

/// Bytes that belong to no statement: spaces, semicolons, comments (also those in which MySQL hides what is for MySQL alone),
/// lines that are commands of a client, and what stands between lines that change the delimiter: bodies of routines.
fn beside_statements(window: &[u8]) -> usize {
    let mut rest = window;
    loop {
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b';').count();
        rest = rest.get(blank..).unwrap_or_default();
        let end = if rest.starts_with(b"/*") {
            rest.windows(2).position(|pair| pair == b"*/").map(|at| at + 2)
        } else if changes_delimiter(rest) {
            delimiter_is_back(rest)
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

/// Whether a line gives the `mysql` client another mark for the end of a statement.
fn changes_delimiter(text: &[u8]) -> bool {
    begins_with(text, b"DELIMITER") && !begins_with(text, b"DELIMITER ;")
}

/// Where the mark is a semicolon again: behind that line. All there is where it never is and the text ends in a line.
fn delimiter_is_back(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        at += line.len();
        if begins_with(line, b"DELIMITER ;") && line.ends_with(b"\n") {
            return Some(at);
        }
    }
    None
}

/// The database that a line for `psql` enters: `\connect name`.
fn connected(skipped: &[u8]) -> Option<String> {
    let mut lines = skipped.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"\\connect "));
    let line = String::from_utf8_lossy(lines.next_back()?).into_owned();
    let last = line.split_whitespace().next_back()?;
    let name = last.trim_matches('"').trim_start_matches("dbname=").trim_matches('\'');
    Some(name.to_owned())
}

/// Whether a text begins with these words, with any space between them.
pub(super) fn begins_with(text: &[u8], words: &[u8]) -> bool {
    let mut found = text.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    words
        .split(|byte| *byte == b' ')
        .all(|word| found.next().is_some_and(|next| next.eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(dump: &str) -> Vec<String> {
        pieces_up_to(dump, 1_000)
    }

    fn pieces_up_to(dump: &str, bytes_max: usize) -> Vec<String> {
        let mut nothing = |_| {};
        let mut statements = Statements::new(dump.as_bytes(), bytes_max, &mut nothing).unwrap();
        let mut found = Vec::new();
        while let Some(piece) = statements.next().unwrap() {
            let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            found.push(match piece {
                Piece::Statement { text: words, line } => format!("{line}: {}", text(words)),
                Piece::CopyLine { head, text: row, line } => {
                    format!("{line}: {} <- {}", head.table, text(row))
                }
                Piece::Database { name } => format!("database {name}"),
                Piece::CutOff { table, line } => format!("{line}: {table} is cut off"),
                Piece::TooLong { line, bytes } => format!("{line}: {bytes} are too long"),
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
                "database x",
                "3: SET a = ';';",
                "6: public.t <- 1\t;",
                "7: public.t <- 2\t'",
                "10: ALTER TABLE t ADD x int;",
                "11: SELECT 1"
            ]
        );
    }

    #[test]
    fn what_routines_do_is_no_statement_of_the_dump() {
        let sqlite = "CREATE TRIGGER tg AFTER INSERT ON a BEGIN UPDATE a SET b = CASE b WHEN 1 THEN 2 END; \
                      INSERT INTO a VALUES (9); END;\nINSERT INTO a VALUES (1);";
        assert_eq!(pieces(sqlite), ["2: INSERT INTO a VALUES (1);"]);
        let mysql = "/*!50003 SET x = 1 */ ;\nDELIMITER ;;\nCREATE PROCEDURE p() BEGIN INSERT INTO a VALUES (9); END ;;\n\
                     DELIMITER ;\nINSERT INTO a VALUES (1);";
        assert_eq!(pieces(mysql), ["5: INSERT INTO a VALUES (1);"]);
        let postgres = "CREATE FUNCTION public.f() RETURNS void LANGUAGE sql BEGIN ATOMIC SELECT 1; INSERT INTO a VALUES (9); END;\n\
                        CREATE FUNCTION g() RETURNS int AS $$ BEGIN; $$;\nINSERT INTO a VALUES (1);";
        assert_eq!(pieces(postgres), ["3: INSERT INTO a VALUES (1);"]);
        // A body that never ends does not swallow the next table.
        assert_eq!(
            pieces("CREATE TRIGGER t BEGIN x; y; CREATE TABLE b (c int);"),
            ["1: CREATE TABLE b (c int);"]
        );
    }

    #[test]
    fn what_is_too_long_is_passed_over_whole() {
        let insert = format!("INSERT INTO a VALUES ('{}');", "CREATE TABLE b (c int); ".repeat(50));
        let row = format!("{}\t{}", "x".repeat(300), "y".repeat(300));
        let dump = format!(
            "INSERT INTO a VALUES (1);\n{insert}\nCOPY t (a, b) FROM stdin;\n1\t2\n{row}\n3\t4\n\\.\nSELECT 1;\n"
        );
        assert_eq!(
            pieces_up_to(&dump, 100),
            [
                "1: INSERT INTO a VALUES (1);",
                &format!("2: {} are too long", insert.len()),
                "4: t <- 1\t2",
                &format!("5: {} are too long", row.len() + 1),
                "6: t <- 3\t4",
                "8: SELECT 1;"
            ]
        );
    }

    #[test]
    fn copied_rows_that_do_not_end_are_cut_off() {
        assert_eq!(pieces("COPY t (a) FROM stdin;\n1\n"), ["2: t <- 1", "3: t is cut off"]);
        assert_eq!(pieces("COPY t (a) FROM stdin;\n\\.\n"), Vec::<String>::new());
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
