//! Points at a place in a file, as rustc does: the line itself, carets under the place, and what is expected there.

use std::fmt::Display;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

/// So many characters wide is a drawing; longer lines are cut around the place.
const WIDTH: usize = 120;

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
    /// The line itself; it is not drawn when it is empty.
    pub text: &'a str,
    /// What is wrong.
    pub message: &'a str,
    /// What is expected there; may be empty.
    pub expected: &'a str,
}

impl Pointer<'_> {
    /// The message with the line and carets under the place. Nothing in it is for a terminal to obey.
    pub fn draw(&self) -> String {
        let path = self.path.to_string();
        let number = |number: u64| usize::try_from(number.min(u32::MAX.into())).unwrap_or_default();
        let expected = (!self.expected.is_empty()).then(|| format!("expected {}", self.expected));
        // Who prints it says that it is an error.
        let group = Group::with_title(Level::ERROR.no_name().primary_title(self.message));
        let text = self.line_text();
        let group = if text.is_empty() {
            let origin = Origin::path(path).line(number(self.line)).char_column(number(self.column));
            let group = group.element(origin);
            group.elements(expected.map(|expected| Level::HELP.no_name().message(expected)))
        } else {
            let place = AnnotationKind::Primary.span(self.span(text)).label(expected);
            group.element(Snippet::source(text).line_start(number(self.line)).path(path).annotation(place))
        };
        Renderer::plain().term_width(WIDTH).render(&[group])
    }

    /// What is drawn of the line: without its end, and only one. Nothing where the place is not in it.
    fn line_text(&self) -> &str {
        let line = self.text.lines().next().unwrap_or_default().trim_end();
        let is_in_line = self.column.saturating_sub(1) <= line.chars().count() as u64;
        if is_in_line { line } else { "" }
    }

    /// The bytes of the line that it is about: at least one character, or the end of the line.
    fn span(&self, line: &str) -> Range<usize> {
        let before = usize::try_from(self.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let byte = |at: usize| line.char_indices().nth(at).map_or(line.len(), |(byte, _)| byte);
        byte(before)..byte(before.saturating_add(self.width.max(1)))
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
            "no such column\n --> w.toml:7:8\n  |\n7 | key = [\"x\"]\n  |        ^^^ expected one of a, b"
        );
        assert_eq!(pointer("", 1, 1).draw(), "no such column\n--> w.toml:7:1\n = expected one of a, b");
        let at_end = pointer("a,b", 4, 1).draw();
        assert!(at_end.ends_with(" --> w.toml:7:4\n  |\n7 | a,b\n  |    ^ expected one of a, b"), "{at_end}");
        assert_eq!(pointer("a,b", 9, 1).draw(), pointer("", 9, 1).draw(), "the place is not in the line");
    }

    #[test]
    fn no_place_is_too_odd() {
        for text in ["a,b", "a\nb", "a\r\n", " ", "\n", "\u{301}"] {
            for (line, column, width) in [(0, 0, 0), (1, 2, 0), (u64::MAX, u64::MAX, usize::MAX)] {
                let drawn = Pointer { line, ..pointer(text, column, width) }.draw();
                assert!(
                    drawn.contains("no such column") && drawn.contains("expected one of a, b"),
                    "{drawn}"
                );
            }
        }
    }

    #[test]
    fn tabs_and_wide_places_keep_the_caret_in_line() {
        let drawn = pointer("\tkey\t= 1", 2, 500).draw();
        assert!(drawn.contains("7 |     key    = 1\n  |     ^^^^^^^^^^ expected"), "{drawn}");
        let drawn = pointer("漢字 = x", 6, 1).draw();
        assert!(drawn.contains("7 | 漢字 = x\n  |        ^ expected"), "{drawn}");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}HERE{}", "a".repeat(500), "b".repeat(500));
        let drawn = pointer(&line, 501, 4).draw();
        let lines: Vec<&str> = drawn.lines().collect();
        let at = lines[3].chars().position(|character| character == 'H').unwrap();
        assert_eq!(lines[4].chars().position(|character| character == '^'), Some(at), "{drawn}");
        assert!(lines[3].chars().count() <= WIDTH && lines[3].ends_with("..."), "{drawn}");
    }

    #[test]
    fn a_drawing_has_nothing_that_a_terminal_obeys() {
        let hostile =
            Pointer { message: "no \u{1b}[2J", ..pointer("a\u{1b}]0;owned\u{7}\u{202e} = 1", 2, 3) };
        let drawn = hostile.draw();
        assert!(!drawn.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{drawn:?}");
    }
}
