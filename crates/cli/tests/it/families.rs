//! `tablesmith families`: from a workload to families, for people, for programs, and into a design.

use serde_json::Value;

use crate::support::Home;

const TPCH: &str = include_str!("../../../design/tests/tpch-workload.toml");
const ADS: &str = r#"version = 1
[[table]]
name = "ads"
rows = 100_000
key = ["day", "campaign"]
[table.columns]
day = { type = "date", bytes = 10 }
campaign = { type = "int", bytes = 6 }
views = { type = "int", bytes = 6 }
clicks = { type = "int", bytes = 5 }
notes = { type = "string", bytes = 400 }
[[query]]
name = "report"
sql = "SELECT day, views, clicks FROM ads WHERE day BETWEEN ? AND ?"
rate = 83
[[query]]
name = "reading notes"
sql = "SELECT notes FROM ads WHERE day = ? AND campaign = ?"
rate = 17
"#;

fn families(home: &Home, arguments: &[&str]) -> Value {
    let run = home.run([&["families", "w.toml", "--format", "json"], arguments].concat());
    assert_eq!(run.code, 0, "{run:?}");
    run.json()[0].clone()
}

fn tpch() -> Home {
    let home = Home::new();
    home.file("w.toml", TPCH);
    home
}

fn ads() -> Home {
    let home = Home::new();
    home.file("w.toml", ADS);
    home
}

