//! CSV: fields between delimiters, quotes, a header; records that do not fit are left out and told.
//!
//! Uses the state machine of the csv crate directly, because a quote that is never closed would make one record of the
//! rest of the file: a record that grows too long is given up, and reading goes on after its first line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use csv_core::{ReadRecordResult, Reader};

use super::super::ProfileError;
use super::super::error::Misfit;
use super::{BadLines, Batch, Source, beginning, header};

const BUFFER_BYTES: usize = 1 << 18;
const SAMPLE_BYTES: usize = 1 << 16;
/// A longer record has lost its closing quote.
const RECORD_BYTES: u64 = 1 << 24;
/// When so many lines do not fit and none does, the file has another shape.
const HOPELESS: u64 = 1_000;

/// A CSV file.
pub struct Csv {
    path: PathBuf,
    file: BufReader<File>,
    parser: Reader,
    delimiter: u8,
    names: Vec<String>,
    record: Record,
    rows: u64,
    bad_lines: BadLines,
    first_misfit: Option<Box<Misfit>>,
    total: u64,
}

/// One record: its fields, and where it stands.
#[derive(Default)]
struct Record {
    output: Vec<u8>,
    output_len: usize,
    ends: Vec<usize>,
    fields: usize,
    /// The first line, and where it begins in the file.
    line: u64,
    start: u64,
    /// Where the next record begins.
    end: u64,
    next_line: u64,
}

enum Step {
    Record,
    TooLong,
    /// The file ends inside its quotes.
    NeverCloses,
    End,
}

impl Csv {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, ProfileError> {
        let read = |error| ProfileError::Read { path: path.to_owned(), error };
        let file = File::open(path).map_err(read)?;
        let total = file.metadata().map_err(read)?.len();
        let mut file = BufReader::with_capacity(BUFFER_BYTES, file);
        let mut sample = Vec::new();
        file.by_ref().take(SAMPLE_BYTES as u64).read_to_end(&mut sample).map_err(read)?;
        let begins = if sample.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        file.seek(SeekFrom::Start(begins)).map_err(read)?;
        let sample = sample.get(begins as usize..).unwrap_or_default();
        let delimiter = header::delimiter(sample);
        let parser = parser(delimiter);
        let record = Record {
            output: vec![0; 4_096],
            ends: vec![0; 64],
            end: begins,
            next_line: 1,
            ..Record::default()
        };
        let mut csv = Self {
            path: path.to_owned(),
            file,
            parser,
            delimiter,
            names: Vec::new(),
            record,
            rows: 0,
            bad_lines: BadLines::default(),
            first_misfit: None,
            total,
        };
        csv.names = csv.header(delimiter)?;
        Ok(csv)
    }

    fn header(&mut self, delimiter: u8) -> Result<Vec<String>, ProfileError> {
        let step = self.step().map_err(|error| self.read_error(error))?;
        let line = self.line_of_record().map_err(|error| self.read_error(error))?;
        if !matches!(step, Step::Record) {
            let misfit = Misfit {
                line: self.record.line,
                column: 1,
                text: beginning(&line),
                message: "the header does not end: is a quote not closed?".to_owned(),
                expected: "a first line with the names of the columns".to_owned(),
            };
            return Err(self.shape(Box::new(misfit)));
        }
        let fields: Vec<&[u8]> = self.record.fields().collect();
        header::names(&fields, &line, delimiter).map_err(|mut misfit| {
            misfit.line = self.record.line;
            self.shape(misfit)
        })
    }

    /// Reads one record.
    fn step(&mut self) -> io::Result<Step> {
        self.skip_blank_lines()?;
        let record = &mut self.record;
        (record.output_len, record.fields) = (0, 0);
        (record.start, record.line) = (record.end, record.next_line);
        self.parser.set_line(record.line);
        loop {
            let input = self.file.fill_buf()?;
            let is_end = input.is_empty();
            let output = record.output.get_mut(record.output_len..).unwrap_or_default();
            let ends = record.ends.get_mut(record.fields..).unwrap_or_default();
            let (result, read, written, ended) = self.parser.read_record(input, output, ends);
            self.file.consume(read);
            record.end += read as u64;
            record.output_len += written;
            record.fields += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => record.output.resize(record.output.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => record.ends.resize(record.ends.len() * 2, 0),
                ReadRecordResult::Record => {
                    record.next_line = self.parser.line();
                    let never_closes = is_end && self.never_closes()?;
                    return Ok(if never_closes { Step::NeverCloses } else { Step::Record });
                }
                ReadRecordResult::End => return Ok(Step::End),
            }
            if record.end - record.start > RECORD_BYTES {
                return Ok(Step::TooLong);
            }
        }
    }

    /// Whether the last record of the file stands inside quotes: only then the end of a line does not end it.
    fn never_closes(&mut self) -> io::Result<bool> {
        let mut text = Vec::new();
        self.file.seek(SeekFrom::Start(self.record.start))?;
        self.file.by_ref().take(self.record.end - self.record.start).read_to_end(&mut text)?;
        text.push(b'\n');
        let (mut output, mut ends) = (vec![0; text.len()], vec![0; text.len() + 1]);
        let (result, ..) = parser(self.delimiter).read_record(&text, &mut output, &mut ends);
        Ok(!matches!(result, ReadRecordResult::Record))
    }

