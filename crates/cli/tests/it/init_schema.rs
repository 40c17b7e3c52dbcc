//! `tablesmith init --schema`: the way in from a relational database.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Reference, Workload};

use crate::support::Home;

const POSTGRES: &str = "\
--
-- PostgreSQL database dump
--
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END; $$;
CREATE TABLE public.follow (
    follower integer NOT NULL,
    followed integer NOT NULL,
    since timestamp with time zone
);
ALTER TABLE public.follow OWNER TO postgres;
CREATE TABLE public.users (
    id integer NOT NULL,
    zip character varying(10),
    bio text
);
COPY public.follow (follower, followed, since) FROM stdin;
1\t2\t2024-01-01 10:00:00+00
2\t1\t\\N
\\.

COPY public.users (id, zip, bio) FROM stdin;
1\t01234\tlikes; 'quotes' and\\ttabs, \"too\"
2\t04321\t
\\.

ALTER TABLE ONLY public.follow
    ADD CONSTRAINT follow_pkey PRIMARY KEY (follower, followed);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.follow
    ADD CONSTRAINT follow_follower_fkey FOREIGN KEY (follower) REFERENCES public.users(id);
";

fn workload(home: &Home) -> Workload {
    Workload::parse(&std::fs::read_to_string(home.path("workload.toml")).unwrap()).unwrap()
}

