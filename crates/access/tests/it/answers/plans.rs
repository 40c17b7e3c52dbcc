//! How queries are answered: which tables are read, and what is left to be done above.

use std::sync::Arc;

use tablesmith_access::answer::{Database, Explain};
use tablesmith_access::{Living, Steps};
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement, Query, Statement};
use tablesmith_store::Store;

use crate::stores::memory;

const WORKLOAD: &str = r#"
version = 1
[[table]]
name = "user"
key = ["id"]
rows = 1000
columns = { id = { type = "string" }, name = { type = "string" }, twits = { type = "int" } }
[[table]]
name = "follow"
key = ["follower", "followed"]
rows = 20000
columns = { follower = { type = "string", distinct = 1000 }, followed = { type = "string", distinct = 1000 }, since = { type = "int" } }
references = { follower = "user.id", followed = "user.id" }
[[table]]
name = "twit"
key = ["id"]
rows = 5000
columns = { id = { type = "int" }, author = { type = "string", distinct = 1000 }, at = { type = "int" }, text = { type = "string" } }
references = { author = "user.id" }
"#;

const DESIGN: &str = r#"
version = 1
workload = "workload.toml"
[[table]]
name = "users"
[[table.family]]
name = "f"
[[table.rows]]
from = "user"
key = ["id"]
cells = [{ family = "f", columns = ["name"] }, { family = "f", columns = ["twits"], encoding = "i64" }]
[[table]]
name = "follows"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["follower"]
cells = [{ family = "f", qualifier = "followed", value = "since" }]
[[table]]
name = "twits"
[[table.family]]
name = "f"
[[table.rows]]
from = "twit"
key = ["author", "desc(at)", "id"]
cells = [{ family = "f", columns = ["text"] }]
[[table]]
name = "stream"
[[table.family]]
name = "f"
[[table.rows]]
from = "twit"
join = ["follow.followed"]
key = ["follow.follower", "desc(at)", "id"]
cells = [{ family = "f", columns = ["author", "text"] }]
"#;

/// Users with their twits: in one row, and in rows beside each other.
const BESIDE: [&str; 2] = [
    r#"
version = 1
workload = "workload.toml"
[[table]]
name = "users"
family = [{ name = "f" }, { name = "c" }]
[[table.rows]]
from = "user"
key = ["id"]
cells = [{ family = "f", columns = ["name", "twits"] }]
[[table.rows]]
from = "twit"
key = ["author"]
cells = [{ family = "c", qualifier = "desc(at), id", value = "text" }]
"#,
    r#"
version = 1
workload = "workload.toml"
[[table]]
name = "users"
family = [{ name = "f" }]
[[table.rows]]
from = "user"
key = ["id", 'const("0")']
cells = [{ family = "f", columns = ["name", "twits"] }]
[[table.rows]]
from = "twit"
key = ["author", 'const("1")', "desc(at)", "id"]
cells = [{ family = "f", columns = ["text"] }]
"#,
];

fn design() -> (Arc<Workload>, Design) {
    let workload = Workload::parse(WORKLOAD).unwrap();
    let design = Design::parse_for(DESIGN, &workload).unwrap();
    (Arc::new(workload), design)
}

fn query(sql: &str) -> Query {
    match PreparedStatement::new(sql, &design().0, Dialect::Generic)
        .unwrap()
        .bind(&Parameters::none())
        .unwrap()
    {
        Statement::Select(query) => query,
        other => panic!("{other:?}"),
    }
}

fn explain(sql: &str) -> Explain {
    let (workload, design) = design();
    Database::new(workload, &design).unwrap().plan_query(None, &query(sql)).unwrap().explain()
}

/// The tables that are read, and what is done, in order.
fn steps(sql: &str) -> Vec<String> {
    explain(sql).steps.into_iter().map(|step| step.what).collect()
}

