//! How a log is divided by time.

use tablesmith_model::workload::Split;
use tablesmith_observe::log::{Options, SLICES_MAX};

use super::support::{profile, profile_with};

fn statement(second: usize, column: &str) -> String {
    format!(
        "2024-01-02 {:02}:{:02}:{:02} SELECT {column} FROM users;\n",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

#[test]
fn the_first_part_is_exactly_the_first_calls() {
    // One column is only asked for in the first 60 %, the other only in the last 20 %.
    let text: String = (0..1_000)
        .map(|at| {
            statement(
                at * 7,
                if at < 600 {
                    "name"
                } else if at < 800 {
                    "age"
                } else {
                    "email"
                },
            )
        })
        .collect();
    let read = profile(&text);
    let parts: Vec<(&str, [u64; 3])> =
        read.templates.iter().map(|template| (template.text.as_str(), template.parts)).collect();
    assert_eq!(
        parts,
        [
            ("SELECT name FROM users", [600, 0, 0]),
            ("SELECT age FROM users", [0, 200, 0]),
            ("SELECT email FROM users", [0, 0, 200])
        ]
    );
    let reversed: String = text.lines().rev().map(|line| format!("{line}\n")).collect();
    for template in profile(reversed).templates {
        let same = read.templates.iter().find(|other| other.text == template.text).unwrap();
        assert_eq!(
            (template.parts, template.slices),
            (same.parts, same.slices.clone()),
            "the order of lines does not matter"
        );
    }
}

#[test]
fn without_times_the_place_stands_for_the_time() {
    let text: String = (0..10)
        .map(|at| if at < 6 { "SELECT name FROM users;\n" } else { "SELECT age FROM users;\n" })
        .collect();
    let read = profile(&text);
    assert_eq!((read.templates[0].parts, read.templates[1].parts), ([6, 0, 0], [0, 2, 2]));
    let half = Options { split: Split { training: 0.5, validation: 0.5, test: 0.0 }, ..Options::default() };
    assert_eq!(profile_with(&text, &half).templates[0].parts, [5, 1, 0]);
}

#[test]
fn slices_show_when_a_template_was_called() {
    let text: String =
        (0..5_000).map(|at| statement(at * 10, if at < 2_500 { "name" } else { "age" })).collect();
    let read = profile(text);
    assert!(read.slices.count as u64 <= SLICES_MAX && read.slices.count > 30, "{:?}", read.slices);
    let early = &read.templates[0].slices;
    let (first, second) = early.split_at(early.len() / 2 + 1);
    assert_eq!((first.iter().sum::<u64>(), second.iter().sum::<u64>()), (2_500, 0));
    let (from_ms, to_ms) = read.times_ms.unwrap();
    assert!(
        read.slices.start <= from_ms
            && read.slices.start + read.slices.width * read.slices.count as i64 > to_ms
    );
}
