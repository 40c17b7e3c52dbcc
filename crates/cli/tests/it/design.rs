//! `tablesmith design`: from a workload to tables that check, ddl and apply take.

use crate::support::Home;

const WORKLOAD: &str = r#"version = 1
[cluster]
region_servers = 5
[[table]]
name = "user"
rows = 50_000
key = ["id"]
[table.columns]
id = { type = "string", bytes = 9 }
name = { type = "string" }
[[table]]
name = "follow"
data = "follow.csv"
rows = 20_000_000
key = ["follower", "followed"]
[table.columns]
follower = { type = "string", bytes = 9, distinct = 50_000 }
followed = { type = "string", bytes = 9, distinct = 50_000 }
since = { type = "timestamp" }
[table.references]
follower = "user.id"
followed = "user.id"

[[query]]
name = "whom does A follow"
sql = "SELECT followed FROM follow WHERE follower = ?"
rate = 500
[[query]]
name = "who follows B"
sql = "SELECT follower FROM follow WHERE followed = ?"
rate = 200
[[query]]
name = "the name of a user"
sql = "SELECT name FROM user WHERE id = ?"
rate = 300
[[query]]
name = "follow"
sql = "INSERT INTO follow (follower, followed, since) VALUES (?, ?, ?)"
rate = 20
"#;

const ROWS: &str = "follower,followed,since\nAK,foo,2024-05-01T10:00:00Z\nAK,bar,2024-05-02T10:00:00Z\nfoo,bar,2024-05-03T10:00:00Z\n";

fn home() -> Home {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    home.file("follow.csv", ROWS);
    home
}

#[test]
fn a_statement_that_query_refuses_is_said() {
    let home = home();
    let left = "[[query]]\nname = \"names\"\nrate = 1\nsql = \"SELECT user.name FROM follow LEFT JOIN user ON \
                user.id = follow.followed WHERE follow.follower = ? LIMIT ?\"\n";
    home.file("workload.toml", format!("{WORKLOAD}{left}"));
    let run = home.run(["design", "workload.toml"]);
    let text = run.text();
    let notes: Vec<&str> = text.lines().filter(|line| line.starts_with("note:")).collect();
    assert!(
        run.code == 0
            && notes.len() == 1
            && notes[0].contains("\"names\" is planned for")
            && notes[0].contains("LEFT JOIN"),
        "{notes:?} {}",
        run.stderr
    );
}

#[test]
fn a_file_that_is_something_else_is_not_written_over_and_an_old_design_is_kept() {
    let home = home();
    home.file("precious.csv", "a,b\n");
    let run = home.run(["design", "workload.toml", "-o", "precious.csv"]);
    assert!(run.code == 2 && run.stderr.contains("is no design"), "{}{}", run.text(), run.stderr);
    let old = "version = 1\n# mine\n";
    home.file("design.toml", old);
    let run = home.run(["design", "workload.toml", "-o", "design.toml"]);
    assert!(run.code == 0 && run.text().contains("design.toml.old"), "{}{}", run.text(), run.stderr);
    assert_eq!(std::fs::read_to_string(home.path("design.toml.old")).unwrap(), old);
    let run = home.run(["ddl", "design.toml", "-o", "create.rb", "--format", "json"]);
    assert_eq!(run.json()[0]["output"], "create.rb", "{}", run.text());
}

#[test]
fn the_design_is_told_and_taken_by_the_other_commands() {
    let home = home();
    let run = home.run(["design", "workload.toml", "-o", "design.toml"]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let text = run.text();
    for told in [
        "7. How many versions",
        "proven",
        "who follows B",
        "when a client dies",
        "the design is in design.toml",
        "AK",
    ] {
        assert!(text.contains(told), "{told} is missing in\n{text}");
    }
    let check = home.run(["check", "design.toml"]);
    assert_eq!(check.code, 0, "{}{}", check.text(), check.stderr);
    let ddl = home.run(["ddl", "design.toml"]);
    assert!(ddl.code == 0 && ddl.text().contains("create 'follow'"), "{}{}", ddl.text(), ddl.stderr);
    let apply = home.run(["apply", "design.toml", "--yes"]);
    assert_eq!(apply.code, 0, "{}{}", apply.text(), apply.stderr);
}

#[test]
fn json_has_what_others_rely_on() {
    let run = home().run(["--format", "json", "design", "workload.toml"]);
    let value = &run.json()[0];
    assert!(
        value["tables"].is_array() && value["reasons"].is_array() && value["total_cost"].is_number(),
        "{value}"
    );
    let query = &value["queries"][0];
    for key in ["name", "table", "access", "calls", "rows_read", "bytes_read", "cost"] {
        assert!(!query[key].is_null(), "{key} is missing in {query}");
    }
    assert_eq!(query["calls"], 1.0);
}

#[test]
fn a_query_is_explained_with_what_was_not_taken() {
    let home = home();
    let run = home.run(["design", "workload.toml", "--explain", "who follows B"]);
    assert!(
        run.code == 0 && run.text().contains("not taken") && run.text().contains("why:"),
        "{}",
        run.text()
    );
    let unknown = home.run(["design", "workload.toml", "--explain", "who follows C"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("did you mean"), "{}", unknown.stderr);
}

#[test]
fn bad_input_is_pointed_at() {
    let home = home();
    home.file("bad.toml", WORKLOAD.replace("SELECT name FROM", "SELECT nam FROM"));
    let run = home.run(["design", "bad.toml"]);
    assert_eq!(run.code, 2, "{}", run.text());
    assert!(
        run.stderr.contains("error: the query \"the name of a user\"")
            && run.stderr.contains(" --> bad.toml:34:15\n")
            && run.stderr.contains("^^^"),
        "{}",
        run.stderr
    );
    home.file("wish.toml", WORKLOAD.replace("rate = 300", "rate = 300\nmax_ms = 0.01"));
    let run = home.run(["design", "wish.toml"]);
    assert!(run.code == 2 && run.stderr.contains("max_ms = 0.01"), "{}", run.stderr);
}

#[test]
fn what_is_not_declared_is_measured_from_the_data() {
    let home = Home::new();
    let rows: String = (0..2_000).map(|number| format!("token{number},user{}\n", number % 1_000)).collect();
    home.file("session.csv", format!("token,user\n{rows}"));
    let workload = "version = 1\n[[table]]\nname = \"session\"\ndata = \"session.csv\"\nkey = [\"token\"]\n[table.columns]\n\
                    token = { type = \"string\" }\nuser = { type = \"string\" }\n[[query]]\nname = \"of user\"\n\
                    sql = \"SELECT token FROM session WHERE user = ?\"\nrate = 1\n";
    home.file("workload.toml", workload);
    let run = home.run(["design", "workload.toml", "--format", "json"]);
    let design = run.json().remove(0);
    assert_eq!(design["queries"][0]["rows_read"].as_f64().map(f64::round), Some(1.0), "{design}");
    assert!(!run.text().contains("guessed: declare"), "{}", run.text());
    // Without data, guesses are told as such.
    home.file("workload.toml", workload.replace("data = \"session.csv\"\n", ""));
    let told = home.run(["design", "workload.toml"]).text();
    assert!(told.contains("declare `rows`") && told.contains("different values there are of user"), "{told}");
}
