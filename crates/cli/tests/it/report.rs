//! `tablesmith report`: a page beside the evidence, pictures where asked, and clear words about bad files.

use tablesmith_model::evidence::{Distribution, Evidence, MeasuredDesign, Summary};

use crate::support::Home;

fn evidence() -> String {
    let reads = Summary {
        queries: 3,
        mean_ms: 2.0,
        distribution: Distribution(vec![1.0, 2.0, 3.0]),
        ..Summary::default()
    };
    let design = MeasuredDesign { name: "one".into(), reads, ..MeasuredDesign::default() };
    let verdict = "one answers in 2 ms".to_owned();
    serde_json::to_string(&Evidence { designs: vec![design], verdict, ..Evidence::default() }).unwrap()
}

#[test]
fn the_page_is_beside_the_evidence() {
    let home = Home::new();
    home.file("evidence.json", evidence());
    let run = home.run(["report", "evidence.json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.text().starts_with("one answers in 2 ms\n"), "{}", run.text());
    assert!(run.text().ends_with("the page is in evidence.html\n"), "{}", run.text());
    assert!(!run.text().contains('\u{1b}'), "colours in a pipe");
    let page = std::fs::read_to_string(home.path("evidence.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<svg"), "{page}");
}

#[test]
fn pictures_and_page_go_where_they_are_asked_to() {
    let home = Home::new();
    home.file("evidence.json", evidence());
    let run =
        home.run(["report", "evidence.json", "-o", "p.html", "--pictures", "deep/er", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.json()[0]["page"], "p.html");
    assert!(home.path("p.html").exists() && !home.path("evidence.html").exists());
    let picture = std::fs::read_to_string(home.path("deep/er/times.svg")).unwrap();
    assert!(picture.starts_with("<svg xmlns="), "{picture}");
}

#[test]
fn what_is_no_evidence_is_2_and_says_why() {
    let home = Home::new();
    home.file("broken.json", "{\"title\": \"x\",\n nothing");
    home.file("foreign.json", "{\"lockfileVersion\": 3}");
    home.file("bytes.json", [0xff, 0xfe]);
    home.file("evidence.html", evidence());
    for (file, said) in [
        ("missing.json", "cannot read missing.json"),
        ("broken.json", "broken.json:2:"),
        ("foreign.json", "missing field `title`"),
        ("bytes.json", "cannot read bytes.json"),
        ("evidence.html", "name another file with -o"),
    ] {
        let run = home.run(["report", file]);
        assert_eq!(run.code, 2, "{file}: {run:?}");
        assert!(run.stderr.contains(said), "{file}: {}", run.stderr);
    }
    assert!(!home.path("broken.html").exists() && !home.path("foreign.html").exists());
}