    /// The state machine skips blank lines itself, but then nobody knows in which line a record begins.
    fn skip_blank_lines(&mut self) -> io::Result<()> {
        loop {
            let blank = match self.file.fill_buf()? {
                [b'\n', ..] => 1,
                [b'\r', ..] => 0,
                _ => return Ok(()),
            };
            self.file.consume(1);
            self.record.end += 1;
            self.record.next_line += blank;
        }
    }

    /// The text of the first line of the record that was read last. Reading goes on where it was.
    fn line_of_record(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.file.seek(SeekFrom::Start(self.record.start))?;
        self.file.by_ref().take(SAMPLE_BYTES as u64).read_until(b'\n', &mut line)?;
        self.file.seek(SeekFrom::Start(self.record.end))?;
        Ok(line)
    }

    /// Goes on after the first line of a record that does not end.
    fn give_up_record(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.record.start))?;
        let skipped = self.file.skip_until(b'\n')? as u64;
        self.record.end = self.record.start + skipped;
        self.record.next_line = self.record.line + 1;
        self.parser = parser(self.delimiter);
        Ok(())
    }

    /// Notes a record that does not fit; an error when there is no hope for the file.
    fn bad_record(&mut self, message: String, expected: String) -> Result<(), ProfileError> {
        let shown = self.bad_lines.first.len() < BadLines::SHOWN;
        let line =
            if shown { self.line_of_record().map_err(|error| self.read_error(error))? } else { Vec::new() };
        self.bad_lines.add(self.record.line, message.clone(), &line);
        if self.first_misfit.is_none() {
            let column = String::from_utf8_lossy(&line).trim_end().chars().count() as u64 + 1;
            let text = beginning(&line);
            self.first_misfit =
                Some(Box::new(Misfit { line: self.record.line, column, text, message, expected }));
        }
        if self.rows == 0 && self.bad_lines.count >= HOPELESS { self.hopeless() } else { Ok(()) }
    }

    /// No line fits: what is wrong with the first one is what is wrong with the file.
    fn hopeless(&mut self) -> Result<(), ProfileError> {
        match self.first_misfit.take() {
            Some(misfit) => Err(self.shape(misfit)),
            None => Ok(()),
        }
    }

    fn shape(&self, misfit: Box<Misfit>) -> ProfileError {
        ProfileError::Shape { path: self.path.clone(), misfit }
    }

    fn read_error(&self, error: io::Error) -> ProfileError {
        ProfileError::Read { path: self.path.clone(), error }
    }
}

impl Record {
    fn fields(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self.ends.iter().take(self.fields);
        let starts = std::iter::once(&0).chain(ends.clone());
        starts.zip(ends).map(|(start, end)| self.output.get(*start..*end).unwrap_or_default())
    }
}

impl Source for Csv {
    fn columns(&self) -> &[String] {
        &self.names
    }

    fn next(&mut self) -> Result<Option<Batch>, ProfileError> {
        let mut batch = Batch::of_rows(self.names.len());
        while !batch.is_full() {
            match self.step().map_err(|error| self.read_error(error))? {
                Step::End => break,
                Step::TooLong => {
                    let message = format!("this record does not end within {} MiB", RECORD_BYTES >> 20);
                    self.bad_record(message, "a closing quote".to_owned())?;
                    self.give_up_record().map_err(|error| self.read_error(error))?;
                }
                Step::NeverCloses => {
                    self.bad_record(
                        "a quote is opened here and never closed".to_owned(),
                        "a closing quote".to_owned(),
                    )?;
                    self.give_up_record().map_err(|error| self.read_error(error))?;
                }
                Step::Record if self.record.fields == self.names.len() => {
                    batch.push_texts(self.record.fields());
                    batch.begins_at(self.record.line);
                    self.rows += 1;
                }
                Step::Record => {
                    let (fields, names) = (self.record.fields, self.names.len());
                    let message = format!("this line has {} where the header has {names}", counted(fields));
                    self.bad_record(message, format!("{} as in the header", counted(names)))?;
                }
            }
        }
        batch.close();
        if batch.rows() > 0 {
            return Ok(Some(batch));
        }
        if self.rows == 0 { self.hopeless().map(|()| None) } else { Ok(None) }
    }

    fn position(&self) -> (u64, u64) {
        (self.record.end, self.total)
    }

    fn bad_lines(&self) -> &BadLines {
        &self.bad_lines
    }
}

/// A parser at the beginning of a record. Resetting one is not enough: it would hand out an empty record first.
fn parser(delimiter: u8) -> Reader {
    csv_core::ReaderBuilder::new().delimiter(delimiter).build()
}

fn counted(fields: usize) -> String {
    if fields == 1 { "1 field".to_owned() } else { format!("{fields} fields") }
}
