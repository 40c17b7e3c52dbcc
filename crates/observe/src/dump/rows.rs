//! Writes the rows of a dump to files of JSON lines, one a table: CSV cannot tell an empty text from null.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use tablesmith_model::bytes_text;
use tablesmith_model::value::ValueType;
use tablesmith_model::workload::Table;
use tablesmith_sql::{Dialect, InsertedValue, hex_bytes};

use super::{DumpError, Target};

/// The files that are being written.
pub(super) struct RowFiles<'t> {
    target: Target<'t>,
    dialect: Dialect,
    files: BTreeMap<String, RowFile>,
}

struct RowFile {
    path: PathBuf,
    out: BufWriter<File>,
    rows: u64,
    line: String,
}

impl<'t> RowFiles<'t> {
    pub fn new(target: Target<'t>, dialect: Dialect) -> Self {
        Self { target, dialect, files: BTreeMap::new() }
    }

    /// Adds a row; the inner error says why it does not fit its table.
    pub fn add(
        &mut self,
        table: &Table,
        columns: &[String],
        values: &[InsertedValue<'_>],
    ) -> Result<Result<(), String>, DumpError> {
        let wanted = if columns.is_empty() { table.columns.len() } else { columns.len() };
        if values.len() != wanted {
            return Ok(Err(format!("a row of {:?} has {} values, not {wanted}", table.name, values.len())));
        }
        let dialect = self.dialect;
        let file = self.file(table)?;
        file.line.clear();
        for (place, column) in table.columns.iter().enumerate() {
            let at = if columns.is_empty() {
                Some(place)
            } else {
                columns.iter().position(|name| name.eq_ignore_ascii_case(&column.name))
            };
            let value = at.and_then(|at| values.get(at)).and_then(Option::as_deref);
            file.line.push(if place == 0 { '{' } else { ',' });
            push_text(&column.name, &mut file.line);
            file.line.push(':');
            if !push_value(value, column.value_type, dialect, &mut file.line) {
                return Ok(Err(format!(
                    "a value of {:?} is not UTF-8: dump the database in UTF-8",
                    column.name
                )));
            }
        }
        file.line.push_str("}\n");
        let written = file.out.write_all(file.line.as_bytes());
        written.map_err(|error| DumpError::Write { path: file.path.clone(), error })?;
        file.rows += 1;
        Ok(Ok(()))
    }

    fn file(&mut self, table: &Table) -> Result<&mut RowFile, DumpError> {
        // Two steps: the map's entry would keep it borrowed while the file is made.
        if !self.files.contains_key(&table.name) {
            let file = RowFile::make(table, self.target)?;
            self.files.insert(table.name.clone(), file);
        }
        let missing =
            || DumpError::Write { path: PathBuf::from(&table.name), error: io::ErrorKind::NotFound.into() };
        self.files.get_mut(&table.name).ok_or_else(missing)
    }

    /// Writes what is left: the table, the file and its rows.
    pub fn finish(self) -> Result<Vec<(String, PathBuf, u64)>, DumpError> {
        let finished = |(table, mut file): (String, RowFile)| {
            let written = file.out.flush();
            written.map_err(|error| DumpError::Write { path: file.path.clone(), error })?;
            Ok((table, file.path, file.rows))
        };
        self.files.into_iter().map(finished).collect()
    }
}

impl RowFile {
    fn make(table: &Table, target: Target<'_>) -> Result<Self, DumpError> {
        let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        let name: String = table.name.chars().map(|letter| if fits(letter) { letter } else { '_' }).collect();
        let path = target.directory.join(format!("{name}.jsonl"));
        if path.exists() && !target.overwrite {
            return Err(DumpError::Exists(path));
        }
        let failed = |error| DumpError::Write { path: path.clone(), error };
        let out = BufWriter::new(File::create(&path).map_err(failed)?);
        Ok(Self { path, out, rows: 0, line: String::new() })
    }
}

/// Adds a value as JSON has it; false when it is none, because it is not UTF-8.
fn push_value(value: Option<&[u8]>, value_type: ValueType, dialect: Dialect, line: &mut String) -> bool {
    match (value, value_type) {
        (None, _) => line.push_str("null"),
        (Some(bytes), ValueType::Bytes) => {
            // As PostgreSQL writes bytes: `\x` and two digits for each.
            let digits = bytes.strip_prefix(b"\\x").filter(|_| dialect == Dialect::Postgres);
            let digits = digits.and_then(hex_bytes);
            push_text(&bytes_text::to_text(digits.as_deref().unwrap_or(bytes)), line);
        }
        (Some(bytes), _) => match std::str::from_utf8(bytes) {
            Ok(text) => push_text(text, line),
            Err(_) => return false,
        },
    }
    true
}

fn push_text(text: &str, line: &mut String) {
    line.push('"');
    for letter in text.chars() {
        match letter {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            control if control < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(line, "\\u{:04x}", u32::from(control));
            }
            letter => line.push(letter),
        }
    }
    line.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_not_an_empty_text() {
        let written = |value: Option<&[u8]>, value_type| {
            let mut line = String::new();
            assert!(push_value(value, value_type, Dialect::MySql, &mut line));
            line
        };
        assert_eq!(written(None, ValueType::String), "null");
        assert_eq!(written(Some(b""), ValueType::String), "\"\"");
        assert_eq!(written(Some(b"a\"\\\n\x01"), ValueType::String), r#""a\"\\\n\u0001""#);
        assert_eq!(written(Some(b"\xFF"), ValueType::Bytes), r#""\\xFF""#);
        assert!(!push_value(Some(b"\xFF"), ValueType::String, Dialect::MySql, &mut String::new()));
    }

    #[test]
    fn bytes_are_those_that_the_database_had() {
        let mut line = String::new();
        assert!(push_value(Some(b"\\x61fF"), ValueType::Bytes, Dialect::Postgres, &mut line));
        assert!(push_value(Some(b"\\x61"), ValueType::Bytes, Dialect::MySql, &mut line));
        assert_eq!(line, r#""a\\xFF""\\x5Cx61""#);
    }
}
