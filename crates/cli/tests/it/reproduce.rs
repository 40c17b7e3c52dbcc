//! `tablesmith reproduce`.

use crate::support::Home;

#[test]
fn every_claim_of_the_families_paper_stands_beside_what_was_measured() {
    let home = Home::new();
    let calibrated = home.run(["calibrate", "--seconds", "2", "--store", "embedded:s"]);
    assert_eq!(calibrated.code, 0, "{calibrated:?}");
    let arguments = "reproduce families --scale 0.0005 --queries 60 --seconds 1 --store embedded:s \
                     --evidence evidence.json --report page.html --format json";
    let run = home.run(arguments.split_whitespace());
    // On so little data some claims may not hold.
    assert!(run.code <= 1, "{run:?}");
    let found = run.json().remove(0);
    assert_eq!((&found["experiment"], &found["scale"]), (&"families".into(), &0.0005.into()));
    assert_eq!(found["answers_equal"], true);
    let claims = found["claims"].as_array().unwrap();
    assert_eq!(claims.len(), 6);
    for claim in claims {
        assert!(claim["claim"].is_string() && claim["paper"].is_string() && claim["measured"].is_string());
        assert_eq!(claim["holds"] == false, claim["reason"].is_string(), "{claim}");
    }
    assert_eq!(run.code == 0, claims.iter().all(|claim| claim["holds"] == true));
    let schemas = found["tables"]["schemas"].as_array().unwrap();
    let names: Vec<&str> = schemas.iter().map(|schema| schema["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ref01", "ref02", "ref03", "s03", "s05", "ours03", "ours05"]);
    assert!(schemas.iter().all(|schema| schema["queries"] == 60 && schema["mean_ms"].as_f64() > Some(0.0)));
    assert_eq!(found["tables"]["prediction"]["designs"].as_array().unwrap().len(), 7);
    let written = |name: &str| std::fs::read_to_string(home.path(name)).unwrap();
    assert!(written("page.html").contains("ref02") && written("evidence.json").contains("\"claims\""));
    let tables = home.run(["shell", "--store", "embedded:s", "--format", "json", "-c", "list"]).text();
    assert!(!tables.contains("tablesmith_verify"), "{tables}");
}

#[test]
fn every_claim_of_the_keys_paper_stands_beside_what_came_out() {
    let home = Home::new();
    let arguments = "reproduce keys --scale 0.0005 --rows 20000 --rate 2000 --evidence evidence.json \
                     --report page.html --format json";
    let run = home.run(arguments.split_whitespace());
    // With so few rows some claims may not hold.
    assert!(run.code <= 1, "{run:?}");
    let found = run.json().remove(0);
    assert_eq!((&found["experiment"], &found["scale"]), (&"keys".into(), &0.0005.into()));
    let claims = found["claims"].as_array().unwrap();
    assert_eq!(claims.len(), 16);
    assert!(claims.iter().all(|claim| claim["holds"] == true || claim["reason"].is_string()), "{claims:#?}");
    assert_eq!(run.code == 0, claims.iter().all(|claim| claim["holds"] == true));
    // The scale does not shrink the histogram.
    let histograms = found["tables"]["md5_histogram"].as_array().unwrap();
    assert_eq!(histograms.len(), 4);
    assert_eq!((&histograms[0]["modulus"], &histograms[0]["ids"]), (&1_000.into(), &4_000_000.into()));
    assert_eq!((&histograms[0]["min"], &histograms[0]["max"]), (&3_811.into(), &4_196.into()));
    assert!((histograms[0]["sd"].as_f64().unwrap() - 63.554_9).abs() < 0.000_1);
    assert_eq!(found["tables"]["simulated"].as_array().unwrap().len(), 5 * 10 * 3 * 8);
    let checks = found["tables"]["check"].as_array().unwrap();
    assert_eq!(checks.len(), 10);
    assert!(checks.iter().all(|check| check["rows_equal"] == true), "{checks:#?}");
    let written = |name: &str| std::fs::read_to_string(home.path(name)).unwrap();
    assert!(
        written("page.html").contains("id mod is hot") && written("evidence.json").contains("\"claims\"")
    );
}

#[test]
fn every_claim_of_the_guides_stands_beside_what_was_measured() {
    let home = Home::new();
    let calibrated = home.run(["calibrate", "--seconds", "2", "--store", "embedded:s"]);
    assert_eq!(calibrated.code, 0, "{calibrated:?}");
    let arguments = "reproduce follows --scale 0.0002 --rounds 10 --designs 3 --store embedded:s \
                     --evidence evidence.json --format json";
    let run = home.run(arguments.split_whitespace());
    // On so little data some claims may not hold.
    assert!(run.code <= 1, "{run:?}");
    let found = run.json().remove(0);
    assert_eq!((&found["experiment"], &found["answers_equal"]), (&"follows".into(), &true.into()));
    let claims = found["claims"].as_array().unwrap();
    assert_eq!(claims.len(), 11);
    assert!(claims.iter().all(|claim| claim["holds"] == true || claim["reason"].is_string()), "{claims:#?}");
    assert_eq!(run.code == 0, claims.iter().all(|claim| claim["holds"] == true));
    // Every query is one call. Adding an edge writes to both lists, which the embedded store does in one atomic batch.
    let ours = found["tables"]["graph"].as_array().unwrap().last().unwrap();
    let calls = |question: &str| ours["questions"][question]["calls"].as_f64().unwrap();
    for question in ["whom does A follow", "does A follow B", "who follows A"] {
        assert_eq!(calls(question), 1.0, "{question}");
    }
    assert_eq!((calls("A follows B"), calls("A unfollows B")), (1.0, 1.0));
    let evidence = std::fs::read_to_string(home.path("evidence.json")).unwrap();
    let evidence: serde_json::Value = serde_json::from_str(&evidence).unwrap();
    let prediction = &evidence["prediction"];
    assert_eq!((&prediction["cost"], prediction["designs"].as_array().unwrap().len()), (&"store".into(), 4));
}