#[test]
fn what_the_design_stores_as_it_is_asked_takes_one_read() {
    for (sql, expected) in [
        ("SELECT followed FROM follow WHERE follower = 'a'", &["get of follows (f)"][..]),
        (
            "SELECT COUNT(*) FROM follow WHERE follower = 'a' AND followed = 'b'",
            &["get of follows (f), 1 cells of each row", "group into one: COUNT(*)"],
        ),
        (
            "SELECT t.text FROM twit t JOIN follow f ON f.followed = t.author WHERE f.follower = 'a' \
             ORDER BY t.at DESC LIMIT 10",
            &["scan of stream (f), at most 10", "at most 10 rows"],
        ),
        (
            "SELECT text FROM twit WHERE author = 'a' ORDER BY at DESC LIMIT 3",
            &["scan of twits (f), at most 3", "at most 3 rows"],
        ),
        (
            "SELECT text FROM twit WHERE author = 'a' AND at < 7 ORDER BY at DESC LIMIT 3",
            &["scan of twits (f); checks at < 7", "at most 3 rows"],
        ),
        (
            "SELECT SUM(twits), COUNT(*) FROM user",
            &["aggregate inside the regions of users: SUM(twits), COUNT(*)"],
        ),
    ] {
        assert_eq!(steps(sql), expected, "{sql}");
    }
}

#[test]
fn what_is_not_stored_is_joined_sorted_and_checked_above() {
    let steps = |sql: &str| steps(sql).join("\n");
    let told = steps(
        "SELECT u.name FROM follow f, user u WHERE u.id = f.followed AND f.follower = 'a' ORDER BY u.name",
    );
    assert_eq!(told, "get of follows (f)\njoin: gets of users (f) by key, 512 rows at a time\nsort");
    let told = steps("SELECT text FROM twit WHERE author = 'a' ORDER BY text LIMIT 3 OFFSET 2");
    assert_eq!(
        told,
        "scan of twits (f)\nsort, the first 5 are kept\n2 rows are passed over, then at most 3 rows"
    );
    let told = steps("SELECT name FROM user WHERE id = 'a' OR name <> 'b'");
    assert_eq!(told, "full scan of users (f); 1 condition checked here");
    let told = steps("SELECT name FROM user WHERE id = 'a' AND 1 = 2");
    assert_eq!(told, "get of users (f); 1 condition checked here");
    let told = steps("SELECT name FROM user WHERE id = 'a' AND FALSE");
    assert!(told.contains("nothing is read"), "{told}");
}

#[tokio::test]
async fn what_a_plan_expected_stands_beside_what_it_took() {
    let (workload, design) = design();
    let store = memory();
    Steps::of(&design, &Living::default(), &[]).unwrap().make(&store, &mut |_| {}).await.unwrap();
    let database = Database::new(workload, &design).unwrap();
    for sql in [
        "INSERT INTO user VALUES ('a', 'Ann', 0), ('b', 'Bob', 2)",
        "INSERT INTO follow VALUES ('a', 'b', 1)",
        "INSERT INTO twit VALUES (1, 'b', 10, 'one'), (2, 'b', 20, 'two')",
    ] {
        let Statement::Insert(insert) = PreparedStatement::new(sql, &design_workload(), Dialect::Generic)
            .unwrap()
            .bind(&Parameters::none())
            .unwrap()
        else {
            panic!("{sql}")
        };
        database.insert(&store, &insert).await.unwrap();
    }
    let sql = "SELECT t.text, t.author FROM twit t JOIN follow f ON f.followed = t.author WHERE f.follower = 'a' \
               ORDER BY t.at DESC LIMIT 1";
    let plan = database.plan_query(None, &query(sql)).unwrap();
    let mut answer = database.answer(&store as &dyn Store, &plan).unwrap();
    let rows = answer.all().await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0][0].to_string(), rows[0][1].to_string()), ("two".to_owned(), "b".to_owned()));
    let explain = answer.explain();
    let actual = explain.steps[0].actual.unwrap();
    assert_eq!((actual.rows, actual.records), (1.0, 1.0), "the limit goes down into the read: {explain}");
    assert!(explain.steps[0].expected.is_some() && explain.to_string().contains("took: "), "{explain}");
}

fn design_workload() -> Arc<Workload> {
    design().0
}

