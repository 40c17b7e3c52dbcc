//! `tablesmith verify`: designs side by side on the embedded store.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::support::{Home, Run};

const STORE: [&str; 2] = ["--store", "embedded:tables"];

/// Generated data and log with two designs: one family, and three.
fn ads() -> Home {
    let home = Home::new();
    assert_eq!(home.run(["generate", "ads", "--scale", "0.0005", "-o", "ads"]).code, 0);
    for (method, design) in [("one", "one.toml"), ("hillclimb", "three.toml")] {
        let run = home.run(["families", "ads/workload.toml", "--method", method, "-o", design]);
        assert_eq!(run.code, 0, "{run:?}");
    }
    home
}

/// A few rows, queries without a log, and one family or two.
fn readings(queries: &str) -> Home {
    let home = Home::new();
    home.file(
        "w.toml",
        format!(
            r#"version = 1
[[table]]
name = "readings"
data = "readings.csv"
rows = 40
key = ["id"]
[table.columns]
id = {{ type = "int" }}
at = {{ type = "date" }}
level = {{ type = "float" }}
{queries}"#
        ),
    );
    let rows = (0..40).map(|id| format!("{id},2024-01-{:02},{}.5\n", id % 28 + 1, id % 7));
    home.file("readings.csv", "id,at,level\n".to_owned() + &rows.collect::<String>());
    let design = |families: &[&str], cells: &str| {
        let families: String =
            families.iter().map(|name| format!("[[table.family]]\nname = \"{name}\"\n")).collect();
        format!(
            "version = 1\nworkload = \"w.toml\"\n[[table]]\nname = \"readings\"\n{families}[[table.rows]]\nfrom = \
             \"readings\"\nkey = [\"id\"]\ncells = [{cells}]\n"
        )
    };
    home.file("whole.toml", design(&["f"], r#"{ family = "f", columns = ["at", "level"] }"#));
    home.file(
        "cut.toml",
        design(&["a", "b"], r#"{ family = "a", columns = ["at"] }, { family = "b", columns = ["level"] }"#),
    );
    home.file("less.toml", design(&["a"], r#"{ family = "a", columns = ["at"] }"#));
    home
}

const QUERIES: &str = r#"[[query]]
name = "level of a reading"
sql = "SELECT level FROM readings WHERE id = ?"
rate = 3
[[query]]
name = "whole reading"
table = "readings"
reads = ["at", "level"]
rate = 1
"#;

fn verify(home: &Home, arguments: &[&str]) -> Run {
    home.run([&["verify"], arguments, &STORE].concat())
}

fn told(run: &Run) -> Value {
    assert!(run.code < 2, "{run:?}");
    run.json()[0].clone()
}

#[test]
fn designs_are_measured_and_nothing_is_left_behind() {
    let home = ads();
    let run = verify(
        &home,
        &[
            "ads/workload.toml",
            "one.toml",
            "three.toml",
            "--queries",
            "150",
            "--warm-up",
            "10",
            "--expect",
            "three < one",
            "--format",
            "json",
            "--evidence",
            "e.json",
            "--report",
            "r.html",
            "--seed",
            "5",
        ],
    );
    let evidence = told(&run);
    assert_eq!((&evidence["answers_equal"], &evidence["seed"]), (&true.into(), &5.into()), "{evidence}");
    assert_eq!(evidence["store"], "embedded:tables");
    for (place, name) in ["one", "three"].into_iter().enumerate() {
        let design = &evidence["designs"][place];
        assert_eq!((&design["name"], &design["queries"]), (&name.into(), &150.into()), "{design}");
        for figure in ["mean_ms", "median_ms", "p95_ms", "p99_ms"] {
            assert!(design[figure].as_f64().unwrap() > 0.0, "{figure}: {design}");
        }
        assert!(design["stats"]["bytes"].as_u64().unwrap() > 0, "{design}");
        assert_eq!(design["loaded"]["rows"], 1_300);
    }
    let pair = &evidence["pairs"][0];
    for figure in ["difference", "low", "high", "t", "p", "effect"] {
        assert!(pair[figure].is_f64(), "{figure}: {pair}");
    }
    let holds = pair["difference"].as_f64().unwrap() < 0.0 && pair["p"].as_f64().unwrap() < 0.01;
    assert_eq!(run.code, i32::from(!holds), "{}", evidence["verdict"]);
    let verdict = evidence["verdict"].as_str().unwrap();
    assert!(
        verdict.starts_with(if holds { "three < one holds" } else { "three < one does not hold" }),
        "{verdict}"
    );
    let kept: Value = serde_json::from_slice(&std::fs::read(home.path("e.json")).unwrap()).unwrap();
    assert_eq!(kept, evidence);
    let page = std::fs::read_to_string(home.path("r.html")).unwrap();
    assert!(page.contains("<html") && page.contains("three"), "{}", &page[..200.min(page.len())]);
    let left = home.run(["shell", STORE[0], STORE[1], "--format", "json", "-c", "list; list_namespace"]);
    assert!(!left.text().contains("tablesmith_verify"), "{}", left.text());
}

#[test]
fn queries_without_a_log_get_values_from_the_data() {
    let home = readings(QUERIES);
    let evidence = told(&verify(
        &home,
        &["w.toml", "whole.toml", "cut.toml", "--queries", "80", "--format", "json", "--keep"],
    ));
    let by_query = evidence["designs"][0]["by_query"].as_array().unwrap();
    let names: Vec<&str> = by_query.iter().map(|query| query["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["level of a reading", "whole reading"]);
    assert!(by_query.iter().all(|query| query["rows"] == 1.0), "every key is found: {by_query:?}");
    assert!(evidence["notes"].to_string().contains("drawn from the data"), "{}", evidence["notes"]);
    let kept = home.run(["shell", STORE[0], STORE[1], "-c", "count 'tablesmith_verify:cut_readings'"]);
    assert!(kept.text().contains("40"), "{kept:?}");
    // Tables of an earlier trial are made anew.
    let again = verify(&home, &["w.toml", "whole.toml", "cut.toml", "--queries", "10"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(again.text().contains("whole") && again.text().contains("cut"), "{}", again.text());
}

#[test]
fn rows_that_do_not_load_are_counted_with_their_reason() {
    let home = readings(QUERIES);
    let data = std::fs::read_to_string(home.path("readings.csv")).unwrap();
    home.file("readings.csv", data + "seven,2024-01-01,1.5\n100,yesterday,1.5\n");
    let evidence = told(&verify(&home, &["w.toml", "whole.toml", "--queries", "10", "--format", "json"]));
    let loaded = &evidence["designs"][0]["loaded"];
    assert_eq!(loaded["rows"], 40, "{loaded}");
    let rejected: u64 =
        loaded["rejected"].as_array().unwrap().iter().map(|reason| reason["rows"].as_u64().unwrap()).sum();
    assert_eq!(rejected, 2, "{loaded}");
}

#[test]
fn an_expectation_that_cannot_be_shown_does_not_hold() {
    let home = readings(QUERIES);
    let run =
        verify(&home, &["w.toml", "whole.toml", "cut.toml", "--queries", "1", "--expect", "whole < cut"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.text().contains("does not hold"), "{}", run.text());
}

#[test]
fn wrong_use_is_told_before_anything_is_made() {
    let home = readings(QUERIES);
    std::fs::create_dir(home.path("other")).unwrap();
    std::fs::copy(home.path("whole.toml"), home.path("other/whole.toml")).unwrap();
    home.file(
        "nothing.toml",
        std::fs::read_to_string(home.path("w.toml")).unwrap().split("[[query]]").next().unwrap(),
    );
    for (arguments, said) in [
        (vec!["w.toml", "whole.toml", "less.toml"], "does not cover the query `level of a reading`"),
        (vec!["w.toml", "whole.toml", "other/whole.toml"], "two designs are called `whole`"),
        (vec!["w.toml", "whole.toml", "cut.toml", "--expect", "whole < torn"], "`torn`"),
        (vec!["w.toml", "whole.toml", "cut.toml", "--expect", "whole"], "A < B"),
        (vec!["w.toml", "whole.toml", "--clients", "65"], "65"),
        (vec!["w.toml", "none.toml"], "none.toml"),
        (vec!["nothing.toml", "whole.toml"], "nothing to replay"),
        (vec!["w.toml"], "DESIGN"),
    ] {
        let run = verify(&home, &arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_measured() {
    let home = readings(QUERIES);
    let mut child = home
        .command([
            "verify",
            "w.toml",
            "whole.toml",
            "cut.toml",
            "--queries",
            "600",
            "--warm-up",
            "0",
            "--rate",
            "2",
            "--evidence",
            "e.json",
            STORE[0],
            STORE[1],
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The load is of 40 rows; what is replayed takes five minutes.
    while !home.path("tables").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended without a store");
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_secs(15));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let evidence: Value = serde_json::from_slice(&std::fs::read(home.path("e.json")).unwrap()).unwrap();
    assert!(evidence["stopped"].as_str().unwrap().contains("interrupted"), "{}", evidence["stopped"]);
    assert!(evidence["designs"][0]["queries"].as_u64().unwrap() > 0, "{evidence}");
}
