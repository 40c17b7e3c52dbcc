//! `tablesmith init`: from data files and a log to a workload.toml.

use tablesmith_model::workload::Workload;

use crate::support::Home;

const USERS: &str = "id,name,country\n1,Ada,GB\n2,Grace,US\n3,Edsger,NL\n";

fn workload(home: &Home, name: &str) -> Workload {
    Workload::parse(&std::fs::read_to_string(home.path(name)).unwrap()).unwrap()
}

#[test]
fn data_files_become_tables() {
    let home = Home::new();
    home.file("users.csv", USERS);
    home.file("follow.jsonl", "{\"follower\": 1, \"followed\": 2}\n{\"follower\": 2, \"followed\": 1}\n");
    let run = home.run(["init", "--data", "users.csv", "--data", "follow.jsonl"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.text().contains("users (users.csv): 3 rows, 3 columns, key id"), "{}", run.text());
    let workload = workload(&home, "workload.toml");
    let users = workload.table("users").unwrap();
    assert_eq!(
        (users.rows, users.data.as_deref(), users.key.as_slice()),
        (Some(3), Some("users.csv"), &["id".to_owned()][..])
    );
    assert_eq!(workload.table("follow").unwrap().columns.len(), 2);
}

#[test]
fn the_kinds_of_statements_in_a_log_become_queries() {
    let home = Home::new();
    home.file("users.csv", USERS);
    let mut log = "SELECT name FROM users WHERE id = 1;\nSELECT name FROM users WHERE id = 2;\n".repeat(20);
    log.push_str("SELECT x FROM elsewhere;\nthis is no statement at all;\n");
    home.file("queries.sql", &log);
    let run = home.run(["init", "--data", "users.csv", "--log", "queries.sql", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let told = &run.json()[0];
    assert_eq!((&told["log"]["statements"], &told["log"]["queries"]), (&42.into(), &1.into()), "{told}");
    assert_eq!(
        (&told["log"]["other_tables"], &told["log"]["not_understood"]["count"]),
        (&1.into(), &1.into()),
        "{told}"
    );
    let workload = workload(&home, "workload.toml");
    assert_eq!(workload.queries.len(), 1);
    assert_eq!(workload.log.unwrap().path, "queries.sql");
    let text = home.run(["init", "--data", "users.csv", "--log", "queries.sql", "--force"]).text();
    assert!(text.contains("cannot be understood") && text.contains("line 42"), "{text}");
}

#[test]
fn rows_that_queries_join_are_counted_together() {
    let home = Home::new();
    // One author wrote most, and most follow that author.
    home.file("follow.csv", "follower,followed\na,z\nb,z\nc,z\na,b\n");
    home.file("twit.csv", "id,author\n1,z\n2,z\n3,z\n4,b\n5,c\n");
    let sql = "SELECT twit.id FROM follow JOIN twit ON twit.author = follow.followed WHERE follow.follower = 'a';\n";
    home.file("queries.sql", sql.repeat(10));
    let asked = ["init", "--data", "follow.csv", "--data", "twit.csv", "--log", "queries.sql"];
    let run = home.run(asked);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.text().contains("follow.followed = twit.author: 10 pairs of rows belong together"),
        "{}",
        run.text()
    );
    let workload = workload(&home, "workload.toml");
    let joins: Vec<(String, String, u64)> =
        workload.joins.iter().map(|join| (join.one.to_string(), join.other.to_string(), join.rows)).collect();
    assert_eq!(joins, [("follow.followed".to_owned(), "twit.author".to_owned(), 10)]);
}

#[test]
fn a_log_about_nothing_here_is_told() {
    let home = Home::new();
    home.file("users.csv", USERS);
    home.file("other.sql", "SELECT x FROM elsewhere;\n");
    home.file("empty.sql", "");
    for log in ["other.sql", "empty.sql"] {
        let run = home.run(["init", "--data", "users.csv", "--log", log, "--force"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.text().contains("No statement of it is about these tables"), "{}", run.text());
    }
}

#[test]
fn a_file_without_rows_and_a_table_without_queries_are_told() {
    let home = Home::new();
    home.file("users.csv", "id,name\n");
    let run = home.run(["init", "--data", "users.csv"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.text().contains("the file has no rows"), "{}", run.text());
    let families = home.run(["families", "workload.toml"]);
    assert!(families.text().contains("no query is known"), "{families:?}");
}

#[test]
fn a_file_is_never_written_over_unless_it_is_wished() {
    let home = Home::new();
    home.file("users.csv", USERS);
    home.file("workload.toml", "mine");
    let run = home.run(["init", "--data", "users.csv"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("workload.toml exists") && run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(home.path("workload.toml")).unwrap(), "mine");
    assert_eq!(home.run(["init", "--data", "users.csv", "--force"]).code, 0);
    assert!(workload(&home, "workload.toml").table("users").is_some());
}

#[test]
fn paths_are_seen_from_the_workload() {
    let home = Home::new();
    home.file("users.csv", USERS);
    std::fs::create_dir(home.path("sub")).unwrap();
    assert_eq!(home.run(["init", "--data", "users.csv", "-o", "sub/w.toml"]).code, 0);
    assert_eq!(workload(&home, "sub/w.toml").tables[0].data.as_deref(), Some("../users.csv"));
}

#[test]
fn bad_files_are_2_and_point_at_the_place() {
    let home = Home::new();
    home.file("twice.csv", "a,b,a\n1,2,3\n");
    home.file("empty.csv", "");
    home.file("shape.csv", "a,b\n1\n2\n");
    home.file("users.csv", USERS);
    for (file, said) in [
        (
            "twice.csv",
            "error: two columns have the name `a`\n --> twice.csv:1:5\n  |\n1 | a,b,a\n  |     ^ expected a name of its own",
        ),
        ("empty.csv", "error: empty.csv is empty"),
        (
            "shape.csv",
            "error: this line has 1 field where the header has 2\n --> shape.csv:2:2\n  |\n2 | 1\n  |  ^ expected 2 fields",
        ),
        (".", "is a directory"),
        ("missing.csv", "cannot read missing.csv"),
    ] {
        let run = home.run(["init", "--data", file]);
        assert_eq!(run.code, 2, "{file}: {run:?}");
        assert!(run.stderr.contains(said), "{file}: {}", run.stderr);
        assert!(!home.path("workload.toml").exists(), "{file} leaves a workload");
    }
    assert_eq!(home.run(["init", "--data", "users.csv", "--log", "missing.sql"]).code, 2);
    assert_eq!(home.run(["init", "--data", "users.csv", "-o", "nowhere/w.toml"]).code, 2);
    assert_eq!(home.run(["init"]).code, 2);
}

#[test]
fn lines_that_do_not_fit_are_shown() {
    let home = Home::new();
    home.file("t.csv", "a,b\n1,2\n3\n4,5\n");
    let run = home.run(["init", "--data", "t.csv"]);
    assert_eq!(run.code, 0);
    assert!(run.text().contains("1 line was left out"), "{}", run.text());
    assert!(run.text().contains("line 3: this line has 1 field where the header has 2: 3"), "{}", run.text());
    let json = &home.run(["init", "--data", "t.csv", "--force", "--format", "json"]).json()[0];
    assert_eq!(
        (&json["tables"][0]["rows"], &json["tables"][0]["bad_lines"]["count"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn a_dump_that_lost_something_says_so_by_its_exit_code() {
    let home = Home::new();
    home.file("whole.sql", "CREATE TABLE a.t (id int PRIMARY KEY);\nCREATE TABLE b.t (id int PRIMARY KEY);\nINSERT INTO b.t VALUES (1);\n");
    let run = home.run(["init", "--schema", "whole.sql", "-o", "one/workload.toml"]);
    assert_eq!(run.code, 2, "the directory is not there: {run:?}");
    let run = home.run(["init", "--schema", "whole.sql", "--format", "json"]);
    let told = run.json().remove(0);
    assert_eq!((run.code, &told["schema"]["tables"]), (0, &serde_json::json!(["t", "b_t"])), "{told}");
    assert!(told["schema"]["notes"][0].as_str().unwrap().contains("\"b_t\""), "{told}");
    home.file("lost.sql", "CREATE TABLE t (id int PRIMARY KEY);\nINSERT INTO t VALUES (now());\n");
    let run = home.run(["init", "--schema", "lost.sql", "--force"]);
    assert!(run.code == 1 && run.text().contains("a row of \"t\""), "{run:?}");
}
