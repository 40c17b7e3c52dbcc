//! `tablesmith time`: layouts of readings, predicted, measured and written into a design.

use std::fmt::Write as _;

use tablesmith_model::design::Design;
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::workload::Workload;

use crate::support::Home;

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "reading"
data = "reading.csv"
key = ["station", "at"]
[table.columns]
station = { type = "string" }
at = { type = "timestamp" }
name = { type = "string" }
bikes = { type = "int" }
docks = { type = "int" }
[table.time]
column = "at"
entity = ["station"]

[[query]]
name = "a day of a station"
sql = "SELECT at, bikes FROM reading WHERE station = ? AND at >= now() - INTERVAL '6 hours'"
rate = 10
[[query]]
name = "newest"
sql = "SELECT bikes, docks FROM reading WHERE station = ? ORDER BY at DESC LIMIT 1"
rate = 10
[[query]]
name = "average"
sql = "SELECT station, avg(bikes) FROM reading WHERE at >= now() - INTERVAL '1 hour' GROUP BY station"
rate = 1
[[query]]
name = "arrives"
sql = "INSERT INTO reading (station, at, bikes, docks) VALUES (?, ?, ?, ?)"
rate = 5
"#;

/// Readings every five minutes, of some stations.
fn home() -> Home {
    let home = Home::new();
    let mut text = "station,at,name,bikes,docks\n".to_owned();
    for step in 0..150 {
        for station in 0..8 {
            let (hour, minute) = (step / 12, step % 12 * 5);
            let _ = writeln!(
                text,
                "s{station},2024-03-01T{hour:02}:{minute:02}:00Z,Station {station},{},{}",
                (step * 7 + station) % 20,
                20 - (step * 7 + station) % 20
            );
        }
    }
    home.file("reading.csv", text);
    home.file("workload.toml", WORKLOAD);
    home
}

