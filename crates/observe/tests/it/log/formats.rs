//! Each format, with what is special about it.

use tablesmith_model::workload::{Access, Asks, Workload};
use tablesmith_observe::log::{Asked, Format};
use tablesmith_sql::{Dialect, Understood};

use super::support::{counts, profile, profile_in_every_dress};

/// 2024-01-02 03:04:05 UTC.
const MOMENT_MS: i64 = 1_704_164_645_000;

#[test]
fn statements_end_with_semicolons_over_any_number_of_lines() {
    let profile = profile_in_every_dress(
        "-- made by hand\nSELECT name FROM users WHERE id = 1;\nSELECT name\n  FROM users -- which?\n WHERE id = 2;\n\
         /* two on a line; */ INSERT INTO users (id, name) VALUES (1, 'a;b'); SELECT name FROM users WHERE id = 3;\n\
         UPDATE users SET name = 'it''s\na line' WHERE id = 4",
    );
    assert_eq!(profile.format, Format::Sql);
    assert_eq!(
        counts(&profile),
        [
            ("SELECT name FROM users WHERE id = ?", 3),
            ("INSERT INTO users(id, name) VALUES (?, ?)", 1),
            ("UPDATE users SET name = ? WHERE id = ?", 1)
        ]
    );
    assert_eq!((profile.statements, profile.not_understood, profile.times_ms), (5, 0, None));
    assert_eq!(profile.templates[0].line, 1);
}

#[test]
fn a_statement_may_have_a_time_before_it() {
    for (first, second) in [
        ("2024-01-02 03:04:05 ", "2024-01-02 03:04:06.5 "),
        ("2024-01-02T03:04:05Z\t", "2024-01-02T05:04:06.500+02:00\t"),
        ("[2024-01-02 03:04:05] ", "[2024-01-02 03:04:06.5] "),
        ("1704164645 | ", "1704164646.5 | "),
        ("1704164645000,", "1704164646500,"),
        (
            "2024-01-02 03:04:05.000 UTC [77] me@shop LOG:  statement: ",
            "2024-01-02 03:04:06.500 UTC [77] me@shop LOG:  execute <unnamed>: ",
        ),
    ] {
        for end in [";", ""] {
            let text = format!(
                "{first}SELECT name FROM users WHERE id = 1{end}\n{second}SELECT name\nFROM users WHERE id = 2{end}\n"
            );
            let profile = profile_in_every_dress(&text);
            assert_eq!(counts(&profile), [("SELECT name FROM users WHERE id = ?", 2)], "{text}");
            assert_eq!(profile.times_ms, Some((MOMENT_MS, MOMENT_MS + 1_500)), "{text}");
            assert_eq!(profile.templates[0].slices.iter().sum::<u64>(), 2);
        }
    }
}

#[test]
fn statements_without_semicolons_are_one_a_line() {
    let profile =
        profile_in_every_dress("SELECT name FROM users\nSELECT age FROM users\nSELECT name FROM users\n");
    assert_eq!(counts(&profile), [("SELECT name FROM users", 2), ("SELECT age FROM users", 1)]);
}

#[test]
fn json_lines_have_statements_or_columns() {
    let profile = profile_in_every_dress(
        "{\"sql\": \"SELECT name FROM users WHERE id = 1\", \"time\": \"2024-01-02T03:04:05Z\", \"other\": {\"a\": [1]}}\n\
         {\"Query\": \"select name from users where id=2\", \"ts\": 1704164646, \"count\": 4, \"rows\": 2, \"ms\": 1.5}\n\
         {\"table\": \"orders\", \"reads\": [\"id\", \"total\"], \"access\": \"scan\", \"rows\": 10, \"rate\": 3}\n\
         {\"nothing\": 1}\n{broken\n",
    );
    assert_eq!(profile.format, Format::JsonLines);
    assert_eq!(
        counts(&profile),
        [("SELECT name FROM users WHERE id = ?", 5), ("scan orders reads id, total", 3)]
    );
    assert_eq!(profile.not_understood, 2);
    assert_eq!(profile.not_understood_places[0].line, 4);
    let Asked::Columns(touched) = &profile.templates[1].asks else { panic!("{profile:?}") };
    assert_eq!((touched.table.as_str(), touched.access), ("orders", Some(Access::Scan)));
    assert_eq!((profile.templates[1].rows, profile.templates[0].rows), (Some(10.0), Some(2.0)));
    assert_eq!(profile.templates[0].times_ms, Some((MOMENT_MS, MOMENT_MS + 1_000)));
}

#[test]
fn csv_says_in_its_header_where_statements_are() {
    let profile = profile_in_every_dress(
        "timestamp;user;query\n2024-01-02 03:04:05;me;\"SELECT name\nFROM users WHERE name = ';'\"\n\
         2024-01-02 03:04:06;me;\"SELECT \"\"name\"\" FROM users\"\nshort\n",
    );
    assert_eq!(profile.format, Format::Csv);
    assert_eq!(
        counts(&profile),
        [("SELECT name FROM users WHERE name = ?", 1), ("SELECT \"name\" FROM users", 1)]
    );
    assert_eq!((profile.not_understood, profile.times_ms), (1, Some((MOMENT_MS, MOMENT_MS + 1_000))));
}

#[test]
fn totals_of_pg_stat_statements_are_divided_by_shares() {
    let profile = profile_in_every_dress(
        "userid,queryid,query,calls,total_exec_time,mean_exec_time,rows\n\
         10,1,SELECT name FROM users WHERE id = $1,1000,500.0,0.5,2000\n\
         10,2,\"INSERT INTO users (id, name) VALUES ($1, $2)\",10,1,0.1,10\n10,3,BEGIN,77,1,0.1,0\n",
    );
    assert_eq!(profile.statements, 1_087);
    let read = &profile.templates[0];
    assert_eq!(
        (read.count, read.parts, read.rows, read.mean_ms),
        (1000, [600, 200, 200], Some(2.0), Some(0.5))
    );
    assert_eq!(profile.without_rows, 77);
}