#[tokio::test]
async fn a_parent_and_its_children_that_lie_side_by_side_are_one_call() {
    let workload = design_workload();
    let rows = [
        "INSERT INTO user VALUES ('a', 'Ann', 0), ('b', 'Bob', 2), ('c', NULL, NULL), ('ab', 'Abe', 1)",
        "INSERT INTO twit VALUES (1, 'b', 10, 'one'), (2, 'b', 20, 'two'), (3, 'nobody', 5, 'x'), (4, 'ab', 1, 'y')",
        "INSERT INTO twit VALUES (5, 'c', 7, 'z')",
    ];
    for (text, words) in BESIDE.into_iter().zip(["get of users (f, c)", "scan of users (f)"]) {
        let design = Design::parse_for(text, &workload).unwrap();
        let store = memory();
        Steps::of(&design, &Living::default(), &[]).unwrap().make(&store, &mut |_| {}).await.unwrap();
        let database = Database::new(Arc::clone(&workload), &design).unwrap();
        for sql in rows {
            let asked = PreparedStatement::new(sql, &workload, Dialect::Generic)
                .unwrap()
                .bind(&Parameters::none())
                .unwrap();
            let Statement::Insert(insert) = asked else { panic!("{sql}") };
            database.insert(&store, &insert).await.unwrap();
        }
        for (sql, expected) in [
            (
                "SELECT u.name, t.text FROM user u JOIN twit t ON t.author = u.id WHERE u.id = 'b'",
                "Bob two, Bob one",
            ),
            (
                "SELECT u.name, t.text FROM twit t JOIN user u ON t.author = u.id WHERE t.author = 'b' ORDER BY t.at DESC LIMIT 1",
                "Bob two",
            ),
            ("SELECT u.name, t.text FROM user u JOIN twit t ON t.author = u.id WHERE u.id = 'a'", ""),
            ("SELECT u.name, t.text FROM user u JOIN twit t ON t.author = u.id WHERE u.id = 'nobody'", ""),
            ("SELECT u.name, t.text FROM user u JOIN twit t ON t.author = u.id WHERE u.id = 'c'", "NULL z"),
            (
                "SELECT u.name, t.text FROM user u JOIN twit t ON t.author = u.id WHERE u.id = 'b' AND t.text > 'p' AND u.twits = 2",
                "Bob two",
            ),
            (
                "SELECT u.name, t.text FROM user u JOIN twit t ON t.author = u.id WHERE u.id = 'b' AND u.twits = 3",
                "",
            ),
        ] {
            let plan = database.plan_query(None, &query(sql)).unwrap();
            let mut answer = database.answer(&store as &dyn Store, &plan).unwrap();
            let all = answer.all().await.unwrap();
            let said: Vec<String> = all
                .iter()
                .map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
                .collect();
            assert_eq!(
                said.join(", ").to_uppercase(),
                expected.to_uppercase(),
                "{sql}\n{}",
                answer.explain()
            );
            let steps = answer.explain().steps;
            let limit =
                if sql.ends_with("LIMIT 1") && words.starts_with("scan") { ", at most 2" } else { "" };
            let expected = format!("{words}{limit}, both kinds of rows at once");
            assert!(steps[0].what.starts_with(&expected), "{sql}: {}", steps[0].what);
            let actual = steps[0].actual.unwrap();
            assert_eq!(actual.calls, 1.0, "{sql}");
            if sql.ends_with("LIMIT 1") {
                assert!(actual.rows <= 2.0, "the parent and its newest child: {actual:?}");
            }
        }
    }
}

#[test]
fn a_limit_of_mixed_rows_counts_only_their_own() {
    let workload = design_workload();
    let design = Design::parse_for(BESIDE[1], &workload).unwrap();
    let designed = Database::new(workload, &design).unwrap();
    let words = |sql: &str| designed.plan_query(None, &query(sql)).unwrap().explain().steps[0].what.clone();
    assert_eq!(words("SELECT name FROM user LIMIT 5"), "full scan of users (f)", "twits lie between users");
    assert_eq!(words("SELECT text FROM twit WHERE author = 'a' LIMIT 5"), "scan of users (f), at most 5");
}