#[test]
fn layouts_are_predicted_measured_and_ranked() {
    let home = home();
    let run = home.run(["time", "workload.toml", "--measure", "4", "--time", "1", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let told = &run.json()[0];
    assert_eq!(
        (&told["table"], &told["entities"], &told["seed"]),
        (&"reading".into(), &8.0.into(), &1.into())
    );
    assert_eq!(told["fixed"], serde_json::json!(["name"]));
    assert_eq!(told["answers_equal"], true, "{}", told["differences"]);
    let layouts = told["layouts"].as_array().unwrap();
    assert!(layouts.len() > 50, "{}", layouts.len());
    let measured = layouts.iter().filter(|layout| !layout["measured"].is_null()).count();
    assert_eq!(measured, 4);
    let best = &layouts[0];
    assert_eq!(best["layout"], told["best"]);
    assert!(best["measured"]["cost_ms"].as_f64().unwrap() > 0.0);
    assert!(best["predicted"]["queries_ms"]["newest"].as_f64().unwrap() > 0.0);
    let day = layouts.iter().find(|layout| layout["layout"] == "versions/6h/entity-time/each").unwrap();
    assert_eq!(
        (&day["row_span"], &day["dimension"], &day["depth"]),
        (&"6h".into(), &"versions".into(), &72.into())
    );
    assert!(told["reasons"].as_array().unwrap().len() > 3 && !told["limits"].as_array().unwrap().is_empty());
}

#[test]
fn the_layout_goes_into_a_design_and_comes_back_out_of_it() {
    let home = home();
    let arguments = ["time", "workload.toml", "--measure", "0", "-o", "design.toml", "--report", "time.html"];
    let run = home.run(arguments);
    assert_eq!(run.code, 0, "{run:?}");
    let text = run.text();
    for word in [
        "1,200 readings of 8 entities, one every 5m, of bikes, docks",
        "predicted",
        "limit:",
        "key = [",
        "is left out",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let workload = Workload::parse(WORKLOAD).unwrap();
    let design =
        Design::parse_for(&std::fs::read_to_string(home.path("design.toml")).unwrap(), &workload).unwrap();
    let layout = SeriesLayout::of_design(design.table("reading").unwrap(), &workload.tables[0]).unwrap();
    assert!(text.contains(&layout.name()), "{}: {text}", layout.name());
    assert_eq!(layout.metrics, ["bikes", "docks"]);
    let fixed = design.table("reading_station").unwrap();
    assert_eq!(fixed.rows[0].cells[0].columns, ["name"]);
    assert!(design.reasons.iter().any(|reason| reason.at == "reading.time"), "{:?}", design.reasons);
    assert!(std::fs::read_to_string(home.path("time.html")).unwrap().contains("Readings of reading"));
}

const TALL: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "reading"
[[table.family]]
name = "f"
[[table.rows]]
from = "reading"
key = ["station", "at"]
cells = [{ family = "f", columns = ["name", "bikes", "docks"] }]
"#;

/// A row of versions for each day, no more than a reading every five minutes takes.
const MINUTES: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "reading"
[[table.family]]
name = "f"
settings = { VERSIONS = 288 }
[[table.rows]]
from = "reading"
key = ["station", 'bucket(at, "1d")']
key_encoding = "binary"
cells = [{ family = "f", columns = ["name", "bikes", "docks"], version = "at" }]
"#;

/// Also what `time` writes.
#[test]
fn the_tables_of_readings_are_made_loaded_and_asked() {
    let home = home();
    for design in [
        ["time", "workload.toml", "--measure", "0", "-o"],
        ["design", "workload.toml", "--seconds", "5", "-o"],
    ] {
        let file = format!("{}.toml", design[0]);
        assert_eq!(home.run(design.iter().copied().chain([file.as_str()])).code, 0);
        let checked = home.run(["check", &file]).text();
        assert!(!checked.contains("key-loses-rows"), "{checked}");
        let store = format!("embedded:{}", home.path(design[0]).display());
        let run = |words: &[&str]| home.run(words.iter().copied().chain(["--store", &store]));
        assert_eq!(run(&["apply", &file, "--yes"]).code, 0);
        let loaded = run(&["load", &file]);
        assert!(
            loaded.code == 0 && loaded.text().contains("reading: 1200 rows"),
            "{}{}",
            loaded.text(),
            loaded.stderr
        );
        let sql =
            "SELECT COUNT(*), MAX(bikes) FROM reading WHERE station = 's3' AND at < '2024-03-01T06:00:00Z'";
        let asked = run(&["query", &file, sql, "--format", "json"]);
        assert_eq!(
            asked.json()[0]["rows"],
            serde_json::json!([[72, 19]]),
            "{}{}",
            asked.text(),
            asked.stderr
        );
        // What depends on the station alone lies in a table of its own.
        let sql = "SELECT name, COUNT(*) FROM reading WHERE name = 'Station 3' AND bikes > 5 GROUP BY name";
        let asked = run(&["query", &file, sql, "--format", "json"]);
        assert_eq!(
            asked.json()[0]["rows"],
            serde_json::json!([["Station 3", 105]]),
            "{}{}",
            asked.text(),
            asked.stderr
        );
        let one = "UPDATE reading SET name = 'x' WHERE station = 's3' AND at = '2024-03-01T00:00:00Z'";
        let changed = run(&["query", &file, one]);
        let is_stored_once = std::fs::read_to_string(home.path(&file)).unwrap().contains("reading_station");
        assert_eq!(changed.code, if is_stored_once { 2 } else { 0 }, "{changed:?}");
        assert!(!is_stored_once || changed.stderr.contains("depends on station alone"), "{changed:?}");
        let one = "INSERT INTO reading (station, at, bikes) VALUES ('s3', '2024-03-02T00:00:00Z', 5)";
        assert_eq!(run(&["query", &file, one]).code, 0);
        let sql = "SELECT COUNT(*) FROM reading WHERE station = 's3' AND name = 'Station 3'";
        let named = run(&["query", &file, sql, "--format", "json"]).json()[0]["rows"][0][0].clone();
        assert_eq!(named, if is_stored_once { 151 } else { 149 });
        assert_eq!(run(&["query", &file, "UPDATE reading SET name = NULL WHERE station = 's3'"]).code, 0);
        let sql = "SELECT COUNT(*) FROM reading WHERE station = 's3' AND name IS NOT NULL";
        assert_eq!(run(&["query", &file, sql, "--format", "json"]).json()[0]["rows"][0][0], 0);
    }
}

#[test]
fn readings_do_not_go_beside_others_that_lie_otherwise() {
    let home = home();
    home.file("minutes.toml", MINUTES);
    assert_eq!(home.run(["apply", "minutes.toml", "--yes"]).code, 0);
    let run = home.run(["load", "minutes.toml"]);
    assert_eq!(run.code, 0, "{run:?}");
    home.file("minutes.toml", MINUTES.replace("1d", "12h"));
    let run = home.run(["load", "minutes.toml"]);
    assert!(run.code == 2 && run.stderr.contains("holds rows that were loaded with another key"), "{run:?}");
}

#[test]
fn readings_answer_as_plain_rows_do_when_designs_are_verified() {
    let home = home();
    // A name that is stored once for its station would stay where the statement leaves it out.
    let arrives = "(station, at, name, bikes, docks) VALUES (?, ?, ?, ?, ?)";
    home.file("workload.toml", WORKLOAD.replace("(station, at, bikes, docks) VALUES (?, ?, ?, ?)", arrives));
    home.file("tall.toml", TALL);
    home.file("minutes.toml", MINUTES);
    let run = home.run(["time", "workload.toml", "--measure", "0", "-o", "best.toml"]);
    assert_eq!(run.code, 0, "{run:?}");
    let best = std::fs::read_to_string(home.path("best.toml")).unwrap();
    assert!(["version =", "offset(at)", "pack_by ="].iter().any(|place| best.contains(place)), "{best}");
    let designs = ["tall.toml", "best.toml", "minutes.toml"];
    let counts = ["--queries", "90", "--warm-up", "9", "--format", "json"];
    let run = home.run(["verify", "workload.toml"].iter().chain(&designs).chain(&counts));
    assert_eq!(run.code, 0, "{run:?}");
    let told = &run.json()[0];
    assert_eq!(told["answers_equal"], true, "{told}");
    let loaded: Vec<_> = told["designs"].as_array().unwrap().iter().map(|of| &of["loaded"]["rows"]).collect();
    assert_eq!(loaded, [1_200, 1_200, 1_200]);
}

#[test]
fn readings_that_a_layout_does_not_keep_are_rejected_and_counted() {
    let home = home();
    let mut text = std::fs::read_to_string(home.path("reading.csv")).unwrap();
    text.push_str("s1,2024-03-01T00:00:30Z,Station 1,1,2\n");
    home.file("reading.csv", text);
    home.file("minutes.toml", MINUTES);
    let run = home.run(["verify", "workload.toml", "minutes.toml", "--queries", "9", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let rejected = &run.json()[0]["designs"][0]["loaded"]["rejected"][0];
    assert_eq!((&rejected["rows"], &rejected["first_line"]), (&1.into(), &1_202.into()), "{rejected}");
    assert!(rejected["reason"].as_str().unwrap().contains("lies between two versions"), "{rejected}");
}

#[test]
fn bad_wishes_are_2_and_say_what_to_do() {
    let home = home();
    home.file("flat.toml", "version = 1\n[[table]]\nname = \"t\"\n[table.columns]\na = { type = \"int\" }\n");
    for (arguments, word) in [
        (["time", "flat.toml", "--measure", "0"], "[table.time]"),
        (["time", "workload.toml", "--table", "nobody"], "no table `nobody`"),
        (["time", "workload.toml", "--measure", "many"], "invalid value"),
    ] {
        let run = home.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert!(format!("{run:?}").contains(word), "{word}: {run:?}");
    }
}

#[test]
fn rows_that_are_no_readings_are_left_out_and_said() {
    let home = home();
    let mut text = std::fs::read_to_string(home.path("reading.csv")).unwrap();
    text.push_str(
        "s1,noon,Station 1,1,2\ns1,2024-03-02T00:00:00.000001Z,Station 1,1,2\n,2024-03-02T00:00:00Z,,1,2\n",
    );
    home.file("reading.csv", text);
    let run = home.run(["time", "workload.toml", "--measure", "0"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.text().contains("3 rows left out"), "{}", run.text());
}
