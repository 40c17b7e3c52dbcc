//! The summary for a terminal.

use tablesmith_model::evidence::Evidence;
use tablesmith_report::{Look, summary};

use crate::sample;

fn plain(_: Look, text: &str) -> String {
    text.to_owned()
}

fn bold(look: Look, text: &str) -> String {
    if look == Look::Bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}

#[test]
fn it_says_what_the_page_says_first() {
    let text = summary(&sample::full(), 80, plain);
    let first = text.lines().next().unwrap();
    assert_eq!(first, "s05 answers 36 % faster than ref01 (95 % interval 34–38 %)");
    for part in [
        "Measuring stopped early",
        "exact",
        "✓ s05 answers about 34 %",
        "✗ ref01 is the best",
        "rank correlation 0.971",
        "12 rows rejected",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(text.ends_with('\n') && !text.contains('\x1b'));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for (name, evidence) in sample::all() {
        for width in [0, 48, 80, 200] {
            for line in summary(&evidence, width, plain).lines() {
                assert!(line.chars().count() <= width.max(48), "{name} at {width}: {line}");
            }
        }
    }
}

#[test]
fn colours_come_only_when_asked_for_and_never_from_names() {
    assert!(summary(&sample::full(), 80, bold).contains("\x1b[1m"));
    assert!(!summary(&sample::hostile(), 80, plain).contains('\x1b'));
}

#[test]
fn without_measurements_it_says_so() {
    assert_eq!(summary(&Evidence::default(), 80, plain), "Nothing was measured\n");
}