#[test]
fn a_postgres_dump_becomes_tables_with_their_rows() {
    let home = Home::new();
    home.file("dump.sql", POSTGRES);
    home.file("queries.sql", "SELECT followed FROM follow WHERE follower = 1;\n".repeat(10));
    let run = home.run(["init", "--schema", "dump.sql", "--log", "queries.sql"]);
    assert_eq!(run.code, 0, "{run:?}");
    let workload = workload(&home);
    let follow = workload.table("follow").unwrap();
    assert_eq!(follow.key, ["follower", "followed"]);
    assert_eq!((follow.rows, follow.data.as_deref()), (Some(2), Some("follow.jsonl")));
    let reference = Reference { column: "follower".into(), table: "users".into(), target: "id".into() };
    assert_eq!(follow.references, [reference]);
    let users = workload.table("users").unwrap();
    assert_eq!(
        users.column("zip").unwrap().value_type,
        ValueType::String,
        "a declared type is not guessed again"
    );
    assert_eq!(workload.queries.len(), 1);
    let rows = std::fs::read_to_string(home.path("users.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    assert_eq!(first["bio"], "likes; 'quotes' and\ttabs, \"too\"");
    assert!(rows.lines().nth(1).unwrap().ends_with(r#""bio":""}"#), "{rows}");
    let again = home.run(["init", "--schema", "dump.sql", "-o", "other.toml"]);
    assert_eq!(again.code, 2, "{again:?}");
    assert!(format!("{again:?}").contains("follow.jsonl exists already"), "{again:?}");
}

#[test]
fn a_mysql_dump_becomes_tables_with_their_rows() {
    let home = Home::new();
    let dump = "-- MySQL dump 10.13\n/*!40101 SET NAMES utf8 */;\nDROP TABLE IF EXISTS `orders`;\nCREATE TABLE `orders` (\n  \
                `id` int(11) NOT NULL AUTO_INCREMENT,\n  `note` varchar(40) DEFAULT NULL,\n  `price` decimal(8,2) NOT NULL,\n  \
                PRIMARY KEY (`id`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8;\nLOCK TABLES `orders` WRITE;\nINSERT INTO \
                `orders` VALUES (1,'it\\'s; fine',9.50),(2,NULL,10.00),(3,'x');\nUNLOCK TABLES;\n";
    home.file("dump.sql", dump);
    let run = home.run(["init", "--schema", "dump.sql"]);
    assert_eq!(run.code, 1, "a row is lost: {run:?}");
    let text = run.text();
    assert!(text.contains("1 statement or row left out") && text.contains("has 2 values, not 3"), "{text}");
    let rows = std::fs::read_to_string(home.path("orders.jsonl")).unwrap();
    let notes: Vec<&str> = rows.lines().map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!(notes, [r#""note":"it's; fine""#, r#""note":null"#]);
    assert_eq!(
        workload(&home).table("orders").unwrap().column("price").unwrap().value_type,
        ValueType::Decimal
    );
}

#[test]
fn declarations_alone_are_enough_and_data_files_go_with_them() {
    let home = Home::new();
    home.file(
        "schema.sql",
        "CREATE TABLE Users (id INTEGER PRIMARY KEY, zip TEXT);\nCREATE TABLE empty (a INT);",
    );
    home.file("users.csv", "id,zip\n1,01234\n");
    let run = home.run(["init", "--schema", "schema.sql", "--data", "users.csv"]);
    assert_eq!(run.code, 0, "{run:?}");
    let workload = workload(&home);
    let users = workload.table("Users").unwrap();
    assert_eq!((users.rows, users.column("zip").unwrap().value_type), (Some(1), ValueType::String));
    assert_eq!(workload.table("empty").unwrap().rows, None);
}

#[test]
fn a_dump_without_tables_says_what_to_give() {
    let home = Home::new();
    home.file("queries.sql", "SELECT 1;");
    let run = home.run(["init", "--schema", "queries.sql"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(format!("{run:?}").contains("declares no table"), "{run:?}");
    assert_eq!(home.run(["init", "--schema", "nowhere.sql"]).code, 2);
    assert_eq!(home.run(["init"]).code, 2);
}

#[test]
fn statements_go_on_naming_schemas_and_what_is_not_there_is_not_asked() {
    let home = Home::new();
    home.file(
        "dump.sql",
        "-- PostgreSQL database dump\nCREATE TABLE archive.orders (id integer NOT NULL, why text, up text GENERATED ALWAYS AS \
         (upper(why)) STORED);\nCREATE TABLE public.orders (id integer NOT NULL, note text);\nCOPY archive.orders (id, why) FROM \
         stdin;\n1\told\n\\.\nCOPY public.orders (id, note) FROM stdin;\n1\tnew\n\\.\nALTER TABLE ONLY public.orders ADD \
         CONSTRAINT a PRIMARY KEY (id);\nALTER TABLE ONLY archive.orders ADD CONSTRAINT b PRIMARY KEY (id);\n",
    );
    let kept = "SELECT why FROM archive.orders WHERE id = 1;\nSELECT note FROM orders WHERE id = 1;\n";
    let log = format!("{}SELECT up FROM archive.orders WHERE id = 1;\n", kept.repeat(10));
    home.file("queries.sql", format!("SELECT up FROM archive.orders WHERE id = 2;\n{log}"));
    let run = home.run(["init", "--schema", "dump.sql", "--log", "queries.sql"]);
    assert!(run.code == 0 && run.text().contains("\"up\""), "{run:?}");
    assert_eq!(workload(&home).queries.len(), 2, "{}", run.text());
    for words in [
        vec!["design", "workload.toml", "-o", "design.toml"],
        vec!["apply", "design.toml", "--yes"],
        vec!["load", "design.toml"],
    ] {
        let run = home.run(words);
        assert_eq!(run.code, 0, "{run:?}");
    }
    let ask = |sql: &str| home.run(["query", "design.toml", sql]);
    assert!(ask("SELECT orders.why FROM archive.orders WHERE orders.id = 1").text().contains("old"));
    assert!(ask("SELECT note FROM public.orders WHERE id = 1").text().contains("new"));
    let both =
        "SELECT a.why, o.note FROM archive.orders a JOIN public.orders o ON a.id = o.id WHERE o.id = 1";
    assert!(ask(both).text().contains("old"));
    let gone = ask("DELETE FROM nosuch.orders WHERE id = 1");
    assert!(gone.code == 2 && gone.stderr.contains("nosuch.orders"), "{gone:?}");
    assert!(ask("SELECT COUNT(*) FROM orders").text().contains('1'));
}
