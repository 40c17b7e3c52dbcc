//! Pictures as files.

use tablesmith_model::evidence::Evidence;
use tablesmith_report::pictures;

use crate::sample;

#[test]
fn a_full_run_has_every_picture() {
    let pictures = pictures(&sample::full());
    let names: Vec<&str> = pictures.iter().map(|picture| picture.name.as_str()).collect();
    assert_eq!(
        names,
        ["times", "writes", "pairs", "differences", "queries", "families", "prediction", "regions", "heat"]
    );
    for picture in &pictures {
        assert!(picture.svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{}", picture.name);
        assert!(picture.svg.contains("prefers-color-scheme: dark"), "{}", picture.name);
        assert!(!picture.svg.contains("var("), "{}: many programs know no variables", picture.name);
        assert!(picture.alt.len() > 40, "{}", picture.alt);
    }
}

#[test]
fn without_measurements_there_is_nothing_to_draw() {
    assert!(pictures(&Evidence::default()).is_empty());
}

#[test]
fn coordinates_are_always_numbers() {
    for (name, evidence) in sample::all() {
        for picture in pictures(&evidence) {
            for word in ["\"NaN", "\"inf", "\"-inf", "MNaN", "LNaN", " NaN", " inf "] {
                assert!(!picture.svg.contains(word), "{name}/{}: {word}", picture.name);
            }
        }
    }
}
