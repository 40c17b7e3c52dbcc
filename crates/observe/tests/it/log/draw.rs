//! Calls drawn from a part of a log.

use std::io::Write;

use tablesmith_observe::log::{Draw, Drawn, DrawnAsks, Options, Part, draw};
use tablesmith_sql::resolve;
use tempfile::NamedTempFile;

use super::support::catalog;

fn drawn(text: &str, calls: u64, seed: u64) -> Drawn {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let wanted = Draw { part: Part::Test, calls, seed };
    let mut wants = |sql: &str, dialect| resolve(sql, &catalog(), dialect).is_ok();
    draw(file.path(), &Options::default(), &wanted, &mut wants).unwrap()
}

fn ages(drawn: &Drawn) -> Vec<u32> {
    let age = |asks: &DrawnAsks| match asks {
        DrawnAsks::Sql(sql) => sql.trim_end_matches(';').rsplit(' ').next().unwrap().parse().unwrap(),
        DrawnAsks::Columns(touched) => panic!("{touched:?}"),
    };
    drawn.calls.iter().map(|call| age(&call.asks)).collect()
}

fn log(order: impl Iterator<Item = usize>) -> String {
    let line = |at: usize| {
        let (minute, second) = (at / 60, at % 60);
        format!("2024-01-02 00:{minute:02}:{second:02} SELECT name FROM users WHERE age = {at};\n")
    };
    order.map(line).collect()
}

#[test]
fn only_the_last_calls_are_drawn_evenly_and_in_the_order_of_time() {
    let forwards = drawn(&log(0..1_000), 50, 1);
    assert_eq!((forwards.of, forwards.unwanted), (200, 0));
    let found = ages(&forwards);
    assert!(found.iter().enumerate().all(|(at, age)| (*age as usize - 800) / 4 == at), "{found:?}");
    let backwards = ages(&drawn(&log((0..1_000).rev()), 50, 1));
    assert!(backwards.len() == 50 && backwards.is_sorted() && backwards[0] >= 800, "{backwards:?}");
    assert_ne!(found, ages(&drawn(&log(0..1_000), 50, 2)), "another seed draws others");
    assert_eq!(ages(&drawn(&log(0..1_000), 50, 1)), found, "the same seed draws the same");
    assert_eq!(
        ages(&drawn(&log(0..1_000), 5_000, 1)),
        (800..1_000).collect::<Vec<u32>>(),
        "all, where few are there"
    );
}

#[test]
fn what_is_not_wanted_is_counted() {
    let text = log(0..100).replace("FROM users WHERE age = 9", "FROM elsewhere WHERE age = 9");
    let found = drawn(&text, 100, 1);
    assert_eq!((found.of, found.unwanted), (10, 10));
    assert_eq!(ages(&found), (80..90).collect::<Vec<u32>>());
}

#[test]
fn calls_known_by_their_columns_and_entries_for_many_calls_are_drawn() {
    let line = |at: usize| {
        format!("{{\"time\": \"2024-01-02T00:00:{at:02}Z\", \"table\": \"users\", \"reads\": [\"name\"]}}\n")
    };
    let found = drawn(&(0..50).map(line).collect::<String>(), 4, 1);
    assert_eq!((found.calls.len(), found.of), (4, 10));
    assert!(matches!(&found.calls[0].asks, DrawnAsks::Columns(touched) if touched.reads == ["name"]));
    let totals =
        "query,calls\nSELECT name FROM users WHERE id = $1,900\nSELECT age FROM users WHERE id = $1,100\n";
    let found = drawn(totals, 20, 1);
    assert_eq!((found.calls.len(), found.of), (20, 200));
    let names =
        found.calls.iter().filter(|call| matches!(&call.asks, DrawnAsks::Sql(sql) if sql.contains("name")));
    assert_eq!(names.count(), 18);
}
