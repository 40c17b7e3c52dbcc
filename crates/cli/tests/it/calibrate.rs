//! `tablesmith calibrate`: prices that are measured, kept, edited, and used by `families`.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::Home;

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "ads"
rows = 100_000
key = ["day", "campaign"]
[table.columns]
day = { type = "date", bytes = 10 }
campaign = { type = "int", bytes = 6 }
views = { type = "int", bytes = 6 }
notes = { type = "string", bytes = 400 }
[[query]]
name = "report"
sql = "SELECT views FROM ads WHERE day BETWEEN ? AND ?"
rate = 5
[[query]]
name = "reading notes"
sql = "SELECT notes FROM ads WHERE day = ? AND campaign = ?"
rate = 1
"#;

const STORE: [&str; 2] = ["--store", "embedded:./tables"];

fn home() -> Home {
    let home = Home::new();
    home.file("w.toml", WORKLOAD);
    home
}

/// Calibrates the store in as short a time as may be.
fn calibrated(home: &Home) -> Value {
    let run = home.run([&["calibrate", "--seconds", "0", "--format", "json"][..], &STORE].concat());
    assert_eq!(run.code, 0, "{run:?}");
    run.json()[0].clone()
}

fn families(home: &Home, arguments: &[&str]) -> Value {
    let fixed = ["families", "w.toml", "--method", "one,exact", "--format", "json"];
    let run = home.run([&fixed[..], arguments].concat());
    assert_eq!(run.code, 0, "{run:?}");
    run.json()[0].clone()
}

fn file(told: &Value) -> PathBuf {
    told["file"].as_str().unwrap().into()
}

#[test]
fn prices_are_measured_and_families_uses_them_from_then_on() {
    let home = home();
    assert_eq!(families(&home, &STORE)["cost"]["name"], "bytes");
    let told = calibrated(&home);
    assert_eq!(told["id"].as_str().unwrap().len(), 4);
    assert!(told["fit"]["r2"].is_number() && told["fit"]["worst"]["what"].is_string(), "{told}");
    for (name, price) in told["prices"].as_object().unwrap() {
        assert!(price["value"].as_f64().unwrap() >= 0.0, "{name}");
        assert!(price["unit"].as_str().unwrap().starts_with("ms per "), "{name}");
    }
    let found = families(&home, &[&STORE[..], &["-o", "design.toml"]].concat());
    assert_eq!((&found["cost"]["name"], &found["cost"]["calibration"]), (&Value::from("store"), &told["id"]));
    assert_eq!(found["cost"]["unit"], "ms");
    let design = std::fs::read_to_string(home.path("design.toml")).unwrap();
    let id = told["id"].as_str().unwrap();
    assert!(design.contains(&format!("cost = {{ name = \"store\", calibration = \"{id}\" }}")), "{design}");
    assert!(found["methods"][1]["proven_optimal"] == true, "{found}");

    let pinned = families(&home, &[&STORE[..], &["--cost", "bytes"]].concat());
    assert_eq!((&pinned["cost"]["name"], &pinned["cost"]["calibration"]), (&"bytes".into(), &Value::Null));
    assert_eq!(families(&home, &[])["cost"]["name"], "bytes", "another store is not calibrated");
    let listed = home.run([&["shell", "-c", "list_namespace"][..], &STORE].concat());
    assert!(!listed.text().contains("calibration"), "{listed:?}");
}

#[test]
fn prices_can_be_edited_and_mistakes_are_shown() {
    let home = home();
    let told = calibrated(&home);
    let text = std::fs::read_to_string(file(&told)).unwrap();
    let seeks = text.lines().find(|line| line.starts_with("seeks = ")).unwrap();
    std::fs::write(file(&told), text.replace(seeks, "seeks = 0.25")).unwrap();
    let edited = families(&home, &STORE);
    assert_ne!(edited["cost"]["calibration"], told["id"]);
    std::fs::write(file(&told), text.replace(seeks, "seeks = \"many\"")).unwrap();
    let run = home.run([&["families", "w.toml", "--cost", "store"][..], &STORE].concat());
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("seeks = \"many\"") && run.stderr.contains("expected a number"), "{run:?}");
}

#[test]
fn without_a_calibration_the_cost_says_how_to_get_one() {
    let run = home().run([&["families", "w.toml", "--cost", "store"][..], &STORE].concat());
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("tablesmith calibrate --store embedded:./tables"), "{run:?}");
}

#[test]
fn people_see_units_and_how_well_prices_fit() {
    let home = Home::new();
    let run = home.run(["calibrate", "--seconds", "0"]);
    assert_eq!(run.code, 0, "{run:?}");
    for part in ["family_rows", "row and family", "r²", "Furthest off", "Calibration "] {
        assert!(run.text().contains(part), "{part}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_removes_the_tables() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let home = Home::new();
    let mut child = home
        .command([&["calibrate"][..], &STORE].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !home.path("tables").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended without a store");
        std::thread::sleep(Duration::from_millis(1));
    }
    // By now there are tables, or there will be in a moment.
    std::thread::sleep(Duration::from_millis(500));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let listed = home.run([&["shell", "-c", "list_namespace; list"][..], &STORE].concat());
    assert!(!listed.text().contains("calibration"), "{listed:?}");
}