#[test]
fn the_published_totals_come_out() {
    let told = families(
        &tpch(),
        &[
            "--cost",
            "disk",
            "--max-families",
            "none",
            "--method",
            "one,each,hillclimb,autopart,evolve+,exact",
        ],
    );
    let totals = &told["totals"];
    for (method, total) in [
        ("one", 2086.864),
        ("each", 435.867),
        ("hillclimb", 415.151),
        ("autopart", 415.151),
        ("evolve+", 415.151),
        ("exact", 415.151),
    ] {
        let found = totals[method].as_f64().unwrap();
        assert!((found - total).abs() < 0.0006, "{method}: {found} instead of {total}");
    }
    let tables = told["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 8);
    for table in tables {
        let proven = |method: &Value| {
            method["proven_optimal"] == true || method["method"] == "one" || method["method"] == "each"
        };
        assert!(table["methods"].as_array().unwrap().iter().all(proven), "{table}");
    }
}

#[test]
fn three_families_of_lineitem_are_proven_best() {
    let told = families(&tpch(), &["--cost", "disk", "--table", "lineitem", "--method", "hillclimb,exact"]);
    let [greedy, exact] = [&told["methods"][0], &told["methods"][1]];
    assert!((exact["cost"].as_f64().unwrap() - 605.090).abs() < 0.0006, "{exact}");
    assert_eq!((&exact["proven_optimal"], &told["best"]), (&true.into(), &"exact".into()));
    assert!((greedy["cost"].as_f64().unwrap() - 633.166).abs() < 0.0006, "{greedy}");
    assert_eq!(exact["families"].as_array().unwrap().len(), 3);
}

#[test]
fn every_column_is_in_a_family_whatever_the_cost() {
    for cost in ["bytes", "paper", "disk"] {
        let told = families(&ads(), &["--cost", cost, "--method", "all", "--seconds", "5"]);
        for method in told["methods"].as_array().unwrap() {
            let families = method["families"].as_array().unwrap();
            let has =
                |column: &Value| families.iter().any(|family| family.as_array().unwrap().contains(column));
            assert!(told["columns"].as_array().unwrap().iter().all(has), "{cost}: {method}");
            assert!(families.len() <= 3, "{cost}: {method}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_families() {
    let home = ads();
    let without_times = || {
        let mut told = families(&home, &["--method", "evolve,evolve+", "--seed", "7"]);
        told["methods"].as_array_mut().unwrap().iter_mut().for_each(|method| method["millis"] = 0.into());
        told
    };
    assert_eq!(without_times(), without_times());
}

#[test]
fn people_see_the_methods_the_families_and_the_reasons() {
    let run = ads().run(["families", "w.toml"]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = run.text();
    for wanted in [
        "evolve+",
        "exact",
        "`views` and `clicks` are read together by 83 % of calls",
        "it is proven",
        "seed 1",
    ] {
        assert!(text.contains(wanted), "{wanted} is missing:\n{text}");
    }
}

#[test]
fn the_best_goes_into_a_design_and_the_rest_of_it_stays() {
    let home = ads();
    assert_eq!(home.run(["families", "w.toml", "-o", "design.toml"]).code, 0);
    let first = std::fs::read_to_string(home.path("design.toml")).unwrap();
    let edited = format!("# mine\n{first}");
    home.file("design.toml", &edited);
    assert_eq!(home.run(["families", "w.toml", "-o", "design.toml"]).code, 0);
    assert_eq!(std::fs::read_to_string(home.path("design.toml")).unwrap(), edited);
    let design = tablesmith_model::design::Design::parse(&edited).unwrap();
    assert_eq!(design.tables.len(), 1);
    assert!(design.reasons.iter().any(|reason| reason.at == "ads.family.a"), "{edited}");
    home.file("design.toml", "version = \"one\"\n");
    let run = home.run(["families", "w.toml", "-o", "design.toml"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("design.toml:1:"), "{}", run.stderr);
}

#[test]
fn convergence_is_drawn() {
    let home = ads();
    assert_eq!(home.run(["families", "w.toml", "--method", "evolve,evolve+", "--plot", "c.svg"]).code, 0);
    let drawn = std::fs::read_to_string(home.path("c.svg")).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("evolve+") && drawn.contains("<path"), "{drawn}");
}

#[test]
fn a_log_is_read_where_the_workload_has_no_queries() {
    let home = Home::new();
    let without_queries = ADS.split("[[query]]").next().unwrap();
    home.file("w.toml", format!("{without_queries}[log]\npath = \"queries.sql\"\n"));
    let line =
        |day: usize| format!("SELECT views, clicks FROM ads WHERE day = '2024-01-{:02}';\n", day % 28 + 1);
    let log: String = (0..100).map(line).collect();
    home.file("queries.sql", log + "what is this;\n");
    let told = families(&home, &["--method", "one,evolve"]);
    let [one, evolve] = [&told["methods"][0], &told["methods"][1]];
    assert!(one["validation_cost"].as_f64().unwrap() > 0.0, "{one}");
    assert!(evolve["notes"].to_string().contains("of 3 parameter sets the validation part"), "{evolve}");
    let notes = told["notes"].to_string();
    assert!(notes.contains("101 statements") && notes.contains("what is this"), "{notes}");
}

#[test]
fn wrong_use_is_told_with_its_place() {
    let home = ads();
    home.file("bad.toml", ADS.replace("\"notes\"", "\"note\"").replace("reads", "read"));
    home.file("column.toml", ADS.replace("rate = 83", "rate = -1"));
    for (arguments, wanted) in [
        (vec!["families", "none.toml"], "none.toml"),
        (vec!["families", "column.toml"], "column.toml:"),
        (vec!["families", "w.toml", "--table", "nope"], "it has ads"),
        (vec!["families", "w.toml", "--method", "magic"], "hillclimb"),
        (vec!["families", "w.toml", "--max-families", "0"], "none"),
        (vec!["families", "w.toml", "--cost", "paper", "--weights", "1,1,1,1,1"], "weights"),
        (vec!["families", "w.toml", "--families", "2", "--max-families", "2"], "cannot be used with"),
    ] {
        let run = home.run(&arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(wanted), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn strange_tables_get_a_clear_answer() {
    let home = Home::new();
    let table = |columns: usize| {
        let lines: String =
            (0..columns).map(|column| format!("c{column} = {{ type = \"int\", bytes = 8 }}\n")).collect();
        format!("version = 1\n[[table]]\nname = \"t\"\nrows = 1000\n[table.columns]\n{lines}")
    };
    home.file("w.toml", table(1));
    let told = families(&home, &[]);
    assert_eq!(told["methods"][0]["families"], serde_json::json!([["c0"]]));
    assert!(told["notes"].to_string().contains("nothing is asked"), "{told}");
    let asks = "[[query]]\nname = \"q\"\ntable = \"t\"\nreads = [\"c1\", \"c999\"]\nrate = 1\n";
    home.file("w.toml", table(1_000) + asks);
    let told = families(&home, &["--seconds", "3"]);
    assert_eq!(told["columns"].as_array().unwrap().len(), 1_000);
    assert!(told["best"].is_string());
}
