//! A reading position in a script.

/// The bytes of a script and how far they are read.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Reads `text` from byte `at` on.
    pub fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// How many bytes are read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next byte, without reading it.
    pub fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    /// The byte `ahead` bytes after the next one.
    pub fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at.saturating_add(ahead)).copied()
    }

    /// Reads a byte.
    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Reads `text` if it comes next.
    pub fn eat(&mut self, text: &[u8]) -> bool {
        let found = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(text));
        if found {
            self.at += text.len();
        }
        found
    }

    /// Reads bytes as long as they are wanted.
    pub fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// The text from byte `start` up to here.
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The character that comes next, for messages.
    pub fn next_character(&self) -> char {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let longest = rest.get(..rest.len().min(4)).unwrap_or_default();
        String::from_utf8_lossy(longest).chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}
