//! A window over a file that is read once, from its beginning to its end.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter};
use tablesmith_sql::{Dialect, Skipped, StatementSkipper};

/// What is read at a time.
const BLOCK_BYTES: usize = 1024 * 1024;

/// The longest line, record or statement that is held by default. A longer one is passed over to its end, never cut: its
/// beginning would be another statement.
pub(crate) const RECORD_BYTES_MAX: usize = 16 * 1024 * 1024;

/// As much is kept of something too long, to show how it begins.
pub(super) const BEGINNING_BYTES: usize = 1024;

/// The first line of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstLine {
    /// It has `length` bytes without what ends it, `full` with it.
    Whole { length: usize, full: usize },
    /// It does not end within the window, which is full.
    TooLong,
    /// There is none: the file is over.
    Over,
}

/// The part of a file between what has been dealt with and what has been read.
pub(crate) struct Input<'p, R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    is_over: bool,
    bytes_read: u64,
    line: u64,
    /// What was left behind last does not end a line.
    is_inside_line: bool,
    progress: &'p mut dyn FnMut(u64),
    record_bytes_max: usize,
}

impl<'p, R: Read> Input<'p, R> {
    /// Begins to read; a byte order mark is passed over. Nothing longer than `record_bytes_max` is held.
    pub fn new(source: R, record_bytes_max: usize, progress: &'p mut dyn FnMut(u64)) -> io::Result<Self> {
        let mut input = Self {
            source,
            buffer: Vec::new(),
            start: 0,
            is_over: false,
            bytes_read: 0,
            line: 1,
            is_inside_line: false,
            progress,
            record_bytes_max,
        };
        input.fill()?;
        if input.window().starts_with(&[0xEF, 0xBB, 0xBF]) {
            input.consume(3);
            input.is_inside_line = false;
        }
        Ok(input)
    }

    /// What has been read and not been dealt with.
    pub fn window(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// The first bytes of the window, as many as are shown of what cannot be used.
    pub fn beginning(&self) -> &[u8] {
        let window = self.window();
        window.get(..window.len().min(BEGINNING_BYTES)).unwrap_or_default()
    }

    /// The number of the line at which the window begins.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Whether the file has nothing after the window.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The longest line, record or statement that is held.
    pub fn record_bytes_max(&self) -> usize {
        self.record_bytes_max
    }

    /// Whether the window is as large as it may become: what does not end in it is too long.
    pub fn is_full(&self) -> bool {
        self.window().len() > self.record_bytes_max
    }

    /// Reads on. A window that could not be used grows by half at least, so that looking at it again and again costs
    /// no more than a few times its size.
    pub fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let before = self.buffer.len();
        // One byte more than fits shows that something is too long.
        let room = self.record_bytes_max.saturating_add(1).checked_sub(before).filter(|room| *room > 0);
        let wanted = BLOCK_BYTES.max(before / 2).min(room.unwrap_or(BLOCK_BYTES));
        self.source.by_ref().take(wanted as u64).read_to_end(&mut self.buffer)?;
        let added = self.buffer.len() - before;
        self.is_over = added < wanted;
        self.bytes_read += added as u64;
        (self.progress)(self.bytes_read);
        Ok(())
    }

    /// Leaves so many bytes of the window behind.
    pub fn consume(&mut self, bytes: usize) {
        let end = (self.start + bytes).min(self.buffer.len());
        let passed = self.buffer.get(self.start..end).unwrap_or_default();
        self.line += memchr_iter(b'\n', passed).count() as u64;
        self.is_inside_line = passed.last().map_or(self.is_inside_line, |byte| *byte != b'\n');
        self.start = end;
    }

    /// Finds the end of the window's first line.
    pub fn first_line(&mut self) -> io::Result<FirstLine> {
        let mut searched = 0;
        loop {
            let window = self.window();
            let found = memchr(b'\n', window.get(searched..).unwrap_or_default()).map(|at| searched + at);
            searched = window.len();
            let (length, full) = match found {
                Some(at) => (at, at + 1),
                None if self.is_over => (searched, searched),
                None if self.is_full() => return Ok(FirstLine::TooLong),
                None => {
                    self.fill()?;
                    continue;
                }
            };
            if full == 0 {
                return Ok(FirstLine::Over);
            }
            let has_return = length.checked_sub(1).and_then(|at| self.window().get(at)) == Some(&b'\r');
            return Ok(FirstLine::Whole { length: length - usize::from(has_return), full });
        }
    }

    /// Leaves the first line behind, however long it is: the number of its bytes.
    pub fn skip_line(&mut self) -> io::Result<u64> {
        let mut bytes = 0;
        loop {
            let window = self.window();
            let found = memchr(b'\n', window).map(|at| at + 1);
            let passed = found.unwrap_or(window.len());
            self.consume(passed);
            bytes += passed as u64;
            if found.is_some() || self.is_over {
                return Ok(bytes);
            }
            self.fill()?;
        }
    }

    /// Leaves the statement behind at which the window begins, however long it is: the number of its bytes.
    pub fn skip_statement(&mut self, dialect: Dialect) -> io::Result<u64> {
        let mut skipper = StatementSkipper::new(dialect);
        let mut bytes = 0;
        loop {
            let skipped = skipper.see(self.window(), self.is_over);
            let (Skipped::More(passed) | Skipped::End(passed)) = skipped;
            self.consume(passed);
            bytes += passed as u64;
            if self.is_over || matches!(skipped, Skipped::End(_)) {
                return Ok(bytes);
            }
            self.fill()?;
        }
    }

    /// Lines read so far.
    pub fn lines(&self) -> u64 {
        self.line - 1 + u64::from(self.is_inside_line)
    }

    /// The beginning of the window, for looking at what the file is.
    pub fn sample(&self) -> &[u8] {
        let window = self.window();
        window.get(..window.len().min(BLOCK_BYTES / 4)).unwrap_or_default()
    }
}
