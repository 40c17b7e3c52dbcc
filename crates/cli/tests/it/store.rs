//! `tablesmith store` and `--read-only`: damage is listed, what is intact is read, and nothing is changed.

use std::fs;

use serde_json::json;

use crate::support::Home;

const ROWS: &str = "create 't', 'f'; create 'other', 'f'; \
    put 't', 'r1', 'f:q', 'one'; put 't', 'r2', 'f:q', 'two'; put 'other', 'x', 'f:q', 'kept'";

/// A store with two tables, in a directory of the home.
fn filled() -> Home {
    let home = Home::new();
    let run = home.run(["--store", "embedded:tables", "shell", "-c", ROWS]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    home
}

fn flip_a_bit_of_the_journal(home: &Home) {
    let journal = home.path("tables/0.jnl");
    let mut bytes = fs::read(&journal).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(journal, bytes).unwrap();
}

#[test]
fn a_whole_store_has_no_damage() {
    let home = filled();
    let run = home.run(["store", "check", "tables"]);
    assert_eq!((run.code, run.text().contains("no damage")), (0, true), "{run:?}");
    let run = home.run(["--format", "json", "store", "check", "tables", "--quick"]);
    assert_eq!(run.json(), [json!({"damage": []})]);
}

#[test]
fn a_damaged_store_is_refused_checked_read_and_salvaged() {
    let home = filled();
    flip_a_bit_of_the_journal(&home);
    let damaged = fs::read(home.path("tables/0.jnl")).unwrap();
    let run = home.run(["--store", "embedded:tables", "shell", "-c", "list"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.stderr.contains("0.jnl") && run.stderr.contains("store salvage"), "{}", run.stderr);
    let run = home.run(["--format", "json", "store", "check", "tables"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.json()[0]["damage"][0]["path"].as_str().unwrap().ends_with("0.jnl"));
    let run = home.run(["--store", "embedded:tables", "--read-only", "shell", "-c", "list"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stderr.contains("damaged") && run.stderr.contains("0.jnl"), "{}", run.stderr);
    let run = home.run(["store", "salvage", "tables", "rescued"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(fs::read(home.path("tables/0.jnl")).unwrap(), damaged, "the damaged store was changed");
    let run = home.run(["--store", "embedded:rescued", "shell", "-c", "list"]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = home.run(["store", "salvage", "tables", "rescued"]);
    assert!(run.code != 0 && run.stderr.contains("not empty"), "{run:?}");
}

#[test]
fn a_store_opened_read_only_answers_and_refuses_to_write() {
    let home = filled();
    let run = home.run(["--store", "embedded:tables", "--read-only", "shell", "-c", "count 't'"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.text().contains('2'), "{}", run.text());
    let run = home.run([
        "--store",
        "embedded:tables",
        "--read-only",
        "shell",
        "-c",
        "put 't', 'r3', 'f:q', 'three'",
    ]);
    assert!(run.code != 0 && format!("{}{}", run.text(), run.stderr).contains("reading only"), "{run:?}");
    let run = home.run(["--store", "hbase://127.0.0.1:1", "--read-only", "shell", "-c", "list"]);
    assert_eq!(run.code, 2, "{run:?}");
}
