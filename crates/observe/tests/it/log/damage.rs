//! One bad line never stops the run, and no bytes do harm.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tablesmith_observe::log::{Format, Options};

use super::support::{counts, profile, profile_with};

#[test]
fn a_quotation_that_never_ends_does_not_swallow_the_rest() {
    let good = "SELECT name FROM users WHERE id = 1;\n".repeat(50);
    let read = profile(format!("{good}SELECT name FROM users WHERE name = 'open;\n{good}"));
    assert_eq!(counts(&read), [("SELECT name FROM users WHERE id = ?", 100)]);
    assert_eq!(read.not_understood, 1);
    assert_eq!(read.not_understood_places[0].line, 51);
    assert!(read.not_understood_places[0].excerpt.contains("'open"), "{:?}", read.not_understood_places);
}

#[test]
fn a_broken_record_of_csv_does_not_swallow_the_rest() {
    let row = "2024-01-02 03:04:05.000 UTC,me,shop,1,l,s,1,SELECT,2024-01-02 03:00:00 UTC,3/1,0,LOG,00000,\"statement: SELECT name FROM users\",,,,,,,,,app\n";
    let read = profile(format!("{row}{row}{}\n{row}{row}", row.trim_end().replace("users\"", "users")));
    assert_eq!(read.format, Format::PostgresCsv);
    assert_eq!((read.statements, read.not_understood), (4, 1));
}

#[test]
fn bytes_that_are_not_utf_8_are_read_all_the_same() {
    let mut text = b"SELECT name FROM users WHERE name = 'caf\xE9';\n".to_vec();
    text.extend_from_slice(
        b"SELECT name FROM users WHERE name = 'x';\n\xFF\xFE\x00\nSELECT age FROM users;\n",
    );
    let read = profile(&text);
    assert_eq!(counts(&read)[0], ("SELECT name FROM users WHERE name = ?", 2));
    let json = profile(b"{\"sql\": \"SELECT name FROM users WHERE name = 'caf\xE9'\"}\n");
    assert_eq!(counts(&json), [("SELECT name FROM users WHERE name = ?", 1)]);
}

#[test]
fn what_is_no_sql_is_counted_and_shown() {
    let read = profile("SELECT name FROM users;\nlorem ipsum dolor;\nSELECT name FROM users;\n");
    assert_eq!((read.statements, read.not_understood), (3, 1));
    assert_eq!(
        (read.not_understood_places[0].line, read.not_understood_places[0].excerpt.as_str()),
        (2, "lorem ipsum dolor")
    );
}

const SEED: u64 = 7;

const FIXTURES: &[&str] = &[
    "SELECT name FROM users WHERE id = 1;\nUPDATE users SET name = 'it''s' WHERE id = 2;\n-- x\nSELECT age\nFROM users;\n",
    "2024-01-02 03:04:05 SELECT name FROM users;\n2024-01-02 03:04:06.123 UTC [1] LOG:  statement: SELECT age FROM users\n",
    "{\"sql\": \"SELECT name FROM users\", \"time\": 1704164645}\n{\"table\": \"users\", \"reads\": [\"id\"]}\n",
    "time,sql,count\n2024-01-02,\"SELECT name\nFROM users\",3\n1704164645,SELECT age FROM users,1\n",
    "2024-01-02 03:04:05.000 UTC,me,shop,1,l,s,1,SELECT,2024-01-02 03:00:00 UTC,3/1,0,LOG,00000,\"execute a: SELECT name FROM users WHERE id = $1\",\"parameters: $1 = '4'\",,,,,,,,app\n",
    "Time  Id Command  Argument\n2024-01-02T03:04:05.000000Z\t12 Query\tSELECT name\nFROM users\n240102  3:04:05\t 1 Execute\tSELECT 1\n\t\t 1 Quit\t\n",
];

/// Damage to a text: where, what, and a byte.
type Damage = (prop::sample::Index, usize, u8);

fn damaged(text: &str, damage: &[Damage]) -> Vec<u8> {
    let mut bytes = text.repeat(2).into_bytes();
    for (at, kind, byte) in damage {
        let at = at.index(bytes.len().max(1));
        match kind {
            _ if bytes.is_empty() => bytes.push(*byte),
            0 => bytes[at] = *byte,
            1 => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            3 => bytes.insert(at, b"'\"`;\n\r\t,\\{}[]$"[usize::from(*byte) % 14]),
            _ => drop(bytes.drain(at..(at + usize::from(*byte)).min(bytes.len()))),
        }
    }
    bytes
}

#[test]
fn damaged_logs_and_random_bytes_are_survived() {
    println!("seed {SEED}");
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&SEED.to_le_bytes());
    let config = Config { cases: 15_000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let damage = prop::collection::vec((any::<prop::sample::Index>(), 0..5_usize, any::<u8>()), 0..8);
    let text = prop_oneof![
        8 => (prop::sample::select(FIXTURES.to_vec()), damage).prop_map(|(text, damage)| damaged(text, &damage)),
        1 => prop::collection::vec(any::<u8>(), 0..300),
    ];
    let format = prop::option::of(prop::sample::select(
        Format::ALL.into_iter().filter(|format| *format != Format::Csv).collect::<Vec<_>>(),
    ));
    runner
        .run(&(text, format), |(text, format)| {
            if text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF") || text.starts_with(b"\x1F\x8B")
            {
                return Ok(());
            }
            let read = profile_with(&text, &Options { format, ..Options::default() });
            let counted: u64 = read.templates.iter().map(|template| template.count).sum();
            prop_assert_eq!(counted + read.rare_statements, read.statements);
            let parts: u64 = read.templates.iter().flat_map(|template| template.parts).sum();
            let sliced: u64 = read.templates.iter().flat_map(|template| &template.slices).sum();
            prop_assert_eq!((parts, sliced), (counted, counted));
            // `SELECT` in the text must leave a trace: a statement, a place not understood, or an entry passed over.
            let has_statement = text.windows(18).any(|part| part == b"SELECT name FROM u");
            prop_assert!(!has_statement || read.statements + read.not_understood + read.passed_over > 0);
            Ok(())
        })
        .unwrap();
}
