//! Rules over designs and over living tables.

use serde_json::Value;

use crate::support::Home;

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "event"
key = ["at", "id"]
[table.columns]
at = { type = "timestamp" }
id = { type = "int" }
what = { type = "string" }
"#;

const DESIGN: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "event"
[[table.family]]
name = "f"
[[table.rows]]
from = "event"
key = ["at", "id"]
cells = [{ family = "f", columns = ["what"] }]
"#;

#[test]
fn a_hot_key_is_found_and_a_spread_one_is_not() {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    home.file("design.toml", DESIGN);
    let run = home.run(["check", "design.toml"]);
    assert_eq!(run.code, 1, "{}{}", run.text(), run.stderr);
    assert!(run.text().contains("warning event.key: the key begins with at"), "{}", run.text());
    let run = home.run(["--format", "json", "check", "design.toml"]);
    let found = &run.json()[0]["findings"][0];
    assert_eq!((&found["rule"], &found["severity"]), (&"monotone-key".into(), &"warning".into()));
    assert!(["at", "message", "fix"].iter().all(|key| found[key].is_string()), "{found}");

    home.file("design.toml", DESIGN.replace("[\"at\", \"id\"]", "[\"md5_mod(id, 16)\", \"at\", \"id\"]"));
    let run = home.run(["check", "design.toml"]);
    assert_eq!((run.code, run.text().starts_with("nothing found")), (0, true), "{}", run.text());
}

#[test]
fn what_cannot_be_made_is_no_design() {
    let home = Home::new();
    home.file("workload.toml", WORKLOAD);
    let second = "[[table.rows]]\nfrom = \"event\"\nkey = [\"id\", \"at\"]\ncells = [{ family = \"f\", columns = [\"what\"] }]\n";
    for (design, part) in [
        (format!("{DESIGN}{second}"), "cannot be told apart"),
        (DESIGN.replace("name = \"f\"", "name = \"f\"\nsettings = { TTL = -5 }"), "TTL"),
    ] {
        home.file("design.toml", design);
        for words in [&["check", "design.toml"][..], &["apply", "design.toml", "--yes"]] {
            let run = home.run(words);
            assert!(run.code == 2 && run.stderr.contains(part), "{words:?}: {run:?}");
        }
    }
}

#[test]
fn living_tables_are_checked() {
    let home = Home::new();
    let script = "create 'good', 'f'; create 'many', 'a', 'b', 'c', 'd', {NAME => 'v', VERSIONS => 5000}";
    assert_eq!(home.run(["shell", "-c", script]).code, 0);
    let rules = |run: crate::support::Run| -> (i32, Vec<String>) {
        let findings = run.json()[0]["findings"].as_array().cloned().unwrap_or_default();
        let rule = |finding: &Value| finding["rule"].as_str().unwrap_or_default().to_owned();
        (run.code, findings.iter().map(rule).collect())
    };
    let all = rules(home.run(["--format", "json", "check"]));
    assert_eq!(all, (1, vec!["unbounded-versions".to_owned(), "many-families".to_owned()]));
    assert_eq!(rules(home.run(["--format", "json", "check", "--table", "good"])), (0, Vec::new()));
    let missing = home.run(["check", "--table", "nobody"]);
    assert!(missing.code > 1 && missing.stderr.contains("nobody"), "{} {}", missing.code, missing.stderr);
}

#[test]
fn rules_are_listed_and_explained() {
    let home = Home::new();
    let run = home.run(["--format", "json", "check", "--rules"]);
    let rules = run.json()[0]["rules"].as_array().unwrap().clone();
    assert!(rules.len() >= 15);
    for rule in rules {
        let id = rule["rule"].as_str().unwrap();
        let run = home.run(["check", "--explain", id]);
        assert!(run.code == 0 && run.text().contains("with this design"), "{id}: {}", run.text());
    }
    let run = home.run(["check", "--explain", "nothing"]);
    assert!(run.code == 2 && run.stderr.contains("monotone-key"), "{}", run.stderr);
}

#[test]
fn a_design_without_its_workload_is_told() {
    let home = Home::new();
    home.file("design.toml", DESIGN);
    let run = home.run(["check", "design.toml"]);
    assert!(run.code == 2 && run.stderr.contains("workload.toml"), "{}", run.stderr);
}
