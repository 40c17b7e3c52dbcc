//! Where something stands in a script: byte ranges, and the line and column that people count.

use std::fmt;

use tablesmith_model::bytes_text::printable;

/// A range of bytes of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// From the beginning of this range to the end of another.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A place with its line, so that a message can show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// The text of that line.
    pub text: String,
}

impl Place {
    /// The line as a terminal can show it, and below it a caret under the place. Of a long line only the surroundings are
    /// shown.
    pub fn picture(&self) -> String {
        const BEFORE: usize = 60;
        const AFTER: usize = 40;
        let skipped = (self.column - 1).saturating_sub(BEFORE);
        let left = self.column - 1 - skipped;
        // A tab is as wide as the terminal likes, and the caret has to know.
        let shown = self.text.chars().skip(skipped).map(|letter| if letter == '\t' { ' ' } else { letter });
        // The place can be behind the last letter: blanks at the end of the line are not part of its text.
        let before: String = shown.clone().chain(std::iter::repeat(' ')).take(left).collect();
        let after: String = shown.skip(left).take(BEFORE + AFTER - left).collect();
        let (before, after) = (printable(&before), printable(&after));
        let indent = " ".repeat(before.chars().count());
        let line = format!("{before}{after}");
        format!("  {}\n  {indent}^", line.trim_end())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Finds places in a script from its beginning to its end, so that a long script full of mistakes is not counted
/// through again for each of them.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    script: &'a [u8],
    counted_bytes: usize,
    newlines: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a script.
    pub fn new(script: &'a [u8]) -> Self {
        Self { script, counted_bytes: 0, newlines: 0 }
    }

    /// The place of byte `at`.
    pub fn place(&mut self, at: usize) -> Place {
        if at < self.counted_bytes {
            (self.counted_bytes, self.newlines) = (0, 0);
        }
        let passed = self.script.get(self.counted_bytes..at).unwrap_or_default();
        self.newlines += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.counted_bytes = at;
        let before = self.script.get(..at).unwrap_or(self.script);
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let rest = self.script.get(line_start..).unwrap_or_default();
        let line_bytes = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let column_bytes = before.get(line_start..).unwrap_or_default();
        Place {
            line: 1 + self.newlines,
            column: 1 + String::from_utf8_lossy(column_bytes).chars().count(),
            text: String::from_utf8_lossy(line_bytes).trim_end().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let script = "list\nget 'ä', x\n".as_bytes();
        let at = script.iter().position(|&byte| byte == b'x').unwrap();
        let mut lines = Lines::new(script);
        let end = lines.place(script.len());
        assert_eq!((end.line, end.column, end.text.as_str()), (3, 1, ""));
        let place = lines.place(at);
        assert_eq!((place.line, place.column), (2, 10));
        assert_eq!(place.picture(), "  get 'ä', x\n           ^");
        assert_eq!(lines.place(script.len()), end);
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let script = [b'a'; 500];
        let picture = Lines::new(&script).place(300).picture();
        assert_eq!(picture.lines().next().map(str::len), Some(2 + 100));
        assert_eq!(picture.lines().nth(1).map(str::len), Some(2 + 61));
    }
}
