//! Writes the rows of a dump to files of JSON lines, one a table: CSV cannot tell an empty text from null.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tablesmith_model::bytes_text;
use tablesmith_model::value::ValueType;
use tablesmith_model::workload::Table;
use tablesmith_sql::{DeclaredColumn, Dialect, InsertedValue, Notation, hex_bytes};

use super::schema::DumpTable;
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

    /// Adds a row of a table, or of a part of it; the inner error says why it does not fit.
    pub fn add(
        &mut self,
        (whole, part): (&DumpTable, &DumpTable),
        columns: &[String],
        values: &[InsertedValue<'_>],
    ) -> Result<Result<(), String>, DumpError> {
        let all: Vec<&str> = match columns {
            // Some databases leave out what they compute, others do not.
            [] if values.len() == part.columns.len() => names(part, |_| true),
            [] => names(part, |column| !column.is_computed),
            columns => columns.iter().map(String::as_str).collect(),
        };
        if values.len() != all.len() {
            let (name, wanted) = (&part.table.name, all.len());
            return Ok(Err(format!("a row of {name:?} has {} values, not {wanted}", values.len())));
        }
        whole.has_rows.set(true);
        let dialect = self.dialect;
        let file = self.file(&whole.table)?;
        file.line.clear();
        let kept = whole.columns.iter().zip(&whole.names).filter(|(column, _)| !column.is_computed);
        for (place, (column, name)) in kept.enumerate() {
            let exact = all.iter().position(|name| *name == column.name);
            let at = exact.or_else(|| all.iter().position(|name| name.eq_ignore_ascii_case(&column.name)));
            let value = at.and_then(|at| values.get(at)).and_then(Option::as_deref);
            file.line.push(if place == 0 { '{' } else { ',' });
            push_text(name, &mut file.line);
            file.line.push(':');
            if !push_value(value, column, dialect, &mut file.line) {
                return Ok(Err(format!(
                    "a value of {name:?} in {:?} is not UTF-8: dump the database in UTF-8",
                    part.table.name
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
            let taken = |path: &Path| self.files.values().any(|file| file.path == path);
            let file = RowFile::make(table, self.target, taken)?;
            self.files.insert(table.name.clone(), file);
        }
        let missing =
            || DumpError::Write { path: PathBuf::from(&table.name), error: io::ErrorKind::NotFound.into() };
        self.files.get_mut(&table.name).ok_or_else(missing)
    }

    /// Writes what is left: the table, the file and its rows. A file without any goes.
    pub fn finish(self) -> Result<Vec<(String, PathBuf, u64)>, DumpError> {
        let finished = |(table, mut file): (String, RowFile)| {
            let written = file.out.flush();
            let written =
                written.and_then(|()| if file.rows == 0 { fs::remove_file(&file.path) } else { Ok(()) });
            written.map_err(|error| DumpError::Write { path: file.path.clone(), error })?;
            Ok((table, file.path, file.rows))
        };
        let files: Result<Vec<_>, _> = self.files.into_iter().map(finished).collect();
        Ok(files?.into_iter().filter(|(_, _, rows)| *rows > 0).collect())
    }
}

impl RowFile {
    fn make(table: &Table, target: Target<'_>, taken: impl Fn(&Path) -> bool) -> Result<Self, DumpError> {
        let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        let name: String = table.name.chars().map(|letter| if fits(letter) { letter } else { '_' }).collect();
        let named = std::iter::once(name.clone()).chain((2_u32..).map(|number| format!("{name}_{number}")));
        let mut paths = named.map(|name| target.directory.join(format!("{name}.jsonl")));
        let path = paths.find(|path| !taken(path)).unwrap_or_default();
        if path.exists() && !target.overwrite {
            return Err(DumpError::Exists(path));
        }
        let failed = |error| DumpError::Write { path: path.clone(), error };
        let out = BufWriter::new(File::create(&path).map_err(failed)?);
        Ok(Self { path, out, rows: 0, line: String::new() })
    }
}

/// The names of a table's columns, of those that are wanted.
fn names(table: &DumpTable, wanted: impl Fn(&DeclaredColumn) -> bool) -> Vec<&str> {
    table.columns.iter().filter(|column| wanted(column)).map(|column| column.name.as_str()).collect()
}

/// Adds a value as JSON has it; false when it is none, because it is not UTF-8.
fn push_value(value: Option<&[u8]>, column: &DeclaredColumn, dialect: Dialect, line: &mut String) -> bool {
    let Some(bytes) = value else {
        line.push_str("null");
        return true;
    };
    match (column.notation, column.value_type) {
        (Notation::Bytea, _) => {
            let digits = bytes.strip_prefix(b"\\x").and_then(hex_bytes);
            push_text(&bytes_text::to_text(&digits.unwrap_or_else(|| octal_bytes(bytes))), line);
        }
        (Notation::Bits, value_type) => match bits(bytes) {
            Some(number) if value_type == ValueType::Bool => push_text(&(number != 0).to_string(), line),
            Some(number) => push_text(&number.to_string(), line),
            None => return false,
        },
        (_, ValueType::Bytes) => push_text(&bytes_text::to_text(bytes), line),
        (_, value_type) => match std::str::from_utf8(bytes) {
            Ok(text) if value_type == ValueType::Decimal && dialect == Dialect::Sqlite => {
                push_text(&shortest(text), line);
            }
            // What SQLite takes for a number that is too great to be one.
            Ok("1e999" | "9.0e+999") if value_type == ValueType::Float => push_text("inf", line),
            Ok("-1e999" | "-9.0e+999") if value_type == ValueType::Float => push_text("-inf", line),
            Ok(text) => push_text(text, line),
            Err(_) => return false,
        },
    }
    true
}

/// Bytes as PostgreSQL wrote them before it had hexadecimal digits: `\336`, and `\\` for a backslash.
fn octal_bytes(text: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some((first, behind)) = rest.split_first() {
        let octal = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok();
        let (byte, after) = match (first, behind) {
            (b'\\', [b'\\', after @ ..]) => (b'\\', after),
            (b'\\', [one, two, three, after @ ..]) => match octal(&[*one, *two, *three]) {
                Some(byte) => (byte, after),
                None => (b'\\', behind),
            },
            _ => (*first, behind),
        };
        bytes.push(byte);
        rest = after;
    }
    bytes
}

/// The number whose bytes a dump of MySQL has, or its digits.
fn bits(bytes: &[u8]) -> Option<u64> {
    let digits =
        std::str::from_utf8(bytes).ok().filter(|text| text.len() > 1).and_then(|text| text.parse().ok());
    digits.or_else(|| {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let rest = bytes.get(zeros..).unwrap_or_default();
        (rest.len() <= 8).then(|| rest.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    })
}

/// SQLite keeps decimals as floating-point numbers and dumps all their digits: the shortest text of the same number is what
/// was given to it.
fn shortest(text: &str) -> Cow<'_, str> {
    match text.parse::<f64>() {
        Ok(number) if text.contains('.') && number.is_finite() => Cow::Owned(number.to_string()),
        _ => Cow::Borrowed(text),
    }
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

    fn column(value_type: ValueType, notation: Notation) -> DeclaredColumn {
        DeclaredColumn { name: "c".into(), value_type, notation, is_nullable: true, is_computed: false }
    }

    fn written(value: Option<&[u8]>, column: &DeclaredColumn, dialect: Dialect) -> String {
        let mut line = String::new();
        assert!(push_value(value, column, dialect, &mut line));
        line
    }

    #[test]
    fn null_is_not_an_empty_text() {
        let text = column(ValueType::String, Notation::Plain);
        assert_eq!(written(None, &text, Dialect::MySql), "null");
        assert_eq!(written(Some(b""), &text, Dialect::MySql), "\"\"");
        assert_eq!(written(Some(b"a\"\\\n\x01"), &text, Dialect::MySql), r#""a\"\\\n\u0001""#);
        assert!(!push_value(Some(b"\xFF"), &text, Dialect::MySql, &mut String::new()));
    }

    #[test]
    fn bytes_are_those_that_the_database_had() {
        let (bytes, bytea) =
            (column(ValueType::Bytes, Notation::Plain), column(ValueType::Bytes, Notation::Bytea));
        assert_eq!(written(Some(b"\xFF"), &bytes, Dialect::MySql), r#""\\xFF""#);
        assert_eq!(written(Some(b"\\x61fF"), &bytea, Dialect::Generic), r#""a\\xFF""#);
        assert_eq!(written(Some(br"a\336\\b\"), &bytea, Dialect::Postgres), r#""a\\xDE\\x5Cb\\x5C""#);
        assert_eq!(written(Some(b"\\x61"), &bytes, Dialect::MySql), r#""\\x5Cx61""#);
    }

    #[test]
    fn bits_are_truths_or_numbers() {
        let (bit, more) = (column(ValueType::Bool, Notation::Bits), column(ValueType::Int, Notation::Bits));
        assert_eq!(written(Some(b"\x01"), &bit, Dialect::MySql), "\"true\"");
        assert_eq!(written(Some(b"\0"), &bit, Dialect::MySql), "\"false\"");
        assert_eq!(written(Some(&[0, 0, 0, 0, 0, 0, 0, 1]), &bit, Dialect::MySql), "\"true\"");
        assert_eq!(written(Some(b"\xC8"), &more, Dialect::MySql), "\"200\"");
    }

    #[test]
    fn decimals_of_sqlite_are_what_was_given_to_it() {
        let decimal = column(ValueType::Decimal, Notation::Plain);
        assert_eq!(written(Some(b"19.989999999999998436"), &decimal, Dialect::Sqlite), "\"19.99\"");
        assert_eq!(
            written(Some(b"19.989999999999998436"), &decimal, Dialect::Postgres),
            "\"19.989999999999998436\""
        );
        assert_eq!(
            written(Some(b"12345678901234567890"), &decimal, Dialect::Sqlite),
            "\"12345678901234567890\""
        );
    }
}
