//! CSV records over several lines, found so that one broken quotation does not swallow the rest of the file.

use std::io::{self, Read};

use memchr::memchr_iter;

use super::input::{BEGINNING_BYTES, Input};

/// A record with more lines than this is held against what a quotation that never ends looks like.
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
    /// It does not end within the window, which is full.
    TooLong,
    /// The file is over.
    Over,
}

/// How records of a file are told from lines inside a quotation.
#[derive(Clone, Copy)]
pub(super) struct Signs<'s> {
    pub delimiter: u8,
    /// Whether a line must be the beginning of a record, even when a quotation seems to be open.
    pub begins: &'s dyn Fn(&[u8]) -> bool,
    /// Whether a line looks like a record. Lines of a statement may, too, but not most of them.
    pub resembles: &'s dyn Fn(&[u8]) -> bool,
}

/// Finds the end of the record at the beginning of the window.
pub(super) fn length<R: Read>(input: &mut Input<'_, R>, signs: Signs<'_>) -> io::Result<Length> {
    loop {
        let window = input.window();
        let is_last = input.is_over();
        let (mut start, mut first_line, mut is_open, mut lines) = (0, None, false, 0);
        let line_ends = memchr_iter(b'\n', window).chain(is_last.then_some(window.len()));
        for end in line_ends {
            let line = window.get(start..end).unwrap_or_default();
            if let Some(first) = first_line
                && (signs.begins)(line)
            {
                return Ok(Length::Broken(first));
            }
            is_open ^= memchr_iter(b'"', line).count() % 2 == 1;
            let full = (end + 1).min(window.len());
            if !is_open {
                let length = end - usize::from(line.ends_with(b"\r"));
                let record = window.get(..length).unwrap_or_default();
                return Ok(match first_line {
                    Some(first) if lines > LINES_MAX && !is_well_quoted(record, signs.delimiter) => {
                        Length::Broken(first)
                    }
                    _ if full == 0 => Length::Over,
                    _ => Length::Whole(length, full),
                });
            }
            lines += 1;
            first_line = first_line.or(Some(full));
            start = full;
        }
        match first_line {
            _ if window.is_empty() && is_last => return Ok(Length::Over),
            Some(first) if is_last => return Ok(Length::Broken(first)),
            Some(first) if input.is_full() && are_records(window, signs.resembles) => {
                return Ok(Length::Broken(first));
            }
            _ if input.is_full() => return Ok(Length::TooLong),
            _ => input.fill()?,
        }
    }
}

/// Whether most lines behind the first look like records, so that the first has a quotation that never ends.
fn are_records(window: &[u8], resembles: &dyn Fn(&[u8]) -> bool) -> bool {
    let lines = || window.split(|byte| *byte == b'\n').skip(1);
    lines().filter(|line| resembles(line)).count() * 2 > lines().count()
}

/// Whether every quotation ends where its field does. Behind one that never ends, the next to open seems to close it.
fn is_well_quoted(record: &[u8], delimiter: u8) -> bool {
    let mut rest = record;
    loop {
        if let Some((b'"', quoted)) = rest.split_first() {
            rest = after_quotation(quoted);
            if rest.first().is_some_and(|byte| *byte != delimiter) {
                return false;
            }
        }
        match memchr::memchr(delimiter, rest).and_then(|at| rest.get(at + 1..)) {
            Some(after) => rest = after,
            None => return true,
        }
    }
}

/// What comes after the mark that closes a quotation.
fn after_quotation(mut rest: &[u8]) -> &[u8] {
    loop {
        let end = memchr::memchr(b'"', rest).map_or(rest.len(), |at| at + 1);
        rest = rest.get(end..).unwrap_or_default();
        match rest.split_first() {
            Some((b'"', more)) => rest = more,
            _ => return rest,
        }
    }
}

/// Leaves the record behind at which the window begins, however long it is: the number of its bytes.
pub(super) fn skip_record<R: Read>(input: &mut Input<'_, R>, signs: Signs<'_>) -> io::Result<u64> {
    let (mut bytes, mut is_open) = (0, false);
    loop {
        let window = input.window();
        let line_end = memchr::memchr(b'\n', window).map(|at| at + 1);
        let passed = line_end.unwrap_or(window.len());
        let quotes = memchr_iter(b'"', window.get(..passed).unwrap_or_default()).count();
        is_open ^= quotes % 2 == 1;
        input.consume(passed);
        bytes += passed as u64;
        let is_end = line_end.is_some() && !is_open;
        if is_end || (input.is_over() && input.window().is_empty()) {
            return Ok(bytes);
        }
        if input.window().len() < BEGINNING_BYTES && !input.is_over() {
            input.fill()?;
        }
        let next_line = input.beginning().split(|byte| *byte == b'\n').next().unwrap_or_default();
        if line_end.is_some() && (signs.begins)(next_line) {
            return Ok(bytes);
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
        let mut input = Input::new(text.as_bytes(), 1_000, &mut progress).unwrap();
        let mut found = Vec::new();
        loop {
            let signs = Signs {
                delimiter: b',',
                begins: &|line| line.starts_with(b"#"),
                resembles: &|line| line.starts_with(b"r"),
            };
            let (length, full, mark) = match length(&mut input, signs).unwrap() {
                Length::Whole(length, full) => (length, full, ""),
                Length::Broken(length) => (length, length, "!"),
                Length::TooLong => {
                    found.push(format!("{} too long", skip_record(&mut input, signs).unwrap()));
                    continue;
                }
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
    #[test]
    fn a_record_of_many_lines_is_broken_only_when_its_quotes_are_wrong() {
        let many = "x\n".repeat(LINES_MAX + 10);
        let good = format!("\"a\n{many}\",b\nc");
        let mut progress = |_| {};
        let mut input = Input::new(good.as_bytes(), 1 << 20, &mut progress).unwrap();
        let signs = Signs { delimiter: b',', begins: &|_| false, resembles: &|_| false };
        assert_eq!(length(&mut input, signs).unwrap(), Length::Whole(good.len() - 2, good.len() - 1));
        let bad = format!("\"a\n{many}\"b\",c\nd\"");
        let mut input = Input::new(bad.as_bytes(), 1 << 20, &mut progress).unwrap();
        assert_eq!(length(&mut input, signs).unwrap(), Length::Broken(3));
    }

    #[test]
    fn quotes_are_wrong_where_text_follows_one_that_closes() {
        for good in ["", "a,b", "\"a\"", "\"a,\"\"b\",c", "a\"b,c", "\"a\n\",\"b\""] {
            assert!(is_well_quoted(good.as_bytes(), b','), "{good}");
        }
        for bad in ["\"a\"b", "x,\"a\" ,c"] {
            assert!(!is_well_quoted(bad.as_bytes(), b','), "{bad}");
        }
    }

    #[test]
    fn a_record_longer_than_the_window_is_passed_over_whole() {
        let long = format!("\"{}\"", "a,\"\"b\n".repeat(500));
        assert_eq!(records(&format!("x\n{long}\ny\n")), ["x", &format!("{} too long", long.len() + 1), "y"]);
        let plain = "z".repeat(3_000);
        assert_eq!(records(&format!("x\n{plain}\ny")), ["x", "3001 too long", "y"]);
        // A quotation that never ends is given up where the next record must begin.
        let lines = "a,b\n".repeat(500);
        assert_eq!(records(&format!("\"x\n{lines}#y\n")), [&format!("{} too long", 3 + lines.len()), "#y"]);
        // Or where all the lines look like records.
        assert_eq!(records(&format!("\"x\n{}", "r\n".repeat(600))).len(), 601);
    }
}
