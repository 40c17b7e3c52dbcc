//! What a page has to say, and never does.

use tablesmith_model::evidence::Evidence;
use tablesmith_report::page;

use crate::sample;

#[test]
fn the_verdict_is_the_first_thing_to_read() {
    let page = page(&sample::full());
    let heading = page.find("<h1>").unwrap();
    assert!(page[heading..].starts_with("<h1>s05 answers 36\u{a0}% faster than ref01"));
    assert!(page.find("<section").unwrap() > heading && page.find("<svg").unwrap() > heading);
}

#[test]
fn every_section_of_a_full_run_is_there() {
    let page = page(&sample::full());
    for id in [
        "claims",
        "times",
        "pairs",
        "queries",
        "families",
        "prediction",
        "regions",
        "heat",
        "figures",
        "loading",
    ] {
        assert!(page.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    for text in [
        "Measuring stopped early:",
        "did not answer call 1,412",
        "the key column ad_id is empty",
        "4,711",
        "0.971",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn a_page_fetches_and_runs_nothing() {
    for (name, evidence) in sample::all() {
        let page = page(&evidence).to_lowercase();
        for word in ["<script", "http://", "https://", "<link", "@import", "url(", "<img", "<iframe"] {
            let found = page.replace("http://www.w3.org/", "").find(word);
            assert!(found.is_none(), "{name} has {word}");
        }
    }
}

#[test]
fn names_from_data_never_become_markup() {
    let page = page(&sample::hostile());
    assert!(page.contains("&lt;script&gt;document.title=&#39;taken&#39;&lt;/script&gt;"));
    assert_eq!(page.matches("</title>").count(), page.matches("<title").count());
    assert_eq!(page.matches("</main>").count(), 1);
    let controls = page.chars().filter(|letter| letter.is_control() && *letter != '\n').count();
    assert_eq!(controls, 0);
}

#[test]
fn numbers_that_are_none_are_dashes() {
    let page = page(&sample::hostile());
    for word in [">NaN", ">inf", "\"NaN", "\"inf", " NaN", " inf "] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("<td class=\"number\">–</td>"));
}

#[test]
fn what_was_not_measured_is_left_out() {
    let nothing = page(&Evidence::default());
    assert!(nothing.contains("<h1>Nothing was measured</h1>") && nothing.contains("No call was measured"));
    for id in
        ["claims", "pairs", "queries", "families", "prediction", "regions", "heat", "figures", "loading"]
    {
        assert!(!nothing.contains(&format!("id=\"{id}\"")), "{id}");
    }
    let one = page(&sample::one_design());
    assert!(one.contains("id=\"times\"") && !one.contains("id=\"pairs\"") && !one.contains("id=\"regions\""));
}

#[test]
fn a_thousand_designs_make_a_page_that_opens() {
    let page = page(&sample::crowd());
    assert!(page.len() < 4_000_000, "{} bytes", page.len());
    assert!(page.contains("… and 800 more rows"));
}

#[test]
fn every_picture_has_words_and_ids_are_unique() {
    for (name, evidence) in sample::all() {
        let page = page(&evidence);
        assert_eq!(
            page.matches("<svg").count(),
            page.matches("role=\"img\" aria-labelledby=").count(),
            "{name}"
        );
        let mut ids: Vec<&str> =
            page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{name}");
    }
}
