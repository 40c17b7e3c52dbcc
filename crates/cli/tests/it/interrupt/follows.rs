//! People who follow each other, in a store: what commands are interrupted at.

use crate::support::Home;

/// The store.
pub const STORE: &str = "embedded:tables";

/// Edges of the graph.
const EDGES: usize = 3_000;

/// A home with a workload, its design, and a store that has the tables and all rows.
pub fn loaded() -> Home {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    home.file("design.toml", DESIGN);
    let users = (0..100).map(|id| format!("u{id:03},name {id}\n"));
    home.file("user.csv", "id,name\n".to_owned() + &users.collect::<String>());
    let edges = (0..EDGES).map(|edge| {
        format!("u{:03},u{:03},2024-01-{:02}\n", edge % 100, (edge * 7 + edge / 100) % 100, edge % 28 + 1)
    });
    home.file("follow.csv", "follower,followed,since\n".to_owned() + &edges.collect::<String>());
    for command in [&["apply", "design.toml", "--yes"][..], &["load", "design.toml"]] {
        let run = home.run([command, &["--store", STORE]].concat());
        assert_eq!(run.code, 0, "{run:?}");
    }
    check(&home);
    home
}

/// Whether the store has all rows and no other table, and index tables are as they should be.
pub fn check(home: &Home) {
    let script = "list; list_namespace; count 'user'; count 'follow'; count 'follow_by_followed'";
    let run = home.run(["shell", "--format", "json", "--store", STORE, "-c", script]);
    assert_eq!(run.code, 0, "{run:?}");
    let answers = run.json();
    assert_eq!(
        answers[0]["tables"],
        serde_json::json!(["follow", "follow_by_followed", "user", "tablesmith:state"]),
        "{}",
        answers[0]
    );
    assert_eq!(
        answers[1]["namespaces"],
        serde_json::json!(["default", "hbase", "tablesmith"]),
        "{}",
        answers[1]
    );
    let counts: Vec<_> = answers[2..].iter().map(|answer| answer["count"].as_u64().unwrap()).collect();
    assert_eq!(counts, [100, EDGES as u64, EDGES as u64]);
    let repair = home.run(["repair", "design.toml", "--store", STORE]);
    assert_eq!(repair.code, 0, "{repair:?}");
}

/// A workload of the edges alone and a design for it, for commands that measure.
pub fn write_workload_of_one_table(home: &Home) {
    home.file("one.toml", ONE);
    home.file("plain.toml", PLAIN);
}

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "user"
data = "user.csv"
rows = 100
key = ["id"]
[table.columns]
id = { type = "string", distinct = 100, bytes = 4 }
name = { type = "string", distinct = 100, bytes = 7 }
[[table]]
name = "follow"
data = "follow.csv"
rows = 3000
key = ["follower", "followed"]
[table.columns]
follower = { type = "string", distinct = 100, bytes = 4 }
followed = { type = "string", distinct = 100, bytes = 4 }
since = { type = "date", distinct = 28, bytes = 4 }
[[query]]
name = "whom does a user follow"
sql = "SELECT followed, since FROM follow WHERE follower = ?"
rate = 10
[[query]]
name = "who follows a user"
sql = "SELECT follower FROM follow WHERE followed = ?"
rate = 10
[[query]]
name = "name of a user"
sql = "SELECT name FROM user WHERE id = ?"
rate = 10
"#;

const DESIGN: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "user"
[[table.family]]
name = "f"
[[table.rows]]
from = "user"
key = ["id"]
cells = [{ family = "f", columns = ["name"] }]
[[table]]
name = "follow"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["follower", "followed"]
cells = [{ family = "f", columns = ["since"] }]
[[table]]
name = "follow_by_followed"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["followed", "follower"]
cells = [{ family = "f", columns = ["since"] }]
"#;

const ONE: &str = r#"version = 1
[[table]]
name = "follow"
data = "follow.csv"
rows = 3000
key = ["follower", "followed"]
[table.columns]
follower = { type = "string", distinct = 100, bytes = 4 }
followed = { type = "string", distinct = 100, bytes = 4 }
since = { type = "date", distinct = 28, bytes = 4 }
[[query]]
name = "whom does a user follow"
sql = "SELECT since FROM follow WHERE follower = ? AND followed = ?"
rate = 10
"#;

const PLAIN: &str = r#"version = 1
workload = "one.toml"
[[table]]
name = "follow"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["follower", "followed"]
cells = [{ family = "f", columns = ["since"] }]
"#;
