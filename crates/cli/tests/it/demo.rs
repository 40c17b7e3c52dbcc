//! `tablesmith demo`.

use serde_json::Value;

use crate::support::{Home, Run};

fn story(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{run:?}");
    let mut lines = run.json();
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

#[test]
fn the_story_is_true_and_says_what_it_costs() {
    let story = story(&Home::new().run(["demo", "--format", "json", "--part", "graph"]));
    assert_eq!(story["answers_equal"], true);
    assert_eq!(story["seed"], 1);
    for table in story["tables"].as_array().unwrap() {
        let regions = table["regions"].as_array().unwrap();
        let rows: u64 = regions.iter().map(|region| region["rows"].as_u64().unwrap()).sum();
        assert_eq!(Value::from(rows), story["edges"], "{table}");
        assert!(regions.iter().all(|region| region["rows"].as_u64() > Some(0)), "an empty region: {table}");
    }
    let questions = story["questions"].as_array().unwrap();
    let bytes: Vec<u64> =
        questions.iter().map(|question| question["cost"]["bytes"].as_u64().unwrap()).collect();
    assert_eq!(questions[2]["answer"], questions[3]["answer"]);
    assert!(bytes[3] * 20 < bytes[2], "the second table saves little: {bytes:?}");
    assert!(bytes[1] < bytes[0], "a get costs more than a scan: {bytes:?}");
}

#[test]
fn families_are_found_and_measured_and_there_is_a_page() {
    let home = Home::new();
    let story = story(&home.run(["demo", "--format", "json", "--part", "families", "--report", "page.html"]));
    let designs = story["ads"]["designs"].as_array().unwrap();
    let names: Vec<&str> = designs.iter().map(|design| design["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["one_family", "found"]);
    assert_eq!(designs[0]["families"].as_array().unwrap().len(), 1);
    let read = |design: &Value| design["stats"]["bytes"].as_u64().unwrap();
    assert!(read(&designs[1]) * 10 < read(&designs[0]) * 8, "families save little: {designs:?}");
    assert!(story["ads"]["verdict"].as_str().unwrap().contains("one_family"));
    assert!(std::fs::read_to_string(home.path("page.html")).unwrap().contains("one_family"));
}

#[test]
fn the_seed_decides_about_the_graph() {
    let home = Home::new();
    let of_seed = |seed: &str| {
        let story = story(&home.run(["demo", "--format", "json", "--part", "graph", "--seed", seed]));
        (story["seed"].clone(), story["most_followed"].clone(), story["questions"][0]["shell"].clone())
    };
    let seven = of_seed("7");
    assert_eq!(seven.0, 7);
    assert_eq!(seven, of_seed("7"));
    assert_ne!(seven.1, of_seed("8").1);
}

#[test]
fn nothing_is_left_behind_unless_it_is_wished() {
    let home = Home::new();
    let run = home.run(["demo", "--designs", "designs.html"]);
    assert_eq!(run.code, 0, "{run:?}");
    for word in ["1. From questions to tables", "by the guides", "3. The questions", "5. Which columns"] {
        assert!(run.text().contains(word), "{word}: {}", run.text());
    }
    assert!(std::fs::read_to_string(home.path("designs.html")).unwrap().contains("newest twits"));
    assert!(!home.path("data").exists(), "the user's own store was touched");
    let tables =
        |home: &Home| home.run(["shell", "--store", "embedded:s", "--format", "json", "-c", "list"]).text();
    assert_eq!(home.run(["demo", "--store", "embedded:s", "--part", "graph"]).code, 0);
    assert!(!tables(&home).contains("demo_"), "{}", tables(&home));
    for _ in 0..2 {
        assert_eq!(home.run(["demo", "--keep", "--store", "embedded:s", "--part", "graph"]).code, 0);
        assert!(tables(&home).contains("demo_follows"), "{}", tables(&home));
    }
}

#[test]
fn the_shell_lines_of_the_story_give_the_answers() {
    let home = Home::new();
    let told = story(&home.run(["demo", "--keep", "--format", "json", "--part", "graph"]));
    for question in told["questions"].as_array().unwrap() {
        let run = home.run(["shell", "--format", "json", "-c", question["shell"].as_str().unwrap()]);
        assert_eq!(run.code, 0, "{question}: {run:?}");
        let answer = &run.json()[0];
        let rows = answer["rows"].as_array().map_or(1, Vec::len);
        assert_eq!(Value::from(rows), question["cost"]["rows"], "{question}");
    }
}

#[test]
fn text_has_colour_only_where_it_is_wanted() {
    let home = Home::new();
    let plain = home.run(["demo", "--part", "graph"]);
    assert_eq!(plain.code, 0);
    assert!(plain.text().contains("seed 1") && plain.text().contains("tablesmith shell"), "{}", plain.text());
    assert!(!plain.text().contains('\u{1b}'));
    let forced = |variables: &[(&str, &str)]| {
        let output =
            home.command(["demo", "--part", "graph"]).envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(forced(&[("CLICOLOR_FORCE", "1")]).contains('\u{1b}'));
    assert!(!forced(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]).contains('\u{1b}'));
}
