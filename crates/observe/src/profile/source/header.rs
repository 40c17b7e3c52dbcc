//! The first line of a CSV file: which character separates fields, and whether it has names for the columns.

use std::collections::HashSet;

use super::super::error::Misfit;
use super::beginning;

/// What may separate fields, the most usual first.
const DELIMITERS: [u8; 4] = *b",;\t|";
/// Records that are looked at to choose.
const RECORDS: usize = 50;

/// The delimiter with which most of the first records have as many fields as the first one; of those that do equally
/// well, the one that gives more fields.
pub fn delimiter(sample: &[u8]) -> u8 {
    let score = |delimiter: u8| {
        let records = records(sample, delimiter);
        let width = records.first().copied().unwrap_or_default();
        let alike = records.iter().filter(|fields| **fields == width).count();
        let share = (alike * 100).checked_div(records.len()).unwrap_or_default();
        // A single field is what every wrong delimiter gives.
        if width < 2 { (0, 0) } else { (share, width) }
    };
    let best = DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter));
    best.unwrap_or(b',')
}

/// How many fields the first records have.
fn records(sample: &[u8], delimiter: u8) -> Vec<usize> {
    let mut reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    let (mut output, mut ends) = (vec![0; sample.len()], vec![0; sample.len() + 1]);
    let (mut input, mut counts) = (sample, Vec::new());
    while counts.len() < RECORDS {
        let (result, read, _, fields) = reader.read_record(input, &mut output, &mut ends);
        input = input.get(read..).unwrap_or_default();
        // A record that the sample cuts off says nothing.
        match result {
            csv_core::ReadRecordResult::Record => counts.push(fields),
            _ => break,
        }
    }
    counts
}

/// The names of the columns, from the fields of the first line and its text.
pub fn names(fields: &[&[u8]], line: &[u8], delimiter: u8) -> Result<Vec<String>, Box<Misfit>> {
    let mut seen = HashSet::new();
    let mut names = Vec::with_capacity(fields.len());
    for (index, field) in fields.iter().enumerate() {
        let misfit = |message: String, expected: &str| {
            let column = column_of(line, index, delimiter);
            let (text, expected) = (beginning(line), expected.to_owned());
            Box::new(Misfit { line: 1, column, text, message, expected })
        };
        let Ok(name) = std::str::from_utf8(field) else {
            return Err(misfit(format!("the name of column {} is not UTF-8", index + 1), "a text in UTF-8"));
        };
        let name = name.trim();
        if name.is_empty() {
            return Err(misfit(
                format!("column {} has no name", index + 1),
                "a name for each column in the first line",
            ));
        }
        if name.parse::<f64>().is_ok_and(f64::is_finite) {
            return Err(misfit(
                format!("`{name}` is a number: the first line seems to be data"),
                "a first line with the names of the columns",
            ));
        }
        if !seen.insert(name) {
            return Err(misfit(
                format!("two columns have the name `{name}`"),
                "a name of its own for each column",
            ));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// The character of the line where a field begins, from 1.
fn column_of(line: &[u8], field: usize, delimiter: u8) -> u64 {
    let line = String::from_utf8_lossy(line);
    let (mut left, mut quoted) = (field, false);
    for (at, character) in line.chars().enumerate() {
        if left == 0 {
            return at as u64 + 1;
        }
        match character {
            '"' => quoted = !quoted,
            other if other == char::from(delimiter) && !quoted => left -= 1,
            _ => {}
        }
    }
    line.chars().count() as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_the_one_that_makes_even_rows() {
        for (text, expected) in [
            ("a,b,c\n1,2,3\n", b','),
            ("a;b\n1,5;2\n3,5;4\n", b';'),
            ("a\tb\n1,2\t3\n", b'\t'),
            ("a|b|c\n1|2|3\n", b'|'),
            ("one\n1\n2\n", b','),
            ("a,b;c\n", b','),
            ("\"x;y\",b\n\"1;2;3\",4\n", b','),
            ("", b','),
        ] {
            assert_eq!(char::from(delimiter(text.as_bytes())), char::from(expected), "{text:?}");
        }
    }

    #[test]
    fn names_are_trimmed_and_must_be_names() {
        assert_eq!(names(&[b" id ", b"x"], b" id ,x", b',').unwrap(), ["id", "x"]);
        for (fields, line, column, said) in [
            (&[&b"a"[..], b"b", b"a"][..], &b"a,b,a"[..], 5, "two columns have the name `a`"),
            (&[b"a", b"", b"c"], b"a,,c", 3, "column 2 has no name"),
            (&[b"x,y", b"17"], b"\"x,y\",17", 7, "`17` is a number"),
            (&[b"a", b"\xff"], b"a,\xff", 3, "not UTF-8"),
        ] {
            let misfit = names(fields, line, b',').unwrap_err();
            assert_eq!((misfit.line, misfit.column), (1, column), "{misfit:?}");
            assert!(misfit.message.contains(said), "{misfit:?}");
        }
    }
}
