//! `cargo xtask docs`: pages that come from the program itself, so that they cannot say something else than it does.

use std::fs;
use std::path::{Path, PathBuf};

use crate::docs::pages;
use crate::failure::Failure;
use crate::repo::Repo;
use crate::steps::{Line, Steps};

/// Writes the pages.
pub fn write(repo: &Repo) -> Result<(), Failure> {
    for (name, text) in pages(&build(repo)?)? {
        let path = repo.path(name);
        fs::write(&path, text).map_err(|error| Failure::file(&path, error))?;
        println!("{name} is written.");
    }
    Ok(())
}

/// Builds the program and compares its pages.
pub fn check(repo: &Repo) -> Result<(), Failure> {
    check_with(repo, &build(repo)?)
}

/// Compares the pages of a program that is built already.
pub fn check_with(repo: &Repo, binary: &Path) -> Result<(), Failure> {
    let mut stale = Vec::new();
    for (name, text) in pages(binary)? {
        // A page that is missing is out of date too.
        if fs::read_to_string(repo.path(name)).ok().as_deref() != Some(text.as_str()) {
            stale.push(name);
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(Failure::Found {
        what: format!("{} out of date", stale.join(", ")),
        fix: "Write the pages anew with: cargo xtask docs".to_owned(),
    })
}

/// Where the tests' build puts the program.
pub fn built_binary(repo: &Repo) -> PathBuf {
    repo.target_directory().join("debug").join(format!("tablesmith{}", std::env::consts::EXE_SUFFIX))
}

fn build(repo: &Repo) -> Result<PathBuf, Failure> {
    Steps::default().command("build", &Line::cargo(&["build", "--package", "tablesmith"]))?;
    Ok(built_binary(repo))
}
