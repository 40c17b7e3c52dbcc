//! Words that must not be in the project: absolute paths of somebody's machine, and notes to come back to.

use super::{Finding, Sources};

/// Each word is put together here so that this file does not contain it.
const PATHS: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!("/t", "mp/"),
    concat!("/Us", "ers/"),
];
const NOTES: &[&str] = &[concat!("to", "do!"), concat!("FIX", "ME"), concat!("XX", "X:")];

/// Places that mean what they say: path, word.
const ALLOWED: &[(&str, &str)] = &[];

/// Finds the words in all text files.
pub fn check(sources: &Sources) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in sources.all() {
        for (index, line) in text.lines().enumerate() {
            let paths = PATHS.iter().filter(|word| names_a_machine(line, word));
            let notes = NOTES.iter().filter(|word| line.contains(**word));
            for word in paths.chain(notes).filter(|word| !ALLOWED.contains(&(path, **word))) {
                findings.push(Finding::in_line(path, index, format!("{word:?} does not belong here")));
            }
        }
    }
    findings
}

/// Whether a path begins with the word, as opposed to having it in the middle (a web address, a relative path).
fn names_a_machine(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric() && !"._-/}".contains(before))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_machine_are_found() {
        let text = concat!("fine\nsee `/ho", "me/me/x` and \"/t", "mp/y\"\n");
        let findings = check(&Sources::of([("a.md", text)]));
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings.iter().all(|finding| finding.line == Some(2)));
    }

    #[test]
    fn addresses_and_relative_paths_are_fine() {
        let text = concat!("https://example.org/ho", "me/x ./t", "mp/y target/t", "mp/z\n");
        assert_eq!(check(&Sources::of([("a.md", text)])), []);
    }

    #[test]
    fn notes_are_found() {
        let text = concat!("fn f() {\n    to", "do!()\n} // FIX", "ME\n");
        assert_eq!(check(&Sources::of([("a.rs", text)])).len(), 2);
    }
}
