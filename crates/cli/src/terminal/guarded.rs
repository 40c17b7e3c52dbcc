//! A writer that escapes what a terminal would obey, all but our own colors.

use std::io::{self, Write};

use tablesmith_model::bytes_text::is_printable;

use super::style::mark;

/// Escapes control characters as `\u001b`, which is readable in text and what JSON calls the same character. Line ends
/// and tabs stay.
pub struct Guarded<W: Write> {
    inner: W,
    /// The beginning of a character or of a color that a write ended in the middle of.
    begun: Vec<u8>,
}

impl<W: Write> Guarded<W> {
    /// Guards a writer.
    pub fn new(inner: W) -> Self {
        Self { inner, begun: Vec::new() }
    }

    fn write_begun(&mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        self.inner.write_all(clean(&begun).as_bytes())
    }
}

impl<W: Write> Write for Guarded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() && bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
            self.inner.write_all(bytes)?;
            return Ok(bytes.len());
        }
        self.begun.extend_from_slice(bytes);
        let rest = self.begun.split_off(whole(&self.begun));
        let written = self.write_begun();
        self.begun = rest;
        written.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_begun()?;
        self.inner.flush()
    }
}

impl<W: Write> Drop for Guarded<W> {
    fn drop(&mut self) {
        // Who wants to know whether all is written has flushed.
        let _ = self.write_begun();
    }
}

/// How many bytes end with a whole character and a whole color.
fn whole(bytes: &[u8]) -> usize {
    let characters = match std::str::from_utf8(bytes) {
        Err(error) if bytes.len() - error.valid_up_to() < 4 && error.error_len().is_none() => {
            error.valid_up_to()
        }
        _ => bytes.len(),
    };
    match bytes.iter().rposition(|byte| *byte == b'\x1b') {
        Some(at) if is_begun_color(bytes.get(at..).unwrap_or_default()) => at,
        _ => characters,
    }
}

/// Whether bytes are the beginning of a color of our own, and not all of it.
fn is_begun_color(bytes: &[u8]) -> bool {
    let mark = mark().as_bytes();
    match bytes.strip_prefix(mark) {
        None => mark.starts_with(bytes),
        Some(body) => {
            matches!(body.strip_prefix(b"["), Some(numbers) if numbers.iter().all(is_number))
                || body.is_empty()
        }
    }
}

fn is_number(byte: &u8) -> bool {
    byte.is_ascii_digit() || *byte == b';'
}

/// The text without anything that a terminal would obey but our own colors.
fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut cleaned = String::with_capacity(text.len() + 16);
    let mut rest = &*text;
    while let Some(character) = rest.chars().next() {
        if let Some((color, after)) = color(rest) {
            cleaned.push('\u{1b}');
            cleaned.push_str(color);
            rest = after;
            continue;
        }
        if matches!(character, '\n' | '\t') || is_printable(character) {
            cleaned.push(character);
        } else {
            cleaned.push_str(&format!("\\u{:04x}", u32::from(character)));
        }
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
    }
    cleaned
}

/// A color of our own that a text begins with, without the mark, and the text after it.
fn color(text: &str) -> Option<(&str, &str)> {
    let body = text.strip_prefix(mark())?;
    let end = body.strip_prefix('[')?.find(|character: char| !is_number_character(character))? + 1;
    body.get(end..)?.starts_with('m').then(|| body.split_at_checked(end + 1))?
}

fn is_number_character(character: char) -> bool {
    character.is_ascii_digit() || character == ';'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::{AnsiColor, Style};

    /// What comes out when text is written in pieces of so many bytes.
    fn written(text: &str, piece: usize) -> String {
        let mut out = Vec::new();
        let mut guarded = Guarded::new(&mut out);
        text.as_bytes().chunks(piece).for_each(|piece| guarded.write_all(piece).unwrap());
        drop(guarded);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_terminal_obeys_nothing_that_comes_from_outside() {
        let hostile = "a\u{1b}]0;owned\u{7}\u{1b}[2Jb\u{7f}\u{9b}31m\r\u{202e}é漢🙂\n\tc\u{1b}";
        let harmless = "a\\u001b]0;owned\\u0007\\u001b[2Jb\\u007f\\u009b31m\\u000d\\u202eé漢🙂\n\tc\\u001b";
        for piece in 1..=hostile.len() {
            assert_eq!(written(hostile, piece), harmless, "in pieces of {piece} bytes");
        }
    }

    #[test]
    fn our_colors_stay_and_those_of_data_do_not() {
        let style = Style::color(AnsiColor::Red).bold();
        let text = format!("{style}error:{style:#} \u{1b}[31mred\u{1b}[0m");
        for piece in 1..=text.len() {
            assert_eq!(
                written(&text, piece),
                "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m \\u001b[31mred\\u001b[0m",
                "in pieces of {piece} bytes"
            );
        }
    }

    #[test]
    fn json_stays_what_it_says() {
        let said = "\u{85}\u{7f}\u{9b}\u{202e} and \u{1b}";
        let json = serde_json::json!({ "said": said }).to_string();
        let read: serde_json::Value = serde_json::from_str(&written(&json, 7)).unwrap();
        assert_eq!(read["said"], said);
    }

    #[test]
    fn bytes_that_are_no_text_are_not_obeyed() {
        let mut out = Vec::new();
        Guarded::new(&mut out).write_all(b"a\x9b31mb\xff").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}31mb\u{fffd}");
    }
}
