//! Logged moves as text, so that people can read them in a shell:
//!
//! ```text
//!  moves 1
//!  TABLE FAMILIES FROM_ROW FROM_COLUMN TO_ROW TO_COLUMN NEWEST_MS HASH
//!  twit x66 x6164610031 - x6164610032 - 1735689600000 0f3a…
//! ```
//!
//! Bytes are `x` and hexadecimal digits, families are joined with commas, `-` is no column.

use bytes::Bytes;

use super::Move;
use crate::view::RecordCells;

/// The first line: what it is, and its version.
const HEAD: &str = "moves 1";

/// Moves as text.
pub(super) fn print(moves: &[Move]) -> String {
    let mut text = HEAD.to_owned();
    for Move { table, from, to, newest_ms, hash } in moves {
        let families: Vec<String> = from.families.iter().map(|family| hex(family)).collect();
        let column =
            |cells: &RecordCells| cells.qualifier.as_ref().map_or("-".to_owned(), |bytes| hex(bytes));
        text += &format!(
            "\n{table} {} {} {} {} {} {newest_ms} {hash:032x}",
            families.join(","),
            hex(&from.row),
            column(from),
            hex(&to.row),
            column(to)
        );
    }
    text
}

/// Moves from text; `None` where it is none of this version.
pub(super) fn parse(text: &[u8]) -> Option<Vec<Move>> {
    let mut lines = std::str::from_utf8(text).ok()?.split('\n');
    if lines.next()? != HEAD {
        return None;
    }
    lines.map(line).collect()
}

fn line(line: &str) -> Option<Move> {
    let mut words = line.split(' ');
    let table = words.next()?.parse().ok()?;
    let families: Vec<Bytes> = words.next()?.split(',').map(unhex).collect::<Option<_>>()?;
    let mut cells = || {
        let row = unhex(words.next()?)?;
        let qualifier = match words.next()? {
            "-" => None,
            column => Some(unhex(column)?),
        };
        Some(RecordCells { row, families: families.clone(), qualifier })
    };
    let (from, to) = (cells()?, cells()?);
    let newest_ms = words.next()?.parse().ok()?;
    let hash = u128::from_str_radix(words.next()?, 16).ok()?;
    words.next().is_none().then_some(Move { table, from, to, newest_ms, hash })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

fn unhex(text: &str) -> Option<Bytes> {
    let digits = text.strip_prefix('x')?.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let pairs = digits.chunks_exact(2);
    let bytes: Option<Vec<u8>> = pairs.clone().map(byte).collect();
    bytes.filter(|_| pairs.remainder().is_empty()).map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_back() {
        let cells = |row: &'static str, qualifier: Option<&'static str>| RecordCells {
            row: row.into(),
            families: vec!["f".into(), "g".into()],
            qualifier: qualifier.map(Bytes::from),
        };
        let moved = |from, to| Move {
            table: "ns:twit".parse().unwrap(),
            from,
            to,
            newest_ms: 1_735_689_600_000,
            hash: 7,
        };
        let moves = vec![
            moved(cells("a\0 1", None), cells("\n", None)),
            moved(cells("a", Some("")), cells("a", Some("- x"))),
        ];
        assert_eq!(parse(print(&moves).as_bytes()), Some(moves));
        assert_eq!(parse(print(&[]).as_bytes()), Some(Vec::new()));
    }

    #[test]
    fn other_texts_are_none() {
        let whole = "moves 1\nt x66 x61 - x62 - 5 0f";
        assert!(parse(whole.as_bytes()).is_some());
        for text in [
            "",
            "moves 2",
            &whole[..whole.len() - 3],
            &format!("{whole} more"),
            "moves 1\nt x6 x61 - x62 - 5 0f",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text:?}");
        }
    }
}
