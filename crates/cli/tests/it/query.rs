//! Statements that are answered through a design.

use serde_json::json;

use crate::support::{Home, Run};

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "user"
key = ["id"]
[table.columns]
id = { type = "string" }
name = { type = "string" }
age = { type = "int" }
[[table]]
name = "follow"
key = ["follower", "followed"]
[table.columns]
follower = { type = "string" }
followed = { type = "string" }
since = { type = "int" }
[table.references]
follower = "user.id"
followed = "user.id"
[[query]]
name = "whom does a user follow"
sql = "SELECT followed FROM follow WHERE follower = ? ORDER BY followed"
rate = 1
"#;

const DESIGN: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "users"
[[table.family]]
name = "f"
[[table.rows]]
from = "user"
key = ["id"]
cells = [{ family = "f", columns = ["name", "age"] }]
[[table]]
name = "follows"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["follower", "followed"]
cells = [{ family = "f", columns = ["since"] }]
[[table]]
name = "followers"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["followed", "follower"]
cells = [{ family = "f", columns = ["since"] }]
"#;

#[test]
fn what_is_no_statement_and_what_is_not_there_say_what_to_do() {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    home.file("design.toml", DESIGN);
    let run = home.run(["query", "design.toml", "whom does a user follows"]);
    assert!(run.code == 2 && run.stderr.contains("did you mean `whom does a user follow`"), "{}", run.stderr);
    let run = home.run(["query", "design.toml", "SELECT name FROM user"]);
    assert!(run.code == 2 && run.stderr.contains("tablesmith apply"), "{}", run.stderr);
}

#[test]
fn a_key_is_not_given_to_a_second_row() {
    let home = home();
    let change = "UPDATE user SET id = 'b' WHERE id = 'a'";
    assert_eq!(home.run(["query", "design.toml", "INSERT INTO user (id) VALUES ('a'), ('b')"]).code, 0);
    let run = home.run(["query", "design.toml", change]);
    assert!(run.code == 2 && run.stderr.contains("would have the key b"), "{}{}", run.text(), run.stderr);
    let run = home.run(["query", "design.toml", "INSERT INTO user (name) VALUES ('x')"]);
    assert!(run.code == 2 && run.stderr.contains("part of the key"), "{}{}", run.text(), run.stderr);
}

fn home() -> Home {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    home.file("design.toml", DESIGN);
    assert_eq!(home.run(["apply", "design.toml", "--yes"]).code, 0);
    for sql in [
        "INSERT INTO user VALUES ('a', 'Ann', 30), ('b', 'Bob', NULL), ('c', 'Cy', 50)",
        "INSERT INTO follow (follower, followed, since) VALUES ('a', 'b', 1), ('a', 'c', 2), ('b', 'c', 3)",
    ] {
        let run = home.run(["query", "design.toml", sql]);
        assert!(run.code == 0 && run.text().contains("3 rows added"), "{}{}", run.text(), run.stderr);
    }
    home
}

fn ask(home: &Home, sql: &str, more: &[&str]) -> Run {
    let arguments = ["--format", "json", "query", "design.toml", sql];
    home.run(arguments.into_iter().chain(more.iter().copied()))
}

