//! What is wrong in a file that a person edits, and where.
//!
//! `workload.toml` and `design.toml` are read to the end before anything is refused, so that all problems of a file
//! are told at once. Each one says which bytes it is about and what is expected there; the command line adds the
//! file's name.

use std::fmt;
use std::ops::Range;

/// One thing that is wrong in a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the text that it is about.
    pub span: Range<usize>,
    /// The line where the span begins, from 1.
    pub line: usize,
    /// The character of that line where the span begins, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What is expected there; empty when the message says it all.
    pub expected: String,
}

impl Problem {
    /// A problem with the bytes `span` of `text`. A span beyond the text is drawn back to its end.
    pub fn at(
        text: &str,
        span: Range<usize>,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        let start = boundary_before(text, span.start);
        let end = boundary_before(text, span.end).max(start);
        let before = text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
        let column = before.get(line_start..).unwrap_or_default().chars().count().saturating_add(1);
        let line = before.matches('\n').count().saturating_add(1);
        Self { span: start..end, line, column, message: message.into(), expected: expected.into() }
    }
}

/// The last place at or before `at` where a character of `text` begins or the text ends.
fn boundary_before(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at = at.saturating_sub(1);
    }
    at
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)?;
        if !self.expected.is_empty() {
            write!(f, "; expected {}", self.expected)?;
        }
        Ok(())
    }
}

/// Problems one after the other, a line each: what the error of a whole file prints.
pub fn list(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = "a = 1\nß = \"ü\"\n";
        let at = text.find('"').unwrap();
        let problem = Problem::at(text, at..at + 4, "\"ü\" is a string", "a whole number");
        assert_eq!((problem.line, problem.column), (2, 5));
        assert_eq!(problem.to_string(), "line 2, column 5: \"ü\" is a string; expected a whole number");
        assert_eq!(Problem::at(text, 0..1, "bad", "").to_string(), "line 1, column 1: bad");
    }

    #[test]
    fn a_span_outside_the_text_is_drawn_back() {
        assert_eq!(Problem::at("äb", 1..90, "x", "").span, 0..3);
        assert_eq!(Problem::at("", 7..9, "x", "").span, 0..0);
    }
}
