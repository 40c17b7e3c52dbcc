//! Many templates, long statements, empty logs, and logs about something else.

use std::path::Path;

use tablesmith_model::workload::Workload;
use tablesmith_observe::log::{LogError, Options, each_statement, read, read_from};

use super::support::{catalog, counts, profile, profile_with};

#[test]
fn an_empty_log_has_no_templates() {
    for text in ["", "\n\n", "\u{FEFF}", "-- nothing\n", ";;;\n", "  "] {
        let read = profile(text);
        assert_eq!((read.statements, read.templates.len(), read.not_understood), (0, 0, 0), "{text:?}");
        assert!(read.queries(&Workload::default()).is_empty());
    }
}

#[test]
fn a_log_about_other_tables_is_counted_as_such() {
    let read = profile("SELECT a FROM elsewhere;\nSELECT b FROM elsewhere;\nSELECT a FROM elsewhere;\n");
    assert_eq!((read.statements, read.other_tables), (3, 3));
    assert!(read.queries(&Workload::default()).is_empty());
    assert!(read.templates[0].error().unwrap().to_string().contains("elsewhere"));
}

#[test]
fn the_rarest_templates_are_only_counted_when_there_are_too_many() {
    let mut text = String::new();
    for at in 0..3_000 {
        text.push_str(&format!("SELECT name AS n{at} FROM users;\nSELECT age FROM users WHERE id = {at};\n"));
    }
    let read = profile_with(&text, &Options { templates_max: 100, ..Options::default() });
    assert_eq!(read.templates.len(), 100);
    assert_eq!(counts(&read)[0], ("SELECT age FROM users WHERE id = ?", 3_000));
    let kept: u64 = read.templates.iter().map(|template| template.count).sum();
    assert_eq!((kept + read.rare_statements, read.statements), (6_000, 6_000));
    assert_eq!(read.templates[0].parts, [1_800, 600, 600]);
}

#[test]
fn a_statement_of_many_megabytes_is_read() {
    let rows: Vec<String> = (0..300_000).map(|at| format!("({at}, 'name {at}')")).collect();
    let text = format!("INSERT INTO users (id, name) VALUES {};\nSELECT name FROM users;\n", rows.join(","));
    let read = profile(text);
    assert_eq!(
        counts(&read),
        [("INSERT INTO users(id, name) VALUES (?, ?)", 1), ("SELECT name FROM users", 1)]
    );
    assert_eq!(read.templates[0].statement().unwrap().needs[0].writes, ["id", "name"]);
}

#[test]
fn files_that_cannot_be_logs_are_refused_with_a_reason() {
    let refused = |bytes: &[u8], format| {
        let options = Options { format, ..Options::default() };
        read_from(bytes, Path::new("x.log"), &catalog(), &options, &mut |_| {}).unwrap_err()
    };
    assert!(matches!(refused(b"\xFF\xFES\0", None), LogError::Utf16(_)));
    assert!(matches!(refused(b"\x1F\x8B\x08\0", None), LogError::Compressed(_)));
    assert!(matches!(refused(&b"\x7FELF\x02\x01\x01\0\0\0".repeat(100), None), LogError::Binary(_)));
    let error = refused(b"a,b\n1,2\n", Some(tablesmith_observe::log::Format::Csv));
    assert!(error.to_string().contains("call one of them sql"), "{error}");
    let error = read(Path::new("no/such.log"), &catalog(), &Options::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("cannot read the log no/such.log"), "{error}");
}

#[test]
fn a_file_is_read_with_progress_and_its_statements_one_by_one() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text: String = (0..40_000).map(|at| format!("SELECT name FROM users WHERE id = {at};\n")).collect();
    std::fs::write(file.path(), &text).unwrap();
    let mut seen = Vec::new();
    let profile =
        read(file.path(), &catalog(), &Options::default(), &mut |progress| seen.push(progress)).unwrap();
    assert_eq!((profile.statements, profile.lines), (40_000, 40_000));
    assert!(seen.len() > 1 && seen.is_sorted_by_key(|progress| progress.bytes));
    assert_eq!(seen.last().unwrap().bytes, text.len() as u64);
    assert_eq!(seen.last().unwrap().bytes_total, Some(text.len() as u64));
    let mut lines = Vec::new();
    each_statement(file.path(), &Options::default(), |statement, _, about| {
        lines.push((statement.to_vec(), about.line));
    })
    .unwrap();
    assert_eq!(lines.len(), 40_000);
    assert_eq!(lines[39_999], (b"SELECT name FROM users WHERE id = 39999;".to_vec(), 40_000));
}
