//! Rows go into all places of a design, whatever happens on the way.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::Home;

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "user"
data = "user.csv"
key = ["id"]
columns = { id = { type = "string" }, name = { type = "string" } }
[[table]]
name = "follow"
data = "follow.csv"
key = ["follower", "followed"]
columns = { follower = { type = "string" }, followed = { type = "string" }, since = { type = "int" } }
references = { follower = "user.id", followed = "user.id" }
[[table]]
name = "note"
columns = { text = { type = "string" } }
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
key = ["follower"]
cells = [{ family = "f", qualifier = "followed", value = "since" }]
[[table]]
name = "followed"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["followed", "follower"]
cells = [{ family = "f", columns = ["since"] }]
[[table]]
name = "named"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
join = ["follow.followed"]
key = ["follower", "followed"]
cells = [{ family = "f", columns = ["user.name"] }]
[[table]]
name = "note"
[[table.family]]
name = "f"
[[table.rows]]
from = "note"
key = ["row_number()"]
cells = [{ family = "f", columns = ["text"] }]
"#;

const USERS: usize = 50;

fn home(follows: usize) -> Home {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    home.file("design.toml", DESIGN);
    let users: String = (0..USERS).map(|id| format!("u{id},name {id}\n")).collect();
    home.file("user.csv", format!("id,name\n{users}"));
    let follow = |at: usize| format!("u{},u{},{at}\n", at / USERS, at % USERS);
    let follows: String = (0..follows).map(follow).collect();
    home.file("follow.csv", format!("follower,followed,since\n{follows}"));
    assert_eq!(home.run(["apply", "design.toml", "--yes"]).code, 0);
    home
}

/// Cells of a table.
fn cells(home: &Home, table: &str) -> usize {
    let run = home.run(["--format", "json", "shell", "-c", &format!("scan '{table}'")]);
    let rows = run.json()[0]["rows"].as_array().unwrap().clone();
    rows.iter().map(|row| row["cells"].as_array().unwrap().len()).sum()
}

#[test]
fn all_copies_of_all_files_are_loaded_once() {
    let home = home(200);
    let run = home.run(["--format", "json", "load", "design.toml"]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let loaded: Vec<u64> = run.json()[0]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["rows"].as_u64().unwrap())
        .collect();
    assert_eq!(loaded, [50, 200]);
    for (table, count) in [("user", 50), ("follow", 200), ("followed", 200), ("named", 200)] {
        assert_eq!(cells(&home, table), count, "{table}");
    }
    let run = home.run(["load", "design.toml"]);
    assert!(run.text().contains("200 were loaded before"), "{}", run.text());
    let run = home.run(["repair", "design.toml"]);
    assert!(run.code == 0 && run.text().contains("all 2 copies"), "{}{}", run.text(), run.stderr);
}

#[test]
fn rows_of_a_table_that_was_emptied_are_loaded_again() {
    let home = home(20);
    assert_eq!(home.run(["load", "design.toml"]).code, 0);
    assert_eq!(home.run(["shell", "-c", "truncate 'followed'"]).code, 0);
    let run = home.run(["load", "design.toml"]);
    assert!(run.code == 0 && run.text().contains("follow: 20 rows from"), "{}{}", run.text(), run.stderr);
    assert_eq!((cells(&home, "follow"), cells(&home, "followed")), (20, 20));
}

#[test]
fn a_design_that_cannot_be_loaded_is_not_applied() {
    let home = home(1);
    home.file("design.toml", DESIGN.replace("key = [\"id\"]", "key = [\"nope\"]"));
    let store = format!("embedded:{}", home.path("another").display());
    let run = home.run(["apply", "design.toml", "--yes", "--store", &store]);
    assert!(run.code == 2 && run.stderr.contains("nope"), "{run:?}");
}

#[test]
fn rows_do_not_go_beside_others_that_lie_otherwise() {
    let home = home(20);
    assert_eq!(home.run(["load", "design.toml"]).code, 0);
    home.file("design.toml", DESIGN.replace("key = [\"id\"]", "key = [\"md5_mod(id, 16)\", \"id\"]"));
    let run = home.run(["query", "design.toml", "SELECT name FROM user WHERE id = 'u1'"]);
    assert!(run.code == 0 && run.stderr.contains("warning: user holds rows"), "{run:?}");
    for words in
        [&["query", "design.toml", "DELETE FROM user WHERE id = 'u1'"][..], &["repair", "design.toml"]]
    {
        let run = home.run(words);
        assert!(run.code == 2 && run.stderr.contains("use the design that they were loaded with"), "{run:?}");
    }
    let run = home.run(["apply", "design.toml"]);
    assert!(run.text().contains("warning: user holds rows that were loaded with another key"), "{run:?}");
    let run = home.run(["load", "design.toml"]);
    assert!(
        run.code == 2 && run.stderr.contains("user holds rows that were loaded with another key"),
        "{}",
        run.stderr
    );
    assert_eq!(home.run(["shell", "-c", "truncate 'user'"]).code, 0);
    let run = home.run(["load", "design.toml"]);
    assert!(run.code == 2 && run.stderr.contains("named has rows, and user"), "{run:?}");
    assert_eq!(home.run(["repair", "design.toml", "--yes"]).code, 0);
    assert_eq!(home.run(["load", "design.toml"]).code, 0);
    assert_eq!((cells(&home, "user"), cells(&home, "named")), (USERS, 20));
}

