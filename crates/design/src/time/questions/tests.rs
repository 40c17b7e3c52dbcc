//! Queries of a station table, each understood for what it is.

use super::*;
use crate::time::query::{Group, TimeKind, Whose};

const TABLE: &str = r#"
version = 1
[[table]]
name = "reading"
rows = 576_000
key = ["station", "at"]
[table.columns]
station = { type = "int", distinct = 40 }
at = { type = "timestamp", min = "2024-01-01T00:00:00Z", max = "2024-01-10T23:59:00Z" }
bikes = { type = "int" }
docks = { type = "int" }
[table.time]
column = "at"
entity = ["station"]
"#;

const HOUR: f64 = 3_600e3;
const DAY: f64 = 24.0 * HOUR;

fn asked(queries: &str) -> Questions {
    let workload = Workload::parse(&format!("{TABLE}{queries}")).unwrap();
    let table = &workload.tables[0];
    let facts = Facts::declared(table).unwrap();
    questions(&workload, table, &facts, &workload.queries)
}

fn of_sql(sql: &str) -> (TimeKind, Questions) {
    let found = asked(&format!("[[query]]\nname = \"q\"\nsql = \"\"\"{sql}\"\"\"\nrate = 1\n"));
    assert_eq!(found.queries.len(), 1, "{sql}: {found:?}");
    (found.queries[0].kind.clone(), found)
}

#[test]
fn reads_are_ranges_instants_and_the_newest() {
    let one = Whose::Named(1.0);
    for (sql, kind) in [
        (
            "SELECT bikes FROM reading WHERE station = ? AND at >= '2024-01-02' AND at < '2024-01-03'",
            TimeKind::Range { entities: one, length: DAY },
        ),
        (
            "SELECT bikes FROM reading WHERE station IN (?, ?, ?) AND at > now() - INTERVAL '6 hours'",
            TimeKind::Range { entities: Whose::Named(3.0), length: 6.0 * HOUR },
        ),
        ("SELECT bikes FROM reading WHERE station = ? ORDER BY at DESC LIMIT 5", TimeKind::Latest { n: 5 }),
        ("SELECT station, bikes FROM reading WHERE at = ?", TimeKind::Instant { entities: Whose::All }),
        ("SELECT bikes FROM reading WHERE station = ? AND at = ?", TimeKind::Instant { entities: one }),
    ] {
        let (found, all) = of_sql(sql);
        assert_eq!(found, kind, "{sql}");
        assert_eq!(all.notes, Vec::<String>::new(), "{sql}");
        assert_eq!(all.queries[0].metrics, ["bikes"], "{sql}");
    }
}

#[test]
fn aggregates_know_what_they_are_grouped_by() {
    let day = |entities, group| TimeKind::Aggregate { entities, length: DAY, group };
    let within = "at >= now() - INTERVAL '1 day'";
    for (select, rest, kind) in [
        ("avg(bikes)", "", day(Whose::All, Group::All)),
        ("station, avg(bikes)", "GROUP BY station", day(Whose::All, Group::Entity)),
        (
            "date_trunc('hour', at), avg(bikes)",
            "GROUP BY date_trunc('hour', at)",
            day(Whose::All, Group::Bucket(HOUR)),
        ),
        (
            "station, date_trunc('hour', at), avg(bikes)",
            "AND station = ? GROUP BY station, date_trunc('hour', at)",
            day(Whose::Named(1.0), Group::EntityAndBucket(HOUR)),
        ),
    ] {
        let sql = format!("SELECT {select} FROM reading WHERE {within} {rest}");
        assert_eq!(of_sql(&sql).0, kind, "{sql}");
    }
}

#[test]
fn two_moments_of_one_table_are_a_comparison() {
    let sql = "SELECT a.station FROM reading a WHERE a.at = ? AND a.station NOT IN \
               (SELECT b.station FROM reading b WHERE b.at = ?)";
    assert_eq!(of_sql(sql).0, TimeKind::Compare);
}

#[test]
fn writes_count_readings() {
    for (sql, readings) in [
        ("INSERT INTO reading (station, at, bikes) VALUES (?, ?, ?), (?, ?, ?)", 2.0),
        ("UPDATE reading SET bikes = ? WHERE station = ? AND at = ?", 1.0),
        ("DELETE FROM reading WHERE station = ? AND at = ?", 1.0),
    ] {
        assert_eq!(of_sql(sql).0, TimeKind::Write { readings }, "{sql}");
    }
}

#[test]
fn rows_say_how_long_a_stretch_is_and_a_guess_is_said() {
    let sql = "SELECT bikes FROM reading WHERE station = ? AND at BETWEEN ? AND ?";
    let query = format!("[[query]]\nname = \"q\"\nsql = \"{sql}\"\nrate = 1\n");
    let guessed = asked(&query);
    assert!(guessed.notes[0].contains("a third of all is assumed"), "{:?}", guessed.notes);
    let said = asked(&format!("{query}rows = 60\n"));
    assert_eq!(said.notes, Vec::<String>::new());
    let TimeKind::Range { length, .. } = said.queries[0].kind else { panic!("{said:?}") };
    assert!((length / HOUR - 1.0).abs() < 0.01, "{length}");
}

#[test]
fn queries_by_columns_are_taken_for_the_simplest() {
    let found = asked(
        "[[query]]\nname = \"a\"\ntable = \"reading\"\nreads = [\"bikes\"]\nrate = 1\n\
         [[query]]\nname = \"b\"\ntable = \"reading\"\nreads = [\"bikes\"]\naccess = \"scan\"\nrows = 60\nrate = 1\n\
         [[query]]\nname = \"c\"\ntable = \"reading\"\nwrites = [\"bikes\", \"docks\"]\nrows = 40\nrate = 1\n",
    );
    assert_eq!(found.queries[0].kind, TimeKind::Instant { entities: Whose::Named(1.0) });
    assert!(matches!(found.queries[1].kind, TimeKind::Range { .. }), "{found:?}");
    assert_eq!(found.queries[2].kind, TimeKind::Write { readings: 40.0 });
    assert_eq!((found.queries[2].metrics.len(), found.notes.len()), (2, 2));
}