#[test]
fn queries_are_answered_with_rows_and_the_way_to_them() {
    let home = home();
    let run = ask(&home, "whom does a user follow", &["--param", "1=a"]);
    let answer = run.json().remove(0);
    assert_eq!(
        (&answer["columns"], &answer["rows"]),
        (&json!(["followed"]), &json!([["b"], ["c"]])),
        "{}",
        run.stderr
    );
    let step = &answer["plan"]["steps"][0];
    assert_eq!((&step["table"], &step["actual"]["records"]), (&json!("follows"), &json!(2.0)), "{answer}");
    let sql = "SELECT u.name, f.since FROM follow f JOIN user u ON u.id = f.follower WHERE f.followed = :who \
               ORDER BY since DESC";
    let answer = ask(&home, sql, &["--param", "who=c"]).json().remove(0);
    assert_eq!(answer["rows"], json!([["Bob", 3], ["Ann", 2]]));
    assert_eq!(answer["plan"]["steps"][0]["table"], "followers", "the table in whose order the rows lie");
    let answer = ask(&home, "SELECT COUNT(*), AVG(age), MIN(name) FROM user", &[]).json().remove(0);
    assert_eq!(answer["rows"], json!([[3, 40.0, "Ann"]]));
    let run = home.run(["query", "design.toml", "SELECT name, age FROM user WHERE age IS NULL", "--explain"]);
    assert!(run.text().starts_with("name  age\n----  ----\nBob   NULL\n(1 row)\n"), "{}", run.text());
    assert!(run.text().contains("took: "), "{}", run.text());
    let run = home.run(["query", "design.toml", "EXPLAIN SELECT * FROM user"]);
    assert!(run.text().contains("full scan of users") && !run.text().contains("took"), "{}", run.text());
    assert!(run.text().contains("without statistics: 1000000 rows are assumed for user"), "{}", run.text());
}

#[test]
fn changes_reach_all_copies() {
    let home = home();
    let run = home.run([
        "query",
        "design.toml",
        "UPDATE follow SET since = since + 10 WHERE since > 1 OR follower = 'x'",
    ]);
    assert!(run.text().contains("2 rows changed"), "{}{}", run.text(), run.stderr);
    let run =
        home.run(["query", "design.toml", "DELETE FROM follow WHERE follower = 'a' AND followed = 'b'"]);
    assert!(run.text().contains("1 row removed"), "{}{}", run.text(), run.stderr);
    for by in ["follower = 'a'", "followed = 'c'"] {
        let answer = ask(&home, &format!("SELECT SUM(since) FROM follow WHERE {by}"), &[]).json().remove(0);
        let sum = if by.starts_with("follower") { 12 } else { 25 };
        assert_eq!(answer["rows"], json!([[sum]]), "{answer}");
    }
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let home = home();
    for (sql, part) in [
        (
            "SELECT nam FROM user",
            "error: there is no column \"nam\" in user; did you mean \"name\"?\n --> sql:1:8\n  |\n1 | SELECT nam FROM user\n  |        ^^^",
        ),
        ("SELECT name FROM user LEFT JOIN follow ON id = follower", "LEFT JOIN is not supported"),
        ("SELECT name FROM user WHERE id = ?", "the parameter ? (number 1) has no value"),
        ("SELECT name FROM user WHERE age = 'old'", "is not a value of type int"),
        ("INSERT INTO user (id, id) VALUES ('a', 'b')", "INSERT of id twice is not supported: name it once"),
    ] {
        let run = home.run(["query", "design.toml", sql]);
        assert!(run.code == 2 && run.stderr.contains(part), "{sql}: {} {}", run.code, run.stderr);
    }
    for (given, part) in [
        (["--param", "1=a", "--param", "who=b"], "the statement has no parameter \"who\""),
        (["--param", "1=a", "--param", "?1=b"], "the parameter \"1\" is given twice"),
    ] {
        let words = ["query", "design.toml", "SELECT name FROM user WHERE id = ?"];
        let run = home.run(words.into_iter().chain(given));
        assert!(run.code == 2 && run.stderr.contains(part), "{run:?}");
    }
    let empty = Home::new();
    empty.file("workload.toml", WORKLOAD);
    empty.file("design.toml", DESIGN);
    let run = empty.run(["query", "design.toml", "SELECT name FROM user"]);
    assert_eq!(run.code, 2, "the store has no such table: {}", run.stderr);
}

#[test]
fn adding_to_a_counter_is_told_as_the_one_increment_that_it_is() {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    let counting = DESIGN.replace(
        "columns = [\"name\", \"age\"] }",
        "columns = [\"name\"] }, { family = \"f\", columns = [\"age\"], encoding = \"i64\" }",
    );
    home.file("design.toml", counting);
    let explain = |sql: &str| home.run(["query", "design.toml", &format!("EXPLAIN {sql}")]).text();
    let counted = explain("UPDATE user SET age = age + 1 WHERE id = 'ada'");
    assert!(counted.contains("one increment of users") && !counted.contains("write"), "{counted}");
    let read_first = explain("UPDATE user SET age = age + 1 WHERE name = 'ada'");
    assert!(read_first.contains("write users"), "{read_first}");
}

