//! Statements that are longer than the limit: passed over as a whole, counted and told, in every format.

use proptest::prelude::*;
use tablesmith_observe::log::{Draw, Format, LogProfile, Options, Part, draw, each_statement};

use super::support::{catalog, counts, profile, profile_with};
use crate::alone::{alone, peak_of, print_peak, run_alone};
use crate::profile::support::runner;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
/// The limit of these tests; that of a user is 16 MiB.
const LIMIT: usize = 64 * KIB;
const SHORT: &str = "SELECT name FROM users WHERE id = 1";
/// What is counted when the long statement is left out.
const SHORT_TEMPLATE: &str = "SELECT name FROM users WHERE id = ?";
const SEED: u64 = 23;

fn options(format: Option<Format>) -> Options {
    Options { format, statement_bytes_max: LIMIT, ..Options::default() }
}

/// A list of numbers of so many bytes. Cut, the statement with it would be a statement without a condition.
fn long_list(bytes: usize) -> String {
    let numbers = "1234567,".repeat(bytes / 8);
    format!("SELECT name FROM users WHERE id IN ({numbers}0)")
}

/// A text of so many bytes with statements in it.
fn long_text(bytes: usize) -> String {
    let statements = "DELETE FROM orders WHERE total = 1; ".repeat(bytes / 36);
    format!("INSERT INTO users (name) VALUES ('{statements}')")
}

/// Rows of values, one a line.
fn long_rows(bytes: usize) -> String {
    let rows = "(1, 'DELETE FROM orders;'),\n".repeat(bytes / 28);
    format!("INSERT INTO users (id, name) VALUES\n{rows}(2, 'x')")
}

/// A log of each format with a long statement between two short ones: the format, the line where the long one begins,
/// the log. The last two only where the statement is one line.
fn logs(long: &str) -> Vec<(Format, u64, String)> {
    let mut logs = vec![(Format::Sql, 2, format!("{SHORT};\n{long};\n{SHORT};\n"))];
    let times = ["2024-01-02 03:04:05", "2024-01-02 03:04:06", "2024-01-02 03:04:07"];
    let [first, second, third] = times;
    logs.push((Format::Sql, 2, format!("{first} {SHORT}\n{second} {long}\n{third} {SHORT}\n")));
    let quoted = long.replace('"', "\"\"");
    let csv = format!("time,sql\n{first},{SHORT}\n{second},\"{quoted}\"\n{third},{SHORT}\n");
    logs.push((Format::Csv, 3, csv));
    let entry = |time: &str, statement: &str| {
        format!(
            "{time}.000 UTC,me,shop,1,l,s,1,SELECT,{time} UTC,3/1,0,LOG,00000,\"statement: {statement}\",,,,,,,,,app\n"
        )
    };
    let csvlog = [entry(first, SHORT), entry(second, &quoted), entry(third, SHORT)].concat();
    logs.push((Format::PostgresCsv, 2, csvlog));
    let query = |time: &str, statement: &str| format!("{time}\t12 Query\t{statement}\n");
    let mysql = [query(first, SHORT), query(second, long), query(third, SHORT)].concat();
    logs.push((Format::MysqlGeneral, 2, mysql));
    if !long.contains('\n') {
        // Without a semicolon, the end of the line ends a statement.
        logs.push((Format::Sql, 3, format!("{SHORT}\n{SHORT}\n{}\n{SHORT}\n", long.replace(';', ","))));
        let json = |statement: &str| format!("{{\"sql\": \"{statement}\"}}\n");
        logs.push((Format::JsonLines, 2, [json(SHORT), json(long), json(SHORT)].concat()));
    }
    logs
}

/// The short statements are all there, the long one is left out.
fn check_left_out(read: &LogProfile, format: Format, log: &str) {
    let shorts = log.matches(SHORT).count() as u64;
    assert_eq!(counts(read), [(SHORT_TEMPLATE, shorts)], "{format:?}");
    assert_eq!((read.statements, read.too_long, read.not_understood), (shorts, 1, 0), "{format:?}");
}

#[test]
fn a_statement_above_the_limit_is_never_cut_and_taken_for_another() {
    let logs = [long_list, long_text, long_rows].map(|long| logs(&long(3 * MIB / 2)));
    for (format, line, log) in logs.into_iter().flatten() {
        let read = profile_with(&log, &options(Some(format)));
        check_left_out(&read, format, &log);
        let place = &read.too_long_places[0];
        assert_eq!(place.line, line, "{format:?}");
        assert!(
            place.why.contains("1.5 MiB") && place.why.contains("65536 bytes"),
            "{format:?}: {}",
            place.why
        );
        assert!((1..1_000).contains(&place.excerpt.len()), "{format:?}: {}", place.excerpt);
        assert_eq!(read.lines, log.lines().count() as u64, "{format:?}: lines are counted on");
    }
}

