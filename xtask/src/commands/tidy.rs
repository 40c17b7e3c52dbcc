//! `cargo xtask tidy`: prints what the rules of the house find.

use crate::failure::Failure;
use crate::repo::Repo;
use crate::tidy::{Sources, findings};

/// Runs all rules and fails when any of them found something.
pub fn run(repo: &Repo) -> Result<(), Failure> {
    let sources = Sources::read(repo)?;
    let findings = findings(&sources);
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("{} files are tidy.", sources.count());
            Ok(())
        }
        count => Err(Failure::Found {
            what: format!("{count} untidy place{}", if count == 1 { "" } else { "s" }),
            fix: "Each line above says what to change.".to_owned(),
        }),
    }
}
