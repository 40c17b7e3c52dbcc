//! CSV records over several lines, found so that one broken quotation does not swallow the rest of the file.

use std::io::{self, Read};

use memchr::memchr_iter;

use super::input::Input;

/// A record with more lines than this is a quotation that never ends.
const LINES_MAX: usize = 10_000;

/// The fields of a record, side by side.
#[derive(Debug, Default)]
pub(super) struct Fields {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Fields {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field; empty when there are fewer.
    pub fn get(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(at).copied().unwrap_or(start);
        self.text.get(start..end).unwrap_or_default()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Cuts a record into its fields. A quote inside a field that does not begin with one stands for itself.
    pub fn parse(&mut self, record: &[u8], delimiter: u8) {
        self.text.clear();
        self.ends.clear();
        let mut rest = record;
        loop {
            rest = match rest.split_first() {
                Some((b'"', quoted)) => self.quoted(quoted),
                _ => rest,
            };
            let end = memchr::memchr(delimiter, rest);
            let (plain, after) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, &[]));
            self.text.extend_from_slice(plain);
            self.ends.push(self.text.len());
            match after.split_first() {
                Some((_, after)) => rest = after,
                None => return,
            }
        }
    }

    /// Takes a quoted field, without its quotes, up to its end: what comes after it.
    fn quoted<'r>(&mut self, mut rest: &'r [u8]) -> &'r [u8] {
        loop {
            let end = memchr::memchr(b'"', rest).unwrap_or(rest.len());
            let (inner, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            self.text.extend_from_slice(inner);
            match after {
                [b'"', b'"', more @ ..] => {
                    self.text.push(b'"');
                    rest = more;
                }
                [_, more @ ..] => return more,
                [] => return after,
            }
        }
    }
}

/// How long the record at the beginning of the window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// So long without what ends it, and with it.
    Whole(usize, usize),
    /// Its quotation never ends: its first line is so long.
    Broken(usize),
    /// The file is over.
    Over,
}

/// Finds the end of the record at the beginning of the window. `begins` tells whether a line must be the beginning of
/// a record, even when a quotation seems to be open.
pub(super) fn length<R: Read>(
    input: &mut Input<'_, R>,
    begins: impl Fn(&[u8]) -> bool,
) -> io::Result<Length> {
    loop {
        let window = input.window();
        let is_last = input.is_over() || input.is_full();
        let (mut start, mut first_line, mut is_open, mut lines) = (0, None, false, 0);
        let line_ends = memchr_iter(b'\n', window).chain(is_last.then_some(window.len()));
        for end in line_ends {
            let line = window.get(start..end).unwrap_or_default();
            if let Some(first) = first_line
                && (begins(line) || lines > LINES_MAX)
            {
                return Ok(Length::Broken(first));
            }
            is_open ^= memchr_iter(b'"', line).count() % 2 == 1;
            let full = (end + 1).min(window.len());
            if !is_open {
                let has_return = line.ends_with(b"\r");
                let whole = Length::Whole(end - usize::from(has_return), full);
                return Ok(if full == 0 { Length::Over } else { whole });
            }
            lines += 1;
            first_line = first_line.or(Some(full));
            start = full;
        }
        match first_line {
            _ if window.is_empty() && is_last => return Ok(Length::Over),
            Some(first) if is_last => return Ok(Length::Broken(first)),
            _ => input.fill()?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(record: &str) -> Vec<String> {
        let mut fields = Fields::default();
        fields.parse(record.as_bytes(), b',');
        fields.iter().map(|field| String::from_utf8(field.to_vec()).unwrap()).collect()
    }

    #[test]
    fn quotes_and_commas_inside_fields_are_kept() {
        assert_eq!(fields("a,\"b,\"\"c\"\"\",,d\"e"), ["a", "b,\"c\"", "", "d\"e"]);
        assert_eq!(fields(""), [""]);
        assert_eq!(fields("a,"), ["a", ""]);
        assert_eq!(fields("\"never,ends"), ["never,ends"]);
    }

    fn records(text: &str) -> Vec<String> {
        let mut progress = |_| {};
        let mut input = Input::new(text.as_bytes(), &mut progress).unwrap();
        let mut found = Vec::new();
        loop {
            let (length, full, mark) = match length(&mut input, |line| line.starts_with(b"#")).unwrap() {
                Length::Whole(length, full) => (length, full, ""),
                Length::Broken(length) => (length, length, "!"),
                Length::Over => return found,
            };
            found.push(format!("{}{mark}", String::from_utf8_lossy(&input.window()[..length]).trim_end()));
            input.consume(full);
        }
    }

    #[test]
    fn records_span_lines_and_a_broken_one_ends_where_the_next_must_begin() {
        assert_eq!(records("a\r\n\"b\nc\"\nd"), ["a", "\"b\nc\"", "d"]);
        assert_eq!(records("#1 \"x\n#2\n#3\n"), ["#1 \"x!", "#2", "#3"]);
        assert_eq!(records("a\n\"b"), ["a", "\"b!"]);
        assert_eq!(records(""), [""; 0]);
    }
}
