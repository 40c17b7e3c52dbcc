//! Reads the dump of a relational database: what it declares becomes tables of a workload, what rows it has become files of JSON lines.
//!
//! ```text
//! dump ──statements──▶ CREATE TABLE, ALTER TABLE ──schema──▶ tables: columns, types, keys, references
//!                      INSERT … VALUES, COPY … FROM stdin ──rows──▶ a file of JSON lines a table
//! ```
//!
//! Takes what `pg_dump`, `mysqldump` and `sqlite3 .dump` write. Read once, in bounded memory; what is not understood is left
//! out, counted and shown.

mod copy;
mod error;
mod routine;
mod rows;
mod schema;
mod statements;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tablesmith_model::workload::Table;
use tablesmith_sql::{Declared, Dialect, QualifiedName, declared, inserted};

use crate::log::RECORD_BYTES_MAX;
use crate::profile::Progress;
use crate::size_text::size_text;
pub use error::DumpError;
use rows::RowFiles;
use schema::Schema;
use statements::{Piece, Statements};

/// What PostgreSQL declares without a log.
const UNLOGGED: &str = "CREATE UNLOGGED TABLE";
const UNLOGGED_WORD: &str = "UNLOGGED";
/// Tables that SQLite keeps for itself.
const SQLITE_OWN: &str = "sqlite_";
/// Reasons that are kept; the rest is counted.
const REASONS_KEPT: usize = 10;

/// What a dump has.
#[derive(Debug, Default)]
pub struct Dump {
    /// The declared tables, in the order of the dump; nothing is measured yet.
    pub tables: Vec<Table>,
    /// The files that rows were written to: the table, the file, how many rows.
    pub files: Vec<(String, PathBuf, u64)>,
    /// Statements and rows that could not be read.
    pub left_out: u64,
    /// The first of them: the line, and why.
    pub reasons: Vec<(u64, String)>,
    /// What is otherwise than in the database, and why.
    pub notes: Vec<String>,
}

/// Where rows go.
#[derive(Debug, Clone, Copy)]
pub struct Target<'t> {
    /// The directory of the files.
    pub directory: &'t Path,
    /// Whether files that exist are written over.
    pub overwrite: bool,
}

/// Reads a dump. Its rows go to files named after their tables.
pub fn read(path: &Path, target: Target<'_>, progress: &mut dyn FnMut(Progress)) -> Result<Dump, DumpError> {
    let unreadable = |error: io::Error| DumpError::Read { path: path.to_owned(), error };
    let file = File::open(path).map_err(unreadable)?;
    let total = file.metadata().map_err(unreadable)?.len();
    let mut tell = |bytes: u64| progress(Progress { bytes, total });
    let mut statements = Statements::new(file, RECORD_BYTES_MAX, &mut tell).map_err(unreadable)?;
    if let Some(what) = error::other_format(statements.beginning()) {
        return Err(DumpError::OtherFormat { path: path.to_owned(), what });
    }
    let mut reader = Reader::new(target, statements.dialect());
    reader.all(&mut statements).map_err(|error| error.in_dump(path))?;
    reader.finish()
}

/// Puts the pieces of a dump together.
struct Reader<'t> {
    dialect: Dialect,
    schema: Schema,
    files: RowFiles<'t>,
    dump: Dump,
    /// Whether backslashes in texts of `INSERT` mean something else than themselves.
    has_escapes: bool,
}

impl<'t> Reader<'t> {
    fn new(target: Target<'t>, dialect: Dialect) -> Self {
        Self {
            dialect,
            schema: Schema::default(),
            files: RowFiles::new(target, dialect),
            dump: Dump::default(),
            has_escapes: false,
        }
    }

    fn all<R: Read>(&mut self, statements: &mut Statements<'_, R>) -> Result<(), DumpError> {
        while let Some(piece) = statements.next().map_err(DumpError::reading)? {
            match piece {
                Piece::Statement { text, line } => self.statement(text, line)?,
                Piece::Database { name } => self.schema.enter(&name),
                Piece::CopyLine { head, text, line } => self.copied(head, text, line)?,
                Piece::CutOff { table, line } => {
                    self.leave_out(line, format!("the file ends before the rows of \"{table}\" do"));
                }
                Piece::TooLong { line, bytes } => {
                    let (bytes, limit) = (size_text(bytes), size_text(RECORD_BYTES_MAX as u64));
                    self.leave_out(
                        line,
                        format!("a statement or row has {bytes}, more than the limit of {limit}"),
                    );
                }
            }
        }
        Ok(())
    }

