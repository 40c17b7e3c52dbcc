//! A file that needs more lines than this holds more than one idea.

use super::{Finding, Sources};

const MAX_LINES: usize = 600;

/// Finds Rust files that are too long.
pub fn check(sources: &Sources) -> Vec<Finding> {
    sources
        .rust()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(path, lines)| {
            Finding::in_file(path, format!("{lines} lines, at most {MAX_LINES}: give each idea its own file"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_fine() {
        let sources = Sources::of([("a.rs", &"\n".repeat(MAX_LINES)), ("b.rs", &"\n".repeat(MAX_LINES + 1))]);
        let long: Vec<_> = check(&sources).into_iter().map(|finding| finding.path).collect();
        assert_eq!(long, ["b.rs"]);
    }
}
