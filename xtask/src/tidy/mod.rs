//! The rules of the house that a compiler does not check. Each is a function of the sources, in its own file.

mod dead_files;
mod layering;
mod length;
mod manifest;
mod module_comment;
mod words;

use std::collections::BTreeMap;
use std::fmt;

use crate::failure::Failure;
use crate::repo::Repo;

/// A rule looks at all sources and says what it does not like.
type Rule = fn(&Sources) -> Vec<Finding>;

const RULES: &[Rule] =
    &[layering::check, dead_files::check, words::check, module_comment::check, length::check];

/// The text files of the project by path.
#[derive(Default)]
pub struct Sources(BTreeMap<String, String>);

impl Sources {
    /// Reads all text files of the checkout.
    pub fn read(repo: &Repo) -> Result<Self, Failure> {
        let mut sources = Self::default();
        for path in repo.files()? {
            if let Some(text) = repo.text(&path)? {
                sources.0.insert(path, text);
            }
        }
        Ok(sources)
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// All files.
    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The Rust files.
    fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().filter(|(path, _)| path.ends_with(".rs"))
    }

    fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    #[cfg(test)]
    fn of<const N: usize>(files: [(&str, &str); N]) -> Self {
        Self(files.map(|(path, text)| (path.to_owned(), text.to_owned())).into())
    }
}

/// Something that is not as it should be.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    path: String,
    line: Option<usize>,
    message: String,
}

impl Finding {
    fn in_file(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, message: message.into() }
    }

    /// `index` counts lines from 0, people from 1.
    fn in_line(path: &str, index: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: Some(index + 1), message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.message),
            None => write!(f, "{}: {}", self.path, self.message),
        }
    }
}

/// What all rules find.
pub fn findings(sources: &Sources) -> Vec<Finding> {
    RULES.iter().flat_map(|rule| rule(sources)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rules_run() {
        let sources = Sources::of([
            ("crates/model/Cargo.toml", "[dependencies]\ntablesmith-store.workspace = true\n"),
            ("crates/model/src/lost.rs", "fn f() {}\n"),
            ("README.md", concat!("see /ho", "me/me\n")),
            ("crates/model/src/lib.rs", &format!("//! Long.\n{}", "\n".repeat(700))),
        ]);
        let messages: Vec<_> = findings(&sources).iter().map(Finding::to_string).collect();
        assert_eq!(messages.len(), 5, "{messages:#?}");
        assert!(messages.iter().any(|message| message.starts_with("README.md:1: ")));
    }
}