#[test]
fn csvlog_has_statements_in_messages_and_values_in_details() {
    let entry = |second: u32, severity: &str, message: &str, detail: &str| {
        format!(
            "2024-01-02 03:04:{second:02}.000 UTC,\"me\",\"shop\",77,\"[local]\",65.1,{second},\"SELECT\",2024-01-02 03:00:00 UTC,3/1,0,{severity},00000,\"{message}\",\"{detail}\",,,,,,,,\"app\",\"client backend\",,0\n"
        )
    };
    let text = [
        entry(5, "LOG", "statement: SELECT name\nFROM users WHERE name = 'a \"\"b\"\"'", ""),
        entry(
            6,
            "LOG",
            "duration: 1.5 ms  execute <unnamed>: SELECT name FROM users WHERE id = $1",
            "parameters: $1 = '42'",
        ),
        entry(
            7,
            "LOG",
            "duration: 0.1 ms  bind <unnamed>: SELECT name FROM users WHERE id = $1",
            "parameters: $1 = '42'",
        ),
        entry(8, "LOG", "duration: 0.1 ms", ""),
        entry(9, "ERROR", "syntax error at or near \"\"x\"\"", ""),
        entry(10, "LOG", "execute S_1: SELECT name FROM users WHERE id = $1", "Parameters: $1 = '43'"),
    ]
    .concat();
    let profile = profile_in_every_dress(&text);
    assert_eq!((profile.format, profile.dialect), (Format::PostgresCsv, Dialect::Postgres));
    assert_eq!(
        counts(&profile),
        [("SELECT name FROM users WHERE id = ?", 2), ("SELECT name FROM users WHERE name = ?", 1)]
    );
    assert_eq!((profile.passed_over, profile.not_understood), (3, 0));
    let Asked::Sql { example, .. } = &profile.templates[0].asks else { panic!("{profile:?}") };
    assert_eq!(example, "SELECT name FROM users WHERE id = '42'");
    assert_eq!(profile.templates[0].mean_ms, Some(1.5));
    assert_eq!(profile.templates[0].times_ms, Some((MOMENT_MS + 1_000, MOMENT_MS + 5_000)));
}

#[test]
fn general_log_in_its_new_shape() {
    let profile = profile_in_every_dress(
        "/usr/sbin/mysqld, Version: 8.0.36 (MySQL). started with:\nTcp port: 3306  Unix socket: /run/mysqld.sock\n\
         Time                 Id Command    Argument\n\
         2024-01-02T03:04:05.000000Z\t   12 Connect\tme@localhost on shop using Socket\n\
         2024-01-02T03:04:05.000000Z\t   12 Query\tSELECT `name` FROM `users`\nWHERE name = \"bob\"\n\
         2024-01-02T03:04:06.000000Z\t   12 Prepare\tSELECT name FROM users WHERE id = ?\n\
         2024-01-02T03:04:06.000000Z\t   12 Execute\tSELECT name FROM users WHERE id = 7\n\
         2024-01-02T03:04:07.000000Z\t   12 Quit\t\n",
    );
    assert_eq!((profile.format, profile.dialect), (Format::MysqlGeneral, Dialect::MySql));
    assert_eq!(
        counts(&profile),
        [("SELECT `name` FROM `users` WHERE name = ?", 1), ("SELECT name FROM users WHERE id = ?", 1)]
    );
    assert_eq!((profile.passed_over, profile.not_understood), (6, 0));
    assert_eq!(profile.times_ms, Some((MOMENT_MS, MOMENT_MS + 1_000)));
    assert_eq!(profile.templates[0].statement().unwrap().understood, Understood::Parsed);
}

#[test]
fn general_log_in_its_old_shape() {
    let profile = profile_in_every_dress(
        "Time                 Id Command    Argument\n240102  3:04:05\t   12 Query\tSELECT name FROM users WHERE id = 1\n\
         \t\t   12 Query\tSELECT name FROM users WHERE id = 2\n240102  3:04:15\t   12 Query\tSELECT age FROM users\n",
    );
    assert_eq!(counts(&profile), [("SELECT name FROM users WHERE id = ?", 2), ("SELECT age FROM users", 1)]);
    assert_eq!(profile.times_ms, Some((MOMENT_MS, MOMENT_MS + 10_000)));
}

#[test]
fn templates_become_queries_the_most_frequent_first() {
    let text = "SELECT name FROM users WHERE id = 1 LIMIT 5;\nSELECT name FROM users WHERE id = 2 LIMIT 6;\n\
                SELECT email FROM users WHERE id = 2;\nBEGIN;\nSELECT x FROM elsewhere;\n"
        .repeat(10);
    let profile = profile(text);
    let queries = profile.queries(&Workload::default());
    let shown: Vec<(&str, &Asks, f64)> =
        queries.iter().map(|query| (query.name.as_str(), &query.asks, query.rate)).collect();
    let sql = |text: &str| Asks::Sql(text.to_owned());
    assert_eq!(
        shown,
        [
            ("read users by id", &sql("SELECT name FROM users WHERE id = ? LIMIT 5"), 12.0),
            ("read users by id (2)", &sql("SELECT email FROM users WHERE id = ?"), 6.0),
        ]
    );
    assert_eq!((profile.other_tables, profile.without_rows), (10, 10));
}
