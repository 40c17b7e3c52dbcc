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

/// The names of the tables, and the lines of the file of each.
fn files(home: &TempDir, dump: &Dump) -> Vec<(String, Vec<String>)> {
    let lines = |name: &str| {
        let text = std::fs::read_to_string(home.path().join(format!("{name}.jsonl"))).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    };
    dump.tables.iter().map(|table| (table.name.clone(), lines(&table.name))).collect()
}

#[test]
fn a_backtick_in_a_text_makes_no_dump_one_of_mysql() {
    let (home, dump) = read_text(
        b"--\n-- PostgreSQL database dump\n--\nCREATE TABLE public.notes (id integer NOT NULL, v text, b bytea);\n\
          INSERT INTO public.notes VALUES (1, 'use `ls`', '\\xdead'), (2, 'C:\\new\\', NULL);\n\
          CREATE TABLE public.\"A\" (id integer);\nINSERT INTO public.\"A\" VALUES (7);\n",
    );
    let found = files(&home, &dump);
    assert_eq!(found[0].1[0], r#"{"id":"1","v":"use `ls`","b":"\\xDE\\xAD"}"#);
    assert_eq!(found[0].1[1], r#"{"id":"2","v":"C:\\new\\","b":null}"#);
    assert_eq!((&found[1].1[0], dump.left_out), (&r#"{"id":"7"}"#.to_owned(), 0), "{:?}", dump.reasons);
}

#[test]
fn tables_of_one_name_in_two_schemas_are_two() {
    let (home, dump) = read_text(
        b"CREATE TABLE archive.orders (id integer NOT NULL, total numeric);\nCREATE TABLE public.orders (id integer NOT NULL, \
          note text);\nCOPY archive.orders (id, total) FROM stdin;\n1\t9.50\n\\.\nCOPY public.orders (id, note) FROM \
          stdin;\n1\treal\n\\.\nALTER TABLE ONLY public.orders ADD CONSTRAINT p PRIMARY KEY (id);\n",
    );
    let found = files(&home, &dump);
    assert_eq!(found[1], ("orders".into(), vec![r#"{"id":"1","note":"real"}"#.into()]));
    assert_eq!(found[0], ("archive_orders".into(), vec![r#"{"id":"1","total":"9.50"}"#.into()]));
    assert_eq!((dump.tables[0].key.len(), dump.tables[1].key.len(), dump.notes.len()), (0, 1, 1));
    let (home, dump) = read_text(
        b"USE `a`;\nCREATE TABLE `t` (`x` int);\nINSERT INTO `t` VALUES (1);\nUSE `b`;\nCREATE TABLE `t` (`y` int);\n\
          INSERT INTO `t` VALUES (2);\n",
    );
    let found = files(&home, &dump);
    assert_eq!(
        (found[0].1[0].as_str(), found[1].0.as_str(), found[1].1[0].as_str()),
        (r#"{"x":"1"}"#, "b_t", r#"{"y":"2"}"#)
    );
}

#[test]
fn names_that_differ_only_in_case_are_told_apart() {
    let (home, dump) = read_text(
        b"CREATE TABLE \"CaSe\" (\"Id\" int, id text);\nCREATE TABLE \"case\" (id int);\nINSERT INTO \"CaSe\" VALUES (1, 'u');\n\
          COPY \"CaSe\" (id, \"Id\") FROM stdin;\nv\t2\n\\.\nINSERT INTO \"case\" VALUES (3);\n",
    );
    let found = files(&home, &dump);
    assert_eq!(found[0].1, [r#"{"Id":"1","id_2":"u"}"#, r#"{"Id":"2","id_2":"v"}"#]);
    assert_eq!(found[1], ("case_2".into(), vec![r#"{"id":"3"}"#.into()]));
}

#[test]
fn rows_of_partitions_are_rows_of_their_table_and_heirs_have_all_columns() {
    let (home, dump) = read_text(
        b"CREATE TABLE public.ev (at date NOT NULL, v text) PARTITION BY RANGE (at);\nCREATE TABLE public.ev_1 (v text, at date \
          NOT NULL);\nALTER TABLE ONLY public.ev ATTACH PARTITION public.ev_1 FOR VALUES FROM ('2024-01-01') TO \
          ('2025-01-01');\nCREATE TABLE public.ev_2 PARTITION OF public.ev FOR VALUES FROM ('2025-01-01') TO \
          ('2026-01-01');\nCREATE TABLE public.heir (extra int) INHERITS (public.ev);\nCOPY public.ev_1 (v, at) FROM \
          stdin;\nx\t2024-05-05\n\\.\nCOPY public.ev_2 FROM stdin;\n2025-05-05\tz\n\\.\nCOPY public.heir (at, v, extra) FROM stdin;\n2023-01-01\ty\t3\n\\.\n",
    );
    let found = files(&home, &dump);
    let both = vec![r#"{"at":"2024-05-05","v":"x"}"#.into(), r#"{"at":"2025-05-05","v":"z"}"#.into()];
    assert_eq!(found[0], ("ev".into(), both), "{:?}", dump.reasons);
    assert_eq!(found[1], ("heir".into(), vec![r#"{"at":"2023-01-01","v":"y","extra":"3"}"#.into()]));
    assert_eq!((dump.tables.len(), dump.left_out, dump.notes.len()), (2, 0, 2), "{:?}", dump.notes);
}

#[test]
fn what_the_database_computes_is_left_out_of_every_kind_of_dump() {
    let table =
        "CREATE TABLE t (id int PRIMARY KEY, up text GENERATED ALWAYS AS (upper(v)) STORED, v text);\n";
    for rows in [
        "COPY t (id, v) FROM stdin;\n1\ta\n\\.\n",
        "INSERT INTO t VALUES (1, DEFAULT, 'a');\n",
        "INSERT INTO t VALUES (1, 'a');\n",
        "INSERT INTO t (id, up, v) VALUES (1, 'A', 'a');\n",
    ] {
        let (home, dump) = read_text(format!("{table}{rows}").as_bytes());
        assert_eq!(files(&home, &dump)[0].1, [r#"{"id":"1","v":"a"}"#], "{rows}: {:?}", dump.reasons);
    }
}

#[test]
fn a_unique_column_that_may_be_null_is_no_key() {
    let (_home, dump) = read_text(
        b"CREATE TABLE t (a int UNIQUE, b text);\nCREATE TABLE u (a int NOT NULL UNIQUE, b text);\n",
    );
    assert_eq!((dump.tables[0].key.len(), dump.tables[1].key.len()), (0, 1));
}

#[test]
fn rows_that_mysql_replaces_are_rows() {
    let (home, dump) = read_text(
        b"CREATE TABLE `t` (`id` int, `ok` bit(1));\nREPLACE INTO `t` VALUES (1,b'1'),(2,'\x00');\n",
    );
    assert_eq!(files(&home, &dump)[0].1, [r#"{"id":"1","ok":"true"}"#, r#"{"id":"2","ok":"false"}"#]);
}

#[test]
fn a_file_that_is_no_sql_says_what_it_is() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("dump");
    for (bytes, said) in
        [(&b"\x1F\x8Bxx"[..], "gunzip"), (b"PGDMP...", "pg_restore"), (b"\xFF\xFEC\0", "iconv")]
    {
        std::fs::write(&path, bytes).unwrap();
        let error =
            read(&path, Target { directory: home.path(), overwrite: false }, &mut |_| {}).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn a_dump_that_is_read_otherwise_than_it_was_written_says_so() {
    let (home, dump) = read_text(
        b"-- PostgreSQL database dump\nSET standard_conforming_strings = off;\nCREATE TABLE t (id int PRIMARY KEY, v text);\n\
          INSERT INTO t VALUES (1, 'plain');\nINSERT INTO t VALUES (2, 'back\\\\slash');\n",
    );
    assert_eq!((files(&home, &dump)[0].1.len(), dump.left_out), (1, 1), "{:?}", dump.reasons);
    let (_home, dump) = read_text(b"SET client_encoding = 'LATIN1';\nCREATE TABLE t (id int PRIMARY KEY);\n");
    assert!(dump.left_out == 1 && dump.reasons[0].1.contains("LATIN1"), "{:?}", dump.reasons);
    let (_home, dump) =
        read_text(b"SET client_encoding = 'UTF8';\nCREATE TABLE t (id int);\nCOPY t FROM stdin;\n1\n");
    assert!(dump.left_out == 1 && dump.reasons[0].1.contains("the file ends before"), "{:?}", dump.reasons);
}
