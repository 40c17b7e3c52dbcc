//! Pages and pictures as a real browser sees them: nothing in the console, every picture drawn, nothing too wide.
//!
//! Screenshots stay in the target directory (`tmp/report`), to be looked at.

mod devtools;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tablesmith_report::{page, pictures};

use crate::sample;
use devtools::{Browser, Look};

/// What is looked at in a page: sizes, pictures, and whatever reaches beyond its room.
const FINDINGS: &str = include_str!("findings.js");

fn directory() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    fs::create_dir_all(&directory).unwrap();
    directory
}

fn screen(width: u32, is_dark: bool) -> Look {
    Look { width, is_dark, medium: "screen" }
}

/// Opens a page and fails when it is not as it should be. Returns what was found.
fn check(browser: &mut Browser, file: &Path, look: Look) -> Value {
    let name = file.display();
    let complaints = browser.open(file, look);
    assert!(complaints.is_empty(), "{name} {look:?}: {complaints:#?}");
    let found = browser.evaluate(FINDINGS);
    assert_eq!(found["width"], look.width, "{name} {look:?}");
    assert!(found["scroll_width"].as_u64() <= Some(look.width.into()), "{name} {look:?}: {found:#}");
    for problem in ["too_wide", "empty_pictures", "cut_text"] {
        assert_eq!(found[problem], serde_json::json!([]), "{name} {look:?}: {problem}");
    }
    let is_dark = found["paper_lightness"].as_f64().unwrap() < 0.5;
    assert_eq!(is_dark, look.is_dark && look.medium == "screen", "{name} {look:?}");
    found
}

/// One test, since starting the browser takes longer than everything it is asked.
#[test]
fn a_real_browser_finds_nothing_wrong() {
    let (mut browser, directory) = (Browser::start(), directory());
    the_check_itself_finds_what_is_wrong(&mut browser, &directory);
    pages_fit_every_screen_and_theme(&mut browser, &directory);
    a_page_on_paper_is_light_and_whole(&mut browser, &directory);
    pictures_stand_alone(&mut browser, &directory);
}

fn pages_fit_every_screen_and_theme(browser: &mut Browser, directory: &Path) {
    for (name, evidence) in sample::all() {
        let file = directory.join(format!("{name}.html"));
        fs::write(&file, page(&evidence)).unwrap();
        let expected = pictures(&evidence).len();
        for width in [400, 1_400] {
            for is_dark in [false, true] {
                let found = check(browser, &file, screen(width, is_dark));
                let shown = found["pictures"].as_array().unwrap().len();
                assert_eq!(shown, expected, "{name} at {width}: {:#}", found["pictures"]);
                // One screenshot in each theme is enough to look at, and they take most of the time.
                if is_dark == (width == 400) {
                    browser.screenshot(&directory.join(format!("{name}-{width}.png")));
                }
            }
        }
    }
}

fn a_page_on_paper_is_light_and_whole(browser: &mut Browser, directory: &Path) {
    let file = directory.join("paper.html");
    let evidence = sample::full();
    fs::write(&file, page(&evidence)).unwrap();
    let found = check(browser, &file, Look { width: 720, is_dark: true, medium: "print" });
    assert_eq!(found["pictures"].as_array().unwrap().len(), pictures(&evidence).len());
    assert_eq!(found["closed_details"], 0, "what can be opened is open on paper");
    browser.screenshot(&directory.join("paper.png"));
    browser.print(&directory.join("paper.pdf"));
    assert!(fs::metadata(directory.join("paper.pdf")).unwrap().len() > 20_000);
}

fn pictures_stand_alone(browser: &mut Browser, directory: &Path) {
    for (name, evidence) in sample::all() {
        for picture in pictures(&evidence) {
            let file = directory.join(format!("{name}-{}.svg", picture.name));
            fs::write(&file, &picture.svg).unwrap();
            let complaints = browser.open(&file, screen(1_400, true));
            assert!(complaints.is_empty(), "{}: {complaints:#?}", file.display());
            let root = browser.evaluate(
                "document.documentElement.nodeName + document.querySelectorAll('parsererror').length",
            );
            assert_eq!(root, "svg0", "{} is no picture", file.display());
            let paper = browser.evaluate("getComputedStyle(document.querySelector('.paper')).fill");
            assert_eq!(paper, "rgb(21, 24, 28)", "{} has no dark theme", file.display());
        }
    }
}

fn the_check_itself_finds_what_is_wrong(browser: &mut Browser, directory: &Path) {
    let file = directory.join("wrong.html");
    let wrong = "<!doctype html><meta charset=utf-8><body style='background:#fff'><div style='width:900px'>wide</div>\
        <svg width=0 height=0 role=img><title>none</title></svg>\
        <svg width=100 height=50 role=img><title>cut</title><text x=90 y=20>cut off</text></svg>\
        <script>console.error('complains')</script><link rel=stylesheet href=nowhere.css>";
    fs::write(&file, wrong).unwrap();
    let complaints = browser.open(&file, screen(400, false));
    assert!(complaints.iter().any(|complaint| complaint.contains("complains")), "{complaints:?}");
    assert!(complaints.iter().any(|complaint| complaint.contains("nowhere.css")), "{complaints:?}");
    let found = browser.evaluate(FINDINGS);
    assert!(found["scroll_width"].as_u64() > Some(400), "{found:#}");
    for problem in ["too_wide", "empty_pictures", "cut_text"] {
        assert_ne!(found[problem], serde_json::json!([]), "{problem}: {found:#}");
    }
}
