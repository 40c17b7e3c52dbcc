//! Points at a place in a file: the line itself, a caret under the place, and what is expected there.

use std::fmt::{Display, Write};

/// So much of a line is shown.
const SHOWN: usize = 100;
/// So much of a long line stands before the place.
const BEFORE: usize = 60;

/// A place in a text file, and what is wrong there.
pub struct Pointer<'a> {
    /// The file.
    pub path: &'a dyn Display,
    /// The line, from 1.
    pub line: u64,
    /// The character of the line, from 1.
    pub column: u64,
    /// How many characters it is about.
    pub width: usize,
    /// The line itself; nothing is drawn when it is empty.
    pub text: &'a str,
    /// What is wrong.
    pub message: &'a str,
    /// What is expected there; may be empty.
    pub expected: &'a str,
}

impl Pointer<'_> {
    /// The message with the line and a caret under the place.
    pub fn draw(&self) -> String {
        let Self { path, line, column, message, expected, .. } = self;
        let mut drawn = format!("{path}:{line}:{column}: {message}");
        let expected = if expected.is_empty() { String::new() } else { format!("expected {expected}") };
        if self.text.trim().is_empty() {
            let separator = if expected.is_empty() { "" } else { "; " };
            return drawn + separator + &expected;
        }
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let (text, before) = self.window();
        let left = text.chars().count().saturating_sub(before).max(1);
        let carets = "^".repeat(self.width.clamp(1, left));
        // Writing to a string cannot fail.
        let _ = write!(
            drawn,
            "\n {margin} |\n {number} | {text}\n {margin} | {}{carets} {expected}",
            " ".repeat(before)
        );
        drawn.trim_end().to_owned()
    }

    /// The part of the line that is shown, and how many characters of it stand before the place.
    fn window(&self) -> (String, usize) {
        let before = usize::try_from(self.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = if before > SHOWN { before.saturating_sub(BEFORE) } else { 0 };
        let line = self.text.trim_end();
        let visible = |character: char| if character.is_control() { ' ' } else { character };
        let shown: String = line.chars().skip(start).take(SHOWN).map(visible).collect();
        let head = if start > 0 { "…" } else { "" };
        let tail = if line.chars().count() > start.saturating_add(SHOWN) { "…" } else { "" };
        (format!("{head}{shown}{tail}"), before.saturating_sub(start) + head.chars().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointer<'a>(text: &'a str, column: u64, width: usize) -> Pointer<'a> {
        Pointer {
            path: &"w.toml",
            line: 7,
            column,
            width,
            text,
            message: "no such column",
            expected: "one of a, b",
        }
    }

    #[test]
    fn the_caret_stands_under_the_place() {
        assert_eq!(
            pointer("key = [\"x\"]\r\n", 8, 3).draw(),
            "w.toml:7:8: no such column\n   |\n 7 | key = [\"x\"]\n   |        ^^^ expected one of a, b"
        );
        assert_eq!(pointer("", 1, 1).draw(), "w.toml:7:1: no such column; expected one of a, b");
    }

    #[test]
    fn tabs_and_wide_places_keep_the_caret_in_line() {
        let drawn = pointer("\tkey\t= 1", 2, 500).draw();
        assert!(drawn.contains(" 7 |  key = 1\n   |  ^^^^^^^ expected"), "{drawn}");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}HERE{}", "a".repeat(500), "b".repeat(500));
        let drawn = pointer(&line, 501, 4).draw();
        let lines: Vec<&str> = drawn.lines().collect();
        let at = lines[2].chars().position(|character| character == 'H').unwrap();
        assert_eq!(lines[3].chars().position(|character| character == '^'), Some(at), "{drawn}");
        assert!(lines[2].chars().count() < 120 && lines[2].ends_with('…'), "{drawn}");
    }
}
