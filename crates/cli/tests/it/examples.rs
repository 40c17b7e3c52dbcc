//! The worked examples, as their pages say: designed, checked, made, loaded, asked, changed.

use serde_json::Value;

use crate::support::Home;

/// A home with the files of an example.
fn home(example: &str) -> Home {
    let home = Home::new();
    let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
    for file in std::fs::read_dir(&files).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        home.file(&name, std::fs::read_to_string(&path).unwrap());
    }
    home
}

/// Designs, makes and loads it; the plans of its queries.
fn made(home: &Home) -> Value {
    let run = home.run(["design", "workload.toml", "-o", "design.toml", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let told = run.json().remove(0);
    for arguments in [&["apply", "design.toml", "--yes"][..], &["load", "design.toml"]] {
        let run = home.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
    }
    told
}

fn calls(told: &Value, query: &str) -> f64 {
    let queries = told["queries"].as_array().unwrap();
    queries.iter().find(|one| one["name"] == query).unwrap()["calls"].as_f64().unwrap()
}

fn rows(home: &Home, sql: &str, parameters: &[&str]) -> Vec<Value> {
    let mut arguments = vec!["query", "design.toml", sql, "--format", "json"];
    parameters.iter().for_each(|parameter| arguments.extend(["--param", parameter]));
    let run = home.run(arguments);
    assert_eq!(run.code, 0, "{sql}: {run:?}");
    run.json().remove(0)["rows"].as_array().unwrap().clone()
}

#[test]
fn the_follow_graph_is_answered_with_one_call_each() {
    let home = home("follow-graph");
    let told = made(&home);
    for query in ["whom does a user follow", "does a user follow another", "who follows a user"] {
        assert_eq!(calls(&told, query), 1.0, "{query}: {told}");
    }
    let follows = rows(&home, "whom does a user follow", &["1=nadia0"]);
    assert_eq!(follows.len(), 24, "{follows:?}");
    let before = rows(&home, "who follows a user", &["1=ada3"]).len();
    assert_eq!(rows(&home, "does a user follow another", &["1=nadia0", "2=ada3"]).len(), 1);
    let run = home.run(["query", "design.toml", "unfollow", "--param", "1=nadia0", "--param", "2=ada3"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(rows(&home, "does a user follow another", &["1=nadia0", "2=ada3"]).len(), 0);
    assert_eq!(rows(&home, "who follows a user", &["1=ada3"]).len(), before - 1, "the copy knows it, too");
}

#[test]
fn the_stream_is_one_call_and_new_messages_are_in_it() {
    let home = home("twits");
    let told = made(&home);
    let newest = "newest twits of the people a user follows";
    assert_eq!(calls(&told, newest), 1.0, "{told}");
    assert_eq!(rows(&home, newest, &["1=nadia0"]).len(), 20);
    let twit = ["query", "design.toml", "twit", "--param", "1=ada3", "--param", "2=2026-02-01T00:00:00Z"];
    let run = home.run(twit.into_iter().chain(["--param", "3=good keys"]));
    assert_eq!(run.code, 0, "{run:?}");
    let first = rows(&home, newest, &["1=nadia0"]).remove(0);
    assert_eq!((&first[0], &first[2]), (&"ada3".into(), &"good keys".into()), "{first}");
    assert_eq!(home.run(["repair", "design.toml"]).code, 0, "all copies are true");
}
