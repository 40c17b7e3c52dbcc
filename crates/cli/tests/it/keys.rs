//! `tablesmith keys`: keys side by side, from a file or a workload.

use std::fmt::Write as _;

use tablesmith_model::design::Design;

use crate::support::Home;

/// Rows with rising ids.
fn ids(rows: u32) -> String {
    (0..rows).fold("id,name\n".to_owned(), |mut text, id| {
        let _ = writeln!(text, "{id},n{}", id % 7);
        text
    })
}

fn home() -> Home {
    let home = Home::new();
    home.file("events.csv", ids(20_000));
    assert_eq!(home.run(["init", "--data", "events.csv"]).code, 0);
    home
}

#[test]
fn a_rising_id_is_hot_and_a_hashed_one_is_even() {
    let home = home();
    let run = home.run(["keys", "--data", "events.csv", "--id", "id", "--servers", "5", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let told = &run.json()[0];
    assert_eq!(
        (&told["table"], &told["servers"], &told["regions"]),
        (&"events".into(), &5.into(), &15.into())
    );
    let strategies = told["strategies"].as_array().unwrap();
    let of = |name: &str| strategies.iter().find(|strategy| strategy["strategy"] == name).unwrap();
    let hottest = |name: &str| of(name)["mean_hottest_share"].as_f64().unwrap();
    assert!(hottest("plain") > 0.9, "{}", hottest("plain"));
    assert!(hottest("md5_mod") < 0.35, "{}", hottest("md5_mod"));
    let md5_mod = of("md5_mod");
    assert_eq!(md5_mod["key"][1], "id");
    assert_eq!(md5_mod["splits"].as_array().unwrap().len(), 14);
    assert!(md5_mod["region_rows"]["sd"].as_f64().unwrap() > 0.0);
    assert!(md5_mod["hottest_server_share"].as_array().unwrap().len() > 1);
    assert_eq!(md5_mod["point_read"]["calls"], 1);
    assert_eq!(of("random")["point_read"]["possible"], false);
    assert!(strategies.iter().any(|strategy| strategy["strategy"] == told["best"]), "{}", told["best"]);
}

#[test]
fn the_best_key_goes_into_a_design_and_the_rest_of_it_stays() {
    let home = home();
    assert_eq!(home.run(["families", "workload.toml", "-o", "design.toml"]).code, 0);
    let before = Design::parse(&std::fs::read_to_string(home.path("design.toml")).unwrap()).unwrap();
    let run = home.run(["keys", "workload.toml", "--servers", "4", "-o", "design.toml"]);
    assert_eq!(run.code, 0, "{run:?}");
    let after = Design::parse(&std::fs::read_to_string(home.path("design.toml")).unwrap()).unwrap();
    let (before, table) = (before.table("events").unwrap(), after.table("events").unwrap());
    assert_eq!(before.families, table.families);
    assert_eq!(table.splits.len(), 11);
    assert_ne!(before.rows[0].key, table.rows[0].key);
    assert!(after.reasons.iter().any(|reason| reason.at == "events.key"), "{:?}", after.reasons);
}

#[test]
fn people_see_the_strategies_the_heat_and_the_reasons() {
    let home = home();
    let run = home.run(["keys", "workload.toml", "--servers", "3", "--exact", "--report", "keys.html"]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = run.text();
    for word in ["hot at a moment", "md5_mod", "whole table", "time →", "regions, split at", "key = ["] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains('~'), "{text}");
    let page = std::fs::read_to_string(home.path("keys.html")).unwrap();
    assert!(page.contains("Load over time") && page.contains("Row keys of events"), "{}", page.len());
}

#[test]
fn bad_wishes_are_2_and_say_what_to_do() {
    let home = home();
    home.file("none.csv", "id\n");
    home.file("names.csv", "name\nAda\nGrace\n");
    let cases: [(&[&str], &str); 9] = [
        (&["keys"], "WORKLOAD"),
        (&["keys", "--data", "names.csv", "--id", "name", "--strategy", "mod"], "mod needs whole numbers"),
        (&["keys", "--data", "events.csv"], "--id"),
        (&["keys", "workload.toml", "--servers", "0"], "--servers"),
        (&["keys", "workload.toml", "--regions", "0"], "--regions"),
        (&["keys", "workload.toml", "--id", "nobody"], "has no column `nobody`: it has id, name"),
        (&["keys", "workload.toml", "--strategy", "salt"], "md5_mod"),
        (&["keys", "workload.toml", "--reads", "point=x"], "no weight"),
        (&["keys", "--data", "none.csv", "--id", "id"], "no rows"),
    ];
    for (arguments, word) in cases {
        let run = home.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert!(format!("{run:?}").contains(word), "{arguments:?} lacks {word}: {run:?}");
    }
}

#[test]
fn what_does_not_go_with_the_ids_is_told() {
    let home = Home::new();
    home.file("names.csv", "name,at\nAda,1\nGrace,2\nAda,1\n");
    let run =
        home.run(["keys", "--data", "names.csv", "--id", "name,at", "--servers", "2", "--regions", "1"]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = run.text();
    assert!(text.contains("mod is left out") && text.contains("bucket is left out"), "{text}");
    assert!(text.contains("an id that came before"), "{text}");
    let many =
        home.run(["keys", "--data", "names.csv", "--id", "name,at", "--prefixes", "4", "--regions", "9"]);
    assert_eq!(many.code, 0, "{many:?}");
    assert!(many.text().contains("prefixes"), "{}", many.text());
}

#[test]
fn rows_without_an_id_are_counted_and_told() {
    let home = Home::new();
    home.file("gaps.csv", "id,v\n1,a\n,b\n2,c\n,d\n");
    let run = home.run(["keys", "--data", "gaps.csv", "--id", "id"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.text().contains("2 of 4 rows have an empty id"), "{}", run.text());
}

#[test]
fn ids_that_come_again_get_no_key_that_is_another_each_time() {
    let home = Home::new();
    home.file("again.csv", format!("id,v\n{}", "1,a\n1,b\n1,c\n2,d\n".repeat(50)));
    let run = home.run(["keys", "--data", "again.csv", "--id", "id", "--servers", "3", "--format", "json"]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let best = run.json()[0]["best"].to_string();
    assert!(!best.contains("random") && !best.contains("md5_line"), "{best}");
}

#[test]
fn a_simulated_load_shows_what_a_hot_key_costs() {
    let home = home();
    let keys = ["keys", "--data", "events.csv", "--id", "id", "--servers", "5", "--simulate", "5"];
    let run = home.run(keys.into_iter().chain(["--format", "json"]));
    assert_eq!(run.code, 0, "{run:?}");
    let simulated = &run.json()[0]["simulated"];
    assert_eq!((&simulated["servers"], &simulated["rows"]), (&5.into(), &20_000.into()));
    let strategies = simulated["strategies"].as_array().unwrap();
    let load = |name: &str| strategies.iter().find(|load| load["strategy"] == name).unwrap();
    let seconds = |name: &str| load(name)["load_s"].as_f64().unwrap();
    assert!(seconds("plain") > 3.0 * seconds("md5_mod"), "{strategies:?}");
    assert!(load("md5_mod")["busiest_share"].as_f64().unwrap() < 0.3, "{strategies:?}");
    let text = home.run(keys);
    assert!(text.text().contains("Load on 5 servers, simulated"), "{}", text.text());
    assert!(!home.run(["keys", "--data", "events.csv", "--id", "id"]).text().contains("simulated"));
}
