//! Every Rust file begins by saying what lives in it.

use super::{Finding, Sources};

/// Finds files whose first line is not a `//!` comment.
pub fn check(sources: &Sources) -> Vec<Finding> {
    sources
        .rust()
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| Finding::in_file(path, "begins without a `//!` comment that says what lives here"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silent_files_are_found() {
        let sources = Sources::of([
            ("a.rs", "//! Speaks.\n"),
            ("b.rs", "use std::fmt;\n"),
            ("c.rs", ""),
            ("d.md", "text\n"),
        ]);
        let silent: Vec<_> = check(&sources).into_iter().map(|finding| finding.path).collect();
        assert_eq!(silent, ["b.rs", "c.rs"]);
    }
}
