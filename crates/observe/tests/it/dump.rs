//! Dumps: every value comes back, and no damage makes it panic.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tablesmith_model::source_row::RowError;
use tablesmith_model::value::Value;
use tablesmith_observe::dump::{Dump, Target, read};
use tablesmith_observe::rows;
use tempfile::TempDir;

const SEED: u64 = 9;

fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    println!("seed {SEED}");
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&SEED.to_le_bytes());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    runner.run(&strategy, test).unwrap();
}

type Row = (i64, Option<String>);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let text = "[a-z;,'\"\\\\\t\n()$ -]{0,12}";
    prop::collection::vec((any::<i64>(), prop::option::of(text)), 1..20)
}

fn read_text(dump: &[u8]) -> (TempDir, Dump) {
    let home = TempDir::new().unwrap();
    let path = home.path().join("dump.sql");
    std::fs::write(&path, dump).unwrap();
    let target = Target { directory: home.path(), overwrite: false };
    let dump = read(&path, target, &mut |_| {}).unwrap();
    (home, dump)
}

/// The rows that the file of the only table has.
fn written(home: &TempDir, dump: &Dump) -> Vec<Row> {
    let rows = rows::open(&home.path().join("t.jsonl"), &dump.tables[0]).unwrap();
    let mut found = Vec::new();
    for row in rows {
        let values = row.map_err(|error: RowError| format!("{error:?}")).unwrap().values;
        let Value::Int(id) = values[0] else { panic!("{values:?}") };
        found.push((
            id,
            match &values[1] {
                Value::String(text) => Some(text.clone()),
                _ => None,
            },
        ));
    }
    found
}

fn mysql(rows: &[Row]) -> String {
    let mut dump =
        "-- MySQL dump\nCREATE TABLE `t` (`id` bigint, `x` text);\nINSERT INTO `t` VALUES ".to_owned();
    for (at, (id, text)) in rows.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        let quoted = text.as_ref().map(|text| {
            let escaped =
                text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('"', "\\\"");
            format!("'{escaped}'")
        });
        let _ = write!(dump, "{comma}({id},{})", quoted.as_deref().unwrap_or("NULL"));
    }
    dump + ";\n"
}

fn postgres(rows: &[Row]) -> String {
    let mut dump =
        "-- PostgreSQL database dump\nCREATE TABLE t (id bigint, x text);\nCOPY t (id, x) FROM stdin;\n"
            .to_owned();
    for (id, text) in rows {
        let escaped =
            text.as_ref().map(|text| text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n"));
        let _ = writeln!(dump, "{id}\t{}", escaped.as_deref().unwrap_or("\\N"));
    }
    dump + "\\.\n\nCREATE TABLE other (a int);\n"
}

fn sqlite(rows: &[Row]) -> String {
    let mut dump =
        "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(id INTEGER, x TEXT);\n".to_owned();
    for (id, text) in rows {
        let quoted = text.as_ref().map(|text| format!("'{}'", text.replace('\'', "''")));
        let _ = writeln!(dump, "INSERT INTO t VALUES({id},{});", quoted.as_deref().unwrap_or("NULL"));
    }
    dump + "COMMIT;\n"
}

#[test]
fn every_value_of_a_mysql_dump_comes_back() {
    check(60, rows(), |rows| {
        let (home, dump) = read_text(mysql(&rows).as_bytes());
        prop_assert_eq!(dump.left_out, 0, "{:?}", dump.reasons);
        prop_assert_eq!(written(&home, &dump), rows);
        Ok(())
    });
}

#[test]
fn every_value_of_a_postgres_dump_comes_back() {
    check(60, rows(), |rows| {
        let (home, dump) = read_text(postgres(&rows).as_bytes());
        prop_assert_eq!(dump.tables.len(), 2);
        prop_assert_eq!(written(&home, &dump), rows);
        Ok(())
    });
}

#[test]
fn every_value_of_a_sqlite_dump_comes_back() {
    // A backslash before a quote is told apart only where the dialect is known.
    let rows = rows().prop_map(|rows| {
        let plain = |text: String| text.replace('\\', "/");
        rows.into_iter().map(|(id, text)| (id, text.map(plain))).collect::<Vec<Row>>()
    });
    check(60, rows, |rows| {
        let (home, dump) = read_text(sqlite(&rows).as_bytes());
        prop_assert_eq!(written(&home, &dump), rows);
        Ok(())
    });
}

#[test]
fn damage_never_panics_and_is_counted() {
    let damage = (rows(), any::<prop::sample::Index>(), any::<u8>(), 0..3_usize);
    check(150, damage, |(rows, at, byte, form)| {
        let mut bytes = [mysql, postgres, sqlite][form](&rows).into_bytes();
        let place = at.index(bytes.len());
        bytes[place] = byte;
        bytes.truncate(bytes.len().max(place / 2));
        read_text(&bytes);
        Ok(())
    });
}

#[test]
fn columns_without_a_type_and_tables_without_a_log_are_declared() {
    let (_home, dump) = read_text(
        b"CREATE TABLE a (id INTEGER PRIMARY KEY, w, b INT);\nINSERT INTO a VALUES(1,'x',2);\n\
          -- Name: b; Schema: public\nCREATE UNLOGGED TABLE public.b (\n    id integer NOT NULL\n);\nINSERT INTO b VALUES (3);\n",
    );
    let names: Vec<&str> = dump.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!((names, dump.left_out), (vec!["a", "b"], 0), "{:?}", dump.reasons);
    assert_eq!(dump.tables[0].columns.len(), 3);
}

#[test]
fn rows_of_a_table_that_is_not_declared_say_it_once() {
    let (_home, dump) =
        read_text(b"INSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2);\nINSERT INTO c VALUES (2);\n");
    assert_eq!((dump.left_out, dump.reasons.len()), (3, 2), "{:?}", dump.reasons);
}