#[test]
fn only_tables_whose_rows_lie_otherwise_are_named() {
    let home = home(20);
    assert_eq!(home.run(["load", "design.toml"]).code, 0);
    let warned = |design: String| {
        home.file("design.toml", design);
        let run = home.run(["--format", "json", "apply", "design.toml"]);
        run.json()[0]["laid_otherwise"].clone()
    };
    let joined = "key = [\"follower\", \"followed\"]";
    assert_eq!(warned(DESIGN.replace("[\"since\"]", "[\"follower\", \"since\"]")), json!(["followed"]));
    assert_eq!(warned(DESIGN.replace(joined, "key = [\"followed\", \"follower\"]")), json!(["named"]));
    assert_eq!(warned(DESIGN.to_owned()), json!([]));
}

#[test]
fn rows_with_a_key_that_is_there_take_the_place_of_others() {
    let home = home(0);
    let load = |rows: &str| {
        let input = format!("id,name\n{rows}");
        home.run_with_input(["load", "design.toml", "--data", "user=-"], input.as_bytes())
    };
    assert!(!load("a,one\nb,two\n").text().contains("took the place"));
    let run = load("a,three\na,four\nb,two\nc,five\n");
    assert!(run.text().contains("2 rows took the place of others with their key"), "{run:?}");
    let run = home.run(["--format", "json", "query", "design.toml", "SELECT id, name FROM user ORDER BY id"]);
    assert_eq!(run.json()[0]["rows"], json!([["a", "four"], ["b", "two"], ["c", "five"]]));
}

#[test]
fn rows_without_a_key_are_rejected() {
    let home = home(1);
    let input = b"id,name\na,b\n,c\nd,\n";
    let run = home.run_with_input(["load", "design.toml", "--data", "user=-", "--reject", "bad.tsv"], input);
    assert_eq!(run.code, 1, "{}{}", run.text(), run.stderr);
    let bad = std::fs::read_to_string(home.path("bad.tsv")).unwrap();
    assert!(bad.starts_with("-\t3\t1\tthe column \"id\" is part of the key and has no value"), "{bad}");
}

#[test]
fn rows_that_do_not_go_in_are_told_with_line_and_reason() {
    let home = home(10);
    let input = b"follower,followed,since\na,b,1\nc,d,soon\ne,f,3\n";
    let run =
        home.run_with_input(["load", "design.toml", "--data", "follow=-", "--reject", "bad.tsv"], input);
    assert_eq!(run.code, 1, "{}{}", run.text(), run.stderr);
    assert!(run.text().contains("1 rows did not go in: see bad.tsv"), "{}", run.text());
    let bad = std::fs::read_to_string(home.path("bad.tsv")).unwrap();
    assert!(bad.starts_with("-\t3\t1\t") && bad.contains("since"), "{bad}");
    assert_eq!(cells(&home, "followed"), 2);
}

