//! How many rows a call touches, from the literals of a sample.

use std::path::Path;

use tablesmith_model::workload::Workload;
use tablesmith_observe::log::{LogProfile, Options, Part, read_from};
use tablesmith_sql::Catalog;

const VISITS: &str = r#"
version = 1
[[table]]
name = "visits"
rows = 1_000_000
key = ["day", "page"]
[table.columns]
day = { type = "int", distinct = 1000, min = 0, max = 999 }
page = { type = "string", distinct = 50 }
hits = { type = "int" }
[[table]]
name = "pages"
rows = 50
key = ["page"]
[table.columns]
page = { type = "string" }
"#;

fn read(text: &str) -> (Workload, LogProfile) {
    let workload = Workload::parse(VISITS).unwrap();
    let catalog = Catalog::of_workload(&workload);
    let path = Path::new("test.log");
    let profile = read_from(text.as_bytes(), path, &catalog, &Options::default(), &mut |_| {}).unwrap();
    (workload, profile)
}

fn rows(text: &str, part: Part) -> Vec<Option<u64>> {
    let (workload, profile) = read(text);
    profile.queries_of(part, &workload).iter().map(|query| query.rows).collect()
}

#[test]
fn each_part_of_a_log_has_the_rows_of_its_own_calls() {
    // Reports become longer: one day in training, ten in validation, a hundred in test.
    let days = |at: usize| [0, 9, 99][usize::from(at >= 6_000) + usize::from(at >= 8_000)];
    let text: String = (0..10_000)
        .map(|at| {
            format!("SELECT hits FROM visits WHERE day BETWEEN {} AND {};\n", at % 900, at % 900 + days(at))
        })
        .collect();
    assert_eq!(rows(&text, Part::Training), [Some(1_000)]);
    assert_eq!(rows(&text, Part::Validation), [Some(10_000)]);
    assert_eq!(rows(&text, Part::Test), [Some(100_000)]);
    let (_, profile) = read(&text);
    let sample = &profile.templates[0].sample;
    assert_eq!(sample.len(), 128);
    let training = sample.iter().filter(|call| call.part == Part::Training).count();
    assert!((60..=94).contains(&training), "{training} of 128 where 77 are expected");
}

#[test]
fn a_mean_is_taken_over_calls_that_differ() {
    let text: String = (0..1_000)
        .map(|at| format!("SELECT hits FROM visits WHERE day >= {} AND day < {};\n", 500, [501, 600][at % 2]))
        .collect();
    let mean = rows(&text, Part::Training)[0].unwrap();
    assert!(mean.abs_diff(50_500) < 12_000, "{mean}");
}

#[test]
fn the_first_call_stands_for_a_part_that_the_sample_misses() {
    // The training part has one call of the first template among thousands of later ones.
    let mut text = "SELECT hits FROM visits WHERE day = 7;\n".to_owned();
    text.push_str(&"SELECT page FROM pages WHERE page = 'a';\n".repeat(14_000));
    text.push_str(&"SELECT hits FROM visits WHERE day = 7;\n".repeat(9_000));
    assert_eq!(rows(&text, Part::Training), [Some(1), Some(1_000)]);
}

#[test]
fn where_literals_say_nothing_the_decider_estimates() {
    for text in [
        "SELECT hits FROM visits WHERE day = $1;\n",
        "SELECT hits FROM visits WHERE hits > 5;\n",
        "SELECT hits FROM visits, pages WHERE visits.page = pages.page AND day = 5;\n",
    ] {
        assert_eq!(rows(&text.repeat(10), Part::Training), [None], "{text}");
    }
}

#[test]
fn samples_stay_small_whatever_the_log() {
    let mut text = String::new();
    for at in 0..20_000 {
        text.push_str(&format!("SELECT hits AS h{} FROM visits WHERE day = {at};\n", at % 2_000));
    }
    let (_, profile) = read(&text);
    let sizes: Vec<usize> = profile.templates.iter().map(|template| template.sample.len()).collect();
    assert_eq!(sizes.len(), 2_000);
    assert!(sizes.iter().sum::<usize>() <= 8_192 && sizes.iter().all(|size| *size >= 1), "{sizes:?}");
}
