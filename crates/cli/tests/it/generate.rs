//! `tablesmith generate` and `tablesmith schema`.

use crate::support::Home;

#[test]
fn generated_data_can_be_read_back() {
    let home = Home::new();
    let run =
        home.run(["generate", "ads", "--scale", "0.001", "-o", "ads", "--seed", "7", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let made = &run.json()[0];
    assert_eq!(
        (&made["rows"], &made["statements"], &made["columns"]),
        (&2600.into(), &1300.into(), &60.into())
    );
    assert_eq!(made["seed"], 7);
    let run = home.run([
        "init",
        "--data",
        "ads/ads.csv",
        "--log",
        "ads/queries.sql",
        "-o",
        "w.toml",
        "--format",
        "json",
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    let found = &run.json()[0];
    assert_eq!(
        (&found["tables"][0]["rows"], &found["tables"][0]["bad_lines"]["count"]),
        (&2600.into(), &0.into())
    );
    assert_eq!(
        (&found["log"]["statements"], &found["log"]["not_understood"]["count"]),
        (&1300.into(), &0.into())
    );
    let templates = found["log"]["templates"].as_u64().unwrap();
    assert!((20..=28).contains(&templates), "{templates} kinds of statements from 28 reports");
}

#[test]
fn generated_files_are_not_written_over() {
    let home = Home::new();
    let arguments = ["generate", "ads", "--scale", "0.0005", "-o", "ads"];
    let first = home.run(arguments);
    assert!(first.text().contains("1,300 rows of 60 columns"), "{first:?}");
    let data = std::fs::read(home.path("ads/ads.csv")).unwrap();
    assert_eq!(home.run(arguments).code, 2);
    assert_eq!(home.run(arguments.into_iter().chain(["--force", "--seed", "2"])).code, 0);
    assert_ne!(std::fs::read(home.path("ads/ads.csv")).unwrap(), data);
    let nonsense = home.run(["generate", "ads", "--scale", "-1", "-o", "other"]);
    assert_eq!(nonsense.code, 2, "{nonsense:?}");
}

#[test]
fn the_schema_is_one() {
    let home = Home::new();
    let run = home.run(["schema", "workload"]);
    assert_eq!(run.code, 0);
    let schema: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(schema["title"], "workload.toml");
    assert!(schema["properties"]["table"]["items"]["properties"]["columns"].is_object(), "{schema}");
    assert!(home.run(["schema", "design"]).text().contains("\"properties\""));
    assert_eq!(home.run(["schema", "nothing"]).code, 2);
}