#[test]
fn a_load_that_is_killed_goes_on_with_nothing_lost_and_nothing_twice() {
    let rows = 120_000;
    let home = home(0);
    let notes: String = (0..rows).map(|at| format!("note {at}\n")).collect();
    home.file("note.csv", format!("text\n{notes}"));
    let count = || home.run(["--format", "json", "shell", "-c", "count 'note'"]).json()[0]["count"].clone();
    let mut killed_half_way = 0;
    // Later and later, until a load is through before it is killed: how long one takes, no test knows.
    for wait_ms in std::iter::successors(Some(50), |wait_ms| Some(wait_ms * 3 / 2)) {
        let mut command = home.command(["load", "design.toml", "--data", "note.csv"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(wait_ms) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let is_through = child.try_wait().unwrap().is_some();
        // SIGKILL: nothing of the program runs after it.
        child.kill().unwrap();
        child.wait().unwrap();
        if is_through {
            break;
        }
        killed_half_way += usize::from((1..rows).contains(&count().as_u64().unwrap()));
    }
    assert!(killed_half_way > 0, "no load was killed while it wrote: load more rows");
    let run = home.run(["--format", "json", "load", "design.toml", "--data", "note.csv"]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    assert_eq!(run.json()[0]["files"][0]["rows"], rows, "{}", run.text());
    assert_eq!(count(), rows);
}

#[test]
fn a_copy_that_is_missing_is_found_and_mended() {
    let home = home(100);
    assert_eq!(home.run(["load", "design.toml"]).code, 0);
    let delete = "deleteall 'followed', \"u1\\x00u0\\x00\"; put 'followed', \"x\\x00y\\x00\", 'f:since', \"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x09\"";
    assert_eq!(home.run(["shell", "-c", delete]).code, 0);
    let run = home.run(["repair", "design.toml"]);
    assert_eq!(run.code, 1, "{}{}", run.text(), run.stderr);
    assert!(
        run.text().contains("followed (from follow): 1 of 100 records missing, 0 different, 1 too much"),
        "{}",
        run.text()
    );
    let run = home.run(["repair", "design.toml", "--yes"]);
    assert!(run.code == 0 && run.text().contains("mended"), "{}{}", run.text(), run.stderr);
    assert_eq!(home.run(["repair", "design.toml"]).code, 0);
}

#[test]
fn a_load_without_its_tables_says_what_to_do() {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    home.file("design.toml", DESIGN);
    home.file("user.csv", "id,name\na,b\n");
    let run = home.run(["load", "design.toml", "--data", "user.csv"]);
    assert!(run.code == 2 && run.stderr.contains("tablesmith apply"), "{}", run.stderr);
    let without_notes = DESIGN.split("[[table]]\nname = \"note\"").next().unwrap();
    home.file("design.toml", without_notes);
    assert_eq!(home.run(["apply", "design.toml", "--yes"]).code, 0);
    let run = home.run(["load", "design.toml", "--data", "user.csv", "--data", "note=user.csv"]);
    assert!(run.code == 2 && run.stderr.contains("no rows from the table \"note\""), "{}", run.stderr);
    assert_eq!(cells(&home, "user"), 0, "nothing is loaded before all files are known to go");
    let run = home.run(["load", "design.toml", "--data", "nobody=user.csv"]);
    assert!(run.code == 2 && run.stderr.contains("no table \"nobody\""), "{}", run.stderr);
}

const READINGS: &str = "version = 1\n[[table]]\nname = \"r\"\ndata = \"r.csv\"\nkey = [\"dev\", \"at\"]\n[table.columns]\n\
    dev = { type = \"string\" }\nat = { type = \"timestamp\" }\nn = { type = \"int\" }\n\
    [table.time]\ncolumn = \"at\"\nentity = [\"dev\"]\n";

/// A day of a device in a row, the time as the version.
fn versions(settings: &str) -> String {
    format!(
        "version = 1\nworkload = \"workload.toml\"\n[[table]]\nname = \"r\"\n[[table.family]]\nname = \"m\"\n\
         settings = {{ {settings} }}\n[[table.rows]]\nfrom = \"r\"\nkey = [\"dev\", 'bucket(at, \"1d\")']\n\
         cells = [{{ family = \"m\", columns = [\"n\"], version = \"at\" }}]\n"
    )
}

#[test]
fn readings_that_did_not_go_in_go_in_when_the_table_keeps_them() {
    let home = Home::new();
    home.file("workload.toml", READINGS);
    home.file(
        "r.csv",
        "dev,at,n\na,2024-01-01T00:00:00Z,1\na,2024-01-01T00:01:00Z,2\na,2024-01-01T00:02:00Z,\n",
    );
    home.file("design.toml", versions("VERSIONS = 24"));
    assert_eq!(home.run(["apply", "design.toml", "--yes"]).code, 0);
    let run = home.run(["load", "design.toml"]);
    assert_eq!(run.code, 1, "{}{}", run.text(), run.stderr);
    home.file("design.toml", versions("VERSIONS = 1440"));
    let run = home.run(["load", "design.toml", "--again"]);
    assert!(
        run.code == 2 && run.stderr.contains("does not keep all but the newest versions"),
        "{}",
        run.stderr
    );
    assert_eq!(home.run(["apply", "design.toml", "--yes"]).code, 0);
    let run = home.run(["load", "design.toml"]);
    assert!(run.text().contains("0 rows from r.csv"), "{}", run.text());
    let run = home.run(["load", "design.toml", "--again"]);
    assert!(
        run.code == 1 && run.text().contains("r: 2 rows"),
        "the one without a value stays out: {}",
        run.text()
    );
    let rejected = std::fs::read_to_string(home.path("design.rejected")).unwrap();
    assert!(rejected.contains("it is no reading"), "{rejected}");
    let count = home.run(["query", "design.toml", "SELECT COUNT(*) FROM r", "--format", "json"]);
    assert_eq!(count.json()[0]["rows"][0][0], 2, "{}", count.text());
}

#[test]
fn readings_that_would_be_gone_at_once_are_rejected() {
    let home = Home::new();
    home.file("workload.toml", READINGS);
    home.file("r.csv", "dev,at,n\na,2024-01-01T00:00:00Z,1\na,2099-01-01T00:00:00Z,2\n");
    home.file("design.toml", versions("VERSIONS = 1440, TTL = 259200"));
    assert_eq!(home.run(["apply", "design.toml", "--yes"]).code, 0);
    let run = home.run(["load", "design.toml"]);
    assert!(run.code == 1 && run.text().contains("r: 1 rows"), "{}{}", run.text(), run.stderr);
    let run = home.run([
        "query",
        "design.toml",
        "INSERT INTO r (dev, at, n) VALUES ('a', '2024-01-01T00:00:00Z', 1)",
    ]);
    assert!(run.code == 2 && run.stderr.contains("older than what r keeps"), "{}", run.stderr);
}
