//! Whatever is read, it is a value or an error with a place: nothing panics, nothing hangs.

use fastrand::Rng;
use tablesmith_model::cost::{Calibration, Experiment, Fit, Prices};
use tablesmith_model::design::{Design, DesignFile, EditError, FamilyColumns};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::problem::Problem;
use tablesmith_model::value::{CellEncoding, KeyEncoding, Moment, Value, ValueType, from_sql_literal};

use crate::designs::design;
use crate::parts::part;
use crate::random::{self, seeded};
use crate::values::value;

/// Pieces from which key parts, and nearly key parts, are made.
const PIECES: &[&str] = &[
    "md5_mod",
    "md5",
    "mod",
    "pad",
    "random",
    "md5_line_mod",
    "reverse",
    "desc",
    "bucket",
    "const",
    "row_number",
    "(",
    ")",
    ",",
    "\"",
    "\\x",
    "\\x41",
    "1h",
    "0",
    "64",
    "99999999999999999999",
    " ",
    "field",
    "größe",
    "_",
    "-",
    "\0",
    "\n",
    "1_000",
    "ms",
    "'",
];

/// A text with some of its characters changed, left out or doubled.
fn spoiled(random: &mut Rng, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.usize(..4) {
        let at = random.usize(..characters.len().max(1));
        let odd = *random
            .choice(&[
                '"', '\'', '[', ']', '{', '}', '=', ',', '\n', '#', '0', '.', '\\', 'é', '-', ' ', '\r',
                '\u{0}',
            ])
            .unwrap();
        match random.usize(..4) {
            0 if at < characters.len() => characters[at] = odd,
            1 if at < characters.len() => drop(characters.remove(at)),
            2 => characters.insert(at, odd),
            _ => {
                let until = (at + random.usize(..30)).min(characters.len());
                let copy: Vec<char> = characters[at.min(until)..until].to_vec();
                characters.splice(at..at, copy);
            }
        }
    }
    characters.into_iter().collect()
}

fn check_places(text: &str, problems: &[Problem]) {
    assert!(!problems.is_empty(), "refused without a problem: {text}");
    for problem in problems {
        assert!(text.get(problem.span.clone()).is_some(), "{problem:?} lies outside of {text}");
        assert!(problem.line >= 1 && problem.line <= text.matches('\n').count() + 1 && problem.column >= 1);
        assert!(!problem.message.is_empty());
    }
}

#[test]
fn any_text_is_a_design_or_says_where_it_is_wrong() {
    let mut random = seeded("spoiled designs");
    let mut accepted = 0;
    for _ in 0..400 {
        let text = design(&mut random).to_toml();
        for _ in 0..4 {
            let text = spoiled(&mut random, &text);
            match Design::parse(&text) {
                Err(error) => check_places(&text, &error.problems),
                Ok(design) => {
                    accepted += 1;
                    assert_eq!(Design::parse(&design.to_toml()).as_ref(), Ok(&design), "{text}");
                    change(&text, &design);
                }
            }
        }
    }
    assert!(accepted > 100, "only {accepted} texts were accepted");
}

/// Changes a file that a person wrote oddly.
fn change(text: &str, design: &Design) {
    let mut file = DesignFile::parse(text).unwrap();
    for rows in design.tables.iter().flat_map(|table| &table.rows) {
        let families = [FamilyColumns { name: "new".into(), columns: vec!["c".into()] }];
        let changes =
            [file.set_families(&rows.from, &families, &[]), file.set_key(&rows.from, &Key::row_number())];
        for change in changes {
            assert!(matches!(change, Ok(()) | Err(EditError::LaidByData(_))), "{change:?}\n{text}");
        }
    }
    file.design().unwrap();
}

#[test]
fn any_text_is_a_part_or_says_where_it_is_wrong() {
    let mut random = seeded("spoiled parts");
    for _ in 0..100_000 {
        let text = match random.usize(..2) {
            0 => (0..random.usize(..9)).map(|_| *random.choice(PIECES).unwrap()).collect::<String>(),
            _ => {
                let name = random::text(&mut random, 5);
                let text = part(&mut random, &name, ValueType::Timestamp).to_string();
                spoiled(&mut random, &text)
            }
        };
        match text.parse::<Part>() {
            Ok(part) => assert_eq!(part.to_string().parse::<Part>(), Ok(part)),
            Err(error) => {
                assert!(text.get(error.offset..).is_some() && error.to_string().contains("expected"))
            }
        }
    }
}

#[test]
fn any_bytes_decode_or_are_refused() {
    let mut random = seeded("bytes");
    for _ in 0..100_000 {
        let value_type = *random.choice(&ValueType::ALL).unwrap();
        let encoding = *random.choice(&KeyEncoding::ALL).unwrap();
        let mut bytes = random::bytes(&mut random, 40);
        if random.bool() {
            let value = value(&mut random, value_type);
            bytes.clear();
            encoding.encode(value_type, &value, &mut bytes).unwrap();
            for _ in 0..random.usize(..3) {
                let at = random.usize(..bytes.len());
                bytes[at] ^= 1 << random.usize(..8);
            }
        }
        if let Ok((value, rest)) = encoding.decode(value_type, &bytes) {
            let mut again = Vec::new();
            encoding.encode(value_type, &value, &mut again).unwrap();
            let taken = &bytes[..bytes.len() - rest.len()];
            // A float can be written with more digits than it needs; everything else has one way.
            let is_float_text = encoding == KeyEncoding::Text && value_type == ValueType::Float;
            assert!(is_float_text || again == taken, "{value_type} {encoding}: {taken:x?} gave {value:?}");
        }
        for cell in CellEncoding::ALL {
            let _ = cell.decode(value_type, &bytes);
        }
        let part = part(&mut random, "f", value_type);
        let codec = Key { parts: vec![part], encoding }.codec(|_| Some(value_type)).unwrap();
        let _ = codec.decode(&bytes);
    }
}

#[test]
fn any_text_is_a_value_or_says_what_is_expected() {
    let mut random = seeded("values");
    for _ in 0..100_000 {
        let value_type = *random.choice(&ValueType::ALL).unwrap();
        let text = match random.usize(..3) {
            0 => random::text(&mut random, 12),
            _ => {
                let text = value(&mut random, value_type).to_string();
                spoiled(&mut random, &text)
            }
        };
        match Value::parse(value_type, &text) {
            Ok(value) => assert_eq!(Value::parse(value_type, &value.text().unwrap()), Ok(value), "{text:?}"),
            Err(error) => assert!(error.to_string().contains("expected"), "{error}"),
        }
        let _ = from_sql_literal(value_type, &text);
        let _ = from_sql_literal(value_type, &format!("X'{text}'"));
    }
}

#[test]
fn any_text_is_a_calibration_or_says_where_it_is_wrong() {
    let mut random = seeded("prices");
    let calibration = Calibration {
        store: "a store".to_owned(),
        address: "embedded:tables".to_owned(),
        measured_at: Moment::MIN,
        fit: Fit { r2: 0.9, worst: Experiment::default() },
        each_ms: Prices::guessed().each_ms,
    };
    let file = calibration.to_toml();
    for _ in 0..3_000 {
        let text = spoiled(&mut random, &file);
        match Calibration::parse_toml(&text) {
            Ok(read) => assert_eq!(Calibration::parse_toml(&read.to_toml()), Ok(read)),
            Err(error) => check_places(&text, &error.problems),
        }
    }
}