    fn statement(&mut self, text: &[u8], line: u64) -> Result<(), DumpError> {
        if statements::begins_with(text, b"INSERT") || statements::begins_with(text, b"REPLACE") {
            return self.insert(text, line);
        }
        if let (true, Some(name)) = (statements::begins_with(text, b"USE"), text.split_at_checked(3)) {
            let name = String::from_utf8_lossy(name.1);
            self.schema.enter(name.trim_matches([' ', ';', '`', '"']));
            return Ok(());
        }
        if says(text, b"SET standard_conforming_strings", "off") {
            self.has_escapes = true;
        }
        if let Some(encoding) = other_encoding(text) {
            self.leave_out(
                line,
                format!("the dump is in {encoding}, and texts are read as UTF-8: dump it with -E UTF8"),
            );
            return Ok(());
        }
        let is_unlogged = statements::begins_with(text, UNLOGGED.as_bytes());
        let declares = is_unlogged
            || statements::begins_with(text, b"CREATE TABLE")
            || statements::begins_with(text, b"ALTER TABLE");
        if !declares {
            return Ok(());
        }
        let mut sql = String::from_utf8_lossy(text).into_owned();
        if is_unlogged {
            // How a table is kept is nothing to parsers, nor to us.
            let word = sql.to_ascii_uppercase().find(UNLOGGED_WORD);
            word.into_iter().for_each(|at| sql.replace_range(at..at + UNLOGGED_WORD.len(), ""));
        }
        match declared(&sql, self.dialect) {
            Ok(found) => found.into_iter().for_each(|one: Declared| self.schema.add(one)),
            // What changes owners, triggers and storage declares nothing for us.
            Err(_) if statements::begins_with(text, b"ALTER TABLE") => {}
            Err(why) => self.leave_out(line, why),
        }
        Ok(())
    }

    fn insert(&mut self, text: &[u8], line: u64) -> Result<(), DumpError> {
        if self.has_escapes && text.contains(&b'\\') {
            let why = "standard_conforming_strings is off, and backslashes in texts are not read so: dump it with COPY";
            self.leave_out(line, why.to_owned());
            return Ok(());
        }
        let (schema, files, mut bad, mut failed) = (&self.schema, &mut self.files, Vec::new(), None);
        let known = inserted(text, self.dialect, &mut |into, row| {
            if failed.is_some() {
                return;
            }
            let Some(part) = schema.table(&into.table) else { return };
            match row {
                Ok(values) => match files.add((schema.whole(part), part), &into.columns, values) {
                    Ok(Ok(())) => {}
                    Ok(Err(why)) => bad.push(why),
                    Err(error) => failed = Some(error),
                },
                Err(error) => bad.push(format!("a row of {:?}: {error}", part.table.name)),
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        match known {
            Some(into) if schema.table(&into.table).is_none() => {
                self.undeclared(line, &into.table);
            }
            Some(_) => bad.into_iter().for_each(|why| self.leave_out(line, why)),
            None => self.leave_out(line, "an INSERT without VALUES".to_owned()),
        }
        Ok(())
    }

    fn copied(&mut self, head: &copy::Head, text: &[u8], line: u64) -> Result<(), DumpError> {
        let Some(part) = self.schema.table(&head.table) else {
            self.undeclared(line, &head.table);
            return Ok(());
        };
        let place = (self.schema.whole(part), part);
        if let Err(why) = self.files.add(place, &head.columns, &copy::values(text))? {
            self.leave_out(line, why);
        }
        Ok(())
    }

    /// Rows of a table that is not declared. SQLite's own are in many dumps and of no use.
    fn undeclared(&mut self, line: u64, table: &QualifiedName) {
        if !table.name.starts_with(SQLITE_OWN) {
            self.leave_out(line, format!("the dump declares no table \"{table}\""));
        }
    }

    fn leave_out(&mut self, line: u64, why: String) {
        self.dump.left_out += 1;
        // Rows of one table that is not known say it once.
        let is_said = self.dump.reasons.iter().any(|(_, said)| *said == why);
        if self.dump.reasons.len() < REASONS_KEPT && !is_said {
            self.dump.reasons.push((line, why));
        }
    }

    fn finish(self) -> Result<Dump, DumpError> {
        let (tables, notes) = self.schema.finish();
        Ok(Dump { tables, notes, files: self.files.finish()?, ..self.dump })
    }
}

/// Whether a statement sets something to a value.
fn says(statement: &[u8], words: &[u8], value: &str) -> bool {
    let text = String::from_utf8_lossy(statement).to_ascii_lowercase();
    statements::begins_with(statement, words) && text.trim_end_matches(';').trim_end().ends_with(value)
}

/// The encoding that PostgreSQL says a dump is in, when it is another than ours.
fn other_encoding(statement: &[u8]) -> Option<String> {
    if !statements::begins_with(statement, b"SET client_encoding") {
        return None;
    }
    let text = String::from_utf8_lossy(statement);
    let name = text.split(['\'', '"']).nth(1)?.to_ascii_uppercase();
    (!["UTF8", "UTF-8", "UNICODE", "SQL_ASCII"].contains(&name.as_str())).then_some(name)
}