#[test]
fn tables_that_are_not_made_yet_are_the_users_to_make() {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    home.file("design.toml", DESIGN);
    for arguments in [vec!["query", "design.toml", "SELECT name FROM user"], vec!["repair", "design.toml"]] {
        let run = home.run(arguments);
        assert!(run.code == 2 && run.stderr.contains("tablesmith apply"), "{run:?}");
    }
    let run = home.run(["check", "--store", "embedded:s", "--table", "nope"]);
    assert!(run.code == 2 && run.stderr.contains("has no table nope"), "{run:?}");
}

/// A query of the workload is executed by the plan in the design, also where another table would look cheaper; a statement that
/// the plan's tables cannot answer says so.
#[test]
fn the_plan_in_the_design_is_executed() {
    let home = home();
    let plan = |table: &str| {
        format!(
            "{DESIGN}[[query]]\nname = \"whom does a user follow\"\nplan = [{{ table = \"{table}\", access = \"scan\" }}]\n"
        )
    };
    let explain = |sql: &str| {
        let run = ask(&home, sql, &[]);
        assert_eq!(run.code, 0, "{run:?}");
        run.json().remove(0)["plan"].clone()
    };
    let sql = "EXPLAIN SELECT followed FROM follow WHERE follower = 'ada' ORDER BY followed";
    for (table, origin) in [("follows", "design"), ("followers", "design"), ("users", "differs")] {
        home.file("design.toml", plan(table));
        let told = explain(sql);
        assert_eq!(told["origin"], origin, "{told}");
        let read = if origin == "design" { table } else { "follows" };
        assert_eq!(told["steps"][0]["table"], read, "{told}");
    }
    assert_eq!(explain("EXPLAIN SELECT since FROM follow WHERE follower = 'ada'")["origin"], "planner");
}

#[test]
fn a_change_says_what_it_took() {
    let home = home();
    let change = "UPDATE follow SET since = 7 WHERE follower = 'a' AND followed = 'b'";
    let run = home.run(["query", "design.toml", change, "--explain"]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = run.text();
    assert!(
        text.contains("write followers") && text.contains("took: 2 calls, 1 row read, 2 rows written"),
        "{text}"
    );
    let told = ask(&home, change, &[]).json().remove(0);
    assert!(told["plan"]["actual"]["calls"].as_u64().unwrap() > 0, "{told}");
}

/// Rows under 16 prefixes in the order of their ids: every scan has to begin, however few rows are wanted.
#[test]
fn a_merge_with_a_limit_is_estimated_as_it_runs() {
    let home = home();
    home.file(
        "design.toml",
        DESIGN
            .replace("name = \"users\"", "name = \"spread\"")
            .replace("[\"id\"]", "['md5_mod(id, 16)', 'id']"),
    );
    assert_eq!(home.run(["apply", "design.toml", "--yes"]).code, 0);
    let rows: Vec<String> = (0..200).map(|row| format!("('u{row:03}', 'n', {row})")).collect();
    let insert = format!("INSERT INTO user (id, name, age) VALUES {}", rows.join(", "));
    assert_eq!(ask(&home, &insert, &[]).code, 0);
    let answer = ask(&home, "SELECT id FROM user ORDER BY id LIMIT 5", &[]).json().remove(0);
    assert_eq!(answer["rows"].as_array().unwrap().len(), 5, "{answer}");
    let step = &answer["plan"]["steps"][0];
    let calls = |when: &str| step[when]["calls"].as_f64().unwrap();
    assert!(calls("expected") == 16.0 && (16.0..=24.0).contains(&calls("actual")), "{step}");
}
