//! A window over a file that is read once, from its beginning to its end.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter};

/// What is read at a time.
const BLOCK_BYTES: usize = 1024 * 1024;

/// The window never grows beyond this: a longer line or statement is cut.
pub(super) const RECORD_BYTES_MAX: usize = 16 * 1024 * 1024;

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
}

impl<'p, R: Read> Input<'p, R> {
    /// Begins to read; a byte order mark is passed over.
    pub fn new(source: R, progress: &'p mut dyn FnMut(u64)) -> io::Result<Self> {
        let mut input = Self {
            source,
            buffer: Vec::new(),
            start: 0,
            is_over: false,
            bytes_read: 0,
            line: 1,
            is_inside_line: false,
            progress,
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

    /// The number of the line at which the window begins.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Whether the file has nothing after the window.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the window is as large as it may become.
    pub fn is_full(&self) -> bool {
        self.window().len() >= RECORD_BYTES_MAX
    }

    /// Reads on. A window that could not be used grows by half at least, so that looking at it again and again costs
    /// no more than a few times its size.
    pub fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let wanted = BLOCK_BYTES.max(self.buffer.len() / 2);
        let before = self.buffer.len();
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

    /// The length of the window's first line without what ends it, and with it. `None` at the end of the file. A line
    /// longer than the window may become is cut.
    pub fn line_lengths(&mut self) -> io::Result<Option<(usize, usize)>> {
        let mut searched = 0;
        loop {
            let window = self.window();
            let found = memchr(b'\n', window.get(searched..).unwrap_or_default()).map(|at| searched + at);
            searched = window.len();
            let (length, full) = match found {
                Some(at) => (at, at + 1),
                None if self.is_over || self.is_full() => (searched, searched),
                None => {
                    self.fill()?;
                    continue;
                }
            };
            let has_return = length.checked_sub(1).and_then(|at| self.window().get(at)) == Some(&b'\r');
            return Ok((full > 0).then_some((length - usize::from(has_return), full)));
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