#[test]
fn the_limit_is_the_same_in_every_format() {
    // The line has a time before its statement, or quotes around it.
    let fits = long_list(LIMIT - 300);
    for (format, _, log) in logs(&fits) {
        let read = profile_with(&log, &options(Some(format)));
        assert_eq!((read.too_long, read.templates.len()), (0, 2), "{format:?}");
    }
    let long = format!("{fits}{}", " ".repeat(LIMIT + 1 - fits.len()));
    for (format, _, log) in logs(&long) {
        check_left_out(&profile_with(&log, &options(Some(format))), format, &log);
    }
}

#[test]
fn a_long_statement_at_the_end_of_a_log_is_told_too() {
    for end in ["", ";", "\n"] {
        let read = profile_with(format!("{SHORT};\n{}{end}", long_list(2 * LIMIT)), &options(None));
        assert_eq!((read.statements, read.too_long), (1, 1), "{end:?}");
    }
}

#[test]
fn a_statement_that_is_long_without_its_values_is_not_parsed() {
    let columns = "name AS a12345, ".repeat(5 * MIB / 16);
    let read = profile(format!("{SHORT};\nSELECT {columns} age FROM users;\n{SHORT};\n"));
    check_left_out(&read, Format::Sql, &format!("{SHORT}{SHORT}"));
    let place = &read.too_long_places[0];
    assert_eq!(place.line, 2);
    assert!(place.why.contains("without its values") && place.why.contains("4 MiB"), "{}", place.why);
}

/// A log that is drawn from and walked over has the same statements.
#[test]
fn long_statements_are_neither_drawn_nor_walked_over() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{SHORT};\n{};\n{SHORT};\n", long_text(2 * LIMIT))).unwrap();
    let mut seen = Vec::new();
    each_statement(file.path(), &options(None), |text, _, about| seen.push((text.len(), about.line)))
        .unwrap();
    assert_eq!(seen, [(SHORT.len() + 1, 1), (SHORT.len() + 1, 3)]);
    let all = Draw { part: Part::Training, calls: 10, seed: 1 };
    let drawn = draw(file.path(), &options(None), &all, &mut |_, _| true).unwrap();
    assert!(drawn.calls.iter().all(|call| [1, 3].contains(&call.line)), "{drawn:?}");
    assert_eq!(drawn.of, 1);
}

/// Random sizes around the limit, in random formats: all short statements are there, and the long one is there once.
#[test]
fn random_sizes_around_the_limit_are_read_or_told() {
    let sizes = prop_oneof![LIMIT - 400..LIMIT + 400, KIB..10 * LIMIT, 15 * LIMIT..40 * LIMIT];
    let longs = prop::sample::select(vec![long_list, long_text, long_rows]);
    runner(SEED, 100)
        .run(&(longs, any::<prop::sample::Index>(), sizes), |(long, log, bytes)| {
            let mut logs = logs(&long(bytes));
            let (format, _, log) = logs.swap_remove(log.index(logs.len()));
            let read = profile_with(&log, &options(Some(format)));
            let shorts = log.matches(SHORT).count() as u64;
            prop_assert!(counts(&read).contains(&(SHORT_TEMPLATE, shorts)), "{:?}", counts(&read));
            prop_assert_eq!(read.statements + read.too_long, shorts + 1);
            prop_assert_eq!(read.not_understood, 0);
            prop_assert!(!counts(&read).iter().any(|(template, _)| template.starts_with("DELETE")));
            Ok(())
        })
        .unwrap();
}

const MEMORY: &str = "TABLESMITH_TEST_MEMORY";

/// A statement of 40 MiB takes a small multiple of the limit of 16 MiB, however it is written.
#[test]
fn a_statement_of_many_megabytes_takes_little_memory() {
    const MOST: u64 = 160 << 20;
    const TEST: &str = "log::too_long::a_statement_of_many_megabytes_takes_little_memory";
    if let Some(path) = std::env::var_os(MEMORY) {
        let path = std::path::Path::new(&path);
        let read = tablesmith_observe::log::read(path, &catalog(), &Options::default(), &mut |_| {}).unwrap();
        println!("found {}", read.too_long);
        print_peak();
        return;
    }
    alone(TEST, || {
        let file = tempfile::NamedTempFile::new().unwrap();
        let columns = "name AS a12345, ".repeat(40 * MIB / 16);
        let mut logs = logs(&format!("SELECT {columns} age FROM users"));
        if std::env::var_os("TABLESMITH_SOAK").is_none() {
            logs.truncate(1);
        }
        for (format, _, log) in logs {
            std::fs::write(file.path(), log).unwrap();
            let (out, _) = run_alone(TEST, MEMORY, file.path());
            let peak = peak_of(&out);
            println!("{format:?}: {} MiB", peak >> 20);
            assert!(peak < MOST, "{format:?} takes {} MiB\n{out}", peak >> 20);
            assert!(out.contains("found 1"), "{format:?}: {out}");
        }
    });
}
