//! JSON lines: one object a line. Its keys are the columns, which may come up at any line; a key that is missing is no
//! value, and a nested value becomes its text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::ProfileError;
use super::super::error::Misfit;
use super::batch::Field;
use super::{BadLines, Batch, Kind, Source, beginning};

const BUFFER_BYTES: usize = 1 << 18;
/// A longer line is left out.
const LINE_BYTES: u64 = 1 << 24;
/// When so many lines do not fit and none does, the file has another shape.
const HOPELESS: u64 = 1_000;
/// More columns than this are no columns: keys are data here.
const MOST_COLUMNS: usize = 20_000;
const EXPECTED: &str = "one JSON object a line, as in {\"id\": 1, \"name\": \"a\"}";

/// A file of JSON lines.
pub struct JsonLines {
    path: PathBuf,
    file: BufReader<File>,
    line: Vec<u8>,
    line_number: u64,
    bytes: u64,
    total: u64,
    columns: Columns,
    rows: u64,
    bad_lines: BadLines,
    first_misfit: Option<Box<Misfit>>,
}

/// The columns that came up so far.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Columns {
    /// The place of a column. Most rows have their keys in the same order, so that the next one is tried first.
    fn place(&mut self, name: &str, next: usize) -> Option<usize> {
        if self.names.get(next).is_some_and(|at_next| at_next == name) {
            return Some(next);
        }
        if let Some(place) = self.places.get(name) {
            return Some(*place);
        }
        let place = self.names.len();
        if place >= MOST_COLUMNS {
            return None;
        }
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        Some(place)
    }
}

impl JsonLines {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, ProfileError> {
        let read = |error| ProfileError::Read { path: path.to_owned(), error };
        let file = File::open(path).map_err(read)?;
        let total = file.metadata().map_err(read)?.len();
        let mut json = Self {
            path: path.to_owned(),
            file: BufReader::with_capacity(BUFFER_BYTES, file),
            line: Vec::new(),
            line_number: 0,
            bytes: 0,
            total,
            columns: Columns::default(),
            rows: 0,
            bad_lines: BadLines::default(),
            first_misfit: None,
        };
        if json.file.fill_buf().map_err(read)?.starts_with(b"\xEF\xBB\xBF") {
            json.file.consume(3);
            json.bytes = 3;
        }
        Ok(json)
    }

    /// Reads a line; whether there was one. What is beyond the limit is skipped.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.line_number += 1;
        let read = self.file.by_ref().take(LINE_BYTES).read_until(b'\n', &mut self.line)? as u64;
        self.bytes += read;
        if read == LINE_BYTES && !self.line.ends_with(b"\n") {
            self.bytes += self.file.skip_until(b'\n')? as u64;
        }
        Ok(read > 0)
    }

    /// Adds the row of the present line to a batch, or says what is wrong with it and at which column.
    fn row(&mut self, batch: &mut Batch, fields: &mut Vec<Field>) -> Result<(), (String, usize)> {
        if self.line.len() as u64 >= LINE_BYTES {
            return Err((format!("this line is longer than {} MiB", LINE_BYTES >> 20), 1));
        }
        fields.clear();
        let mut deserializer = serde_json::Deserializer::from_slice(&self.line);
        let row = Row { columns: &mut self.columns, batch, fields };
        let read = row.deserialize(&mut deserializer).and_then(|()| deserializer.end());
        read.map_err(|error| {
            let text = error.to_string();
            let message = text.split(" at line ").next().unwrap_or_default();
            (format!("this is not a JSON object: {message}"), error.column().max(1))
        })
    }

    /// Notes a line that does not fit; an error when there is no hope for the file.
    fn bad_line(&mut self, message: String, column: usize) -> Result<(), ProfileError> {
        self.bad_lines.add(self.line_number, message.clone(), &self.line);
        if self.first_misfit.is_none() {
            let (line, text, expected) = (self.line_number, beginning(&self.line), EXPECTED.to_owned());
            let head = self.line.get(..column.saturating_sub(1)).unwrap_or_default();
            let column = String::from_utf8_lossy(head).chars().count() as u64 + 1;
            self.first_misfit = Some(Box::new(Misfit { line, column, text, message, expected }));
        }
        if self.rows == 0 && self.bad_lines.count >= HOPELESS { self.hopeless() } else { Ok(()) }
    }

    /// No line fits: what is wrong with the first one is what is wrong with the file.
    fn hopeless(&mut self) -> Result<(), ProfileError> {
        match self.first_misfit.take() {
            Some(misfit) => Err(ProfileError::Shape { path: self.path.clone(), misfit }),
            None => Ok(()),
        }
    }

    fn read_error(&self, error: io::Error) -> ProfileError {
        ProfileError::Read { path: self.path.clone(), error }
    }
}

impl Source for JsonLines {
    fn columns(&self) -> &[String] {
        &self.columns.names
    }

    fn next(&mut self) -> Result<Option<Batch>, ProfileError> {
        let mut batch = Batch::of_rows(self.columns.names.len());
        let mut fields = Vec::new();
        while !batch.is_full() {
            if !self.read_line().map_err(|error| self.read_error(error))? {
                break;
            }
            if self.line.trim_ascii().is_empty() {
                continue;
            }
            match self.row(&mut batch, &mut fields) {
                Ok(()) => {
                    batch.widen(self.columns.names.len());
                    batch.push(fields.iter().copied());
                    batch.begins_at(self.line_number);
                    self.rows += 1;
                }
                Err((message, column)) => self.bad_line(message, column)?,
            }
        }
        batch.close();
        if batch.rows() > 0 {
            return Ok(Some(batch));
        }
        if self.rows == 0 { self.hopeless().map(|()| None) } else { Ok(None) }
    }

    fn position(&self) -> (u64, u64) {
        (self.bytes, self.total)
    }

    fn bad_lines(&self) -> &BadLines {
        &self.bad_lines
    }
}

/// Reads an object into the fields of a row.
struct Row<'r> {
    columns: &'r mut Columns,
    batch: &'r mut Batch,
    fields: &'r mut Vec<Field>,
}

#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut next = 0;
        while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
            let Some(place) = self.columns.place(&name, next) else {
                return Err(serde::de::Error::custom(format!("more than {MOST_COLUMNS} different keys")));
            };
            next = place + 1;
            if self.fields.len() <= place {
                self.fields.resize(place + 1, Field::NULL);
            }
            let field = field(self.batch, value.get());
            if let Some(slot) = self.fields.get_mut(place) {
                *slot = field;
            }
        }
        Ok(())
    }
}

fn field(batch: &mut Batch, value: &str) -> Field {
    match value.as_bytes() {
        [b'n', ..] => Field::NULL,
        [b'"', inner @ .., b'"'] if !inner.contains(&b'\\') => batch.field(Kind::Quoted, inner),
        [b'"', ..] => {
            // It has been read as JSON once already, and is a string.
            let text: String = serde_json::from_str(value).unwrap_or_default();
            batch.field(Kind::Quoted, text.as_bytes())
        }
        [b'{' | b'[', ..] => batch.field(Kind::Quoted, value.as_bytes()),
        plain => batch.field(Kind::Plain, plain),
    }
}
