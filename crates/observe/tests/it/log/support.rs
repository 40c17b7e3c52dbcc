//! The tables of the tests, and a log's profile from text.

use std::path::Path;

use tablesmith_observe::log::{LogProfile, Options, read_from};
use tablesmith_sql::Catalog;

pub fn catalog() -> Catalog {
    let mut catalog = Catalog::new();
    catalog.add("users", ["id", "name", "email", "age"]).add("orders", ["id", "user_id", "total"]);
    catalog
}

pub fn profile(text: impl AsRef<[u8]>) -> LogProfile {
    profile_with(text, &Options::default())
}

pub fn profile_with(text: impl AsRef<[u8]>, options: &Options) -> LogProfile {
    read_from(text.as_ref(), Path::new("test.log"), &catalog(), options, &mut |_| {}).unwrap()
}

/// Templates with their counts, in the profile's order.
pub fn counts(profile: &LogProfile) -> Vec<(&str, u64)> {
    profile.templates.iter().map(|template| (template.text.as_str(), template.count)).collect()
}

/// The order of files must not matter where they only differ in how lines end and whether a mark comes first.
pub fn profile_in_every_dress(text: &str) -> LogProfile {
    let first = profile(text);
    for dressed in [
        format!("\u{FEFF}{text}"),
        text.replace('\n', "\r\n"),
        text.trim_end().to_owned(),
        format!("{text}\n\n"),
    ] {
        let other = profile(&dressed);
        assert_eq!(first.format, other.format, "{dressed}");
        assert_eq!(counts(&first), counts(&other), "{dressed}");
        assert_eq!(first.times_ms, other.times_ms, "{dressed}");
        assert_eq!(first.not_understood, other.not_understood, "{dressed}");
        assert_eq!(first.passed_over, other.passed_over, "{dressed}");
    }
    first
}
