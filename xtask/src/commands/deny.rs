//! `cargo xtask deny`: licences, sources, duplicates and advisories of the dependencies, by cargo-deny and `deny.toml`.

use crate::failure::Failure;
use crate::steps::{Line, Steps};

/// Installs cargo-deny where it is missing, which takes some minutes once.
pub fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    if !Line::cargo(&["deny", "--version"]).succeeds() {
        steps.command("cargo-deny", &Line::cargo(&["install", "cargo-deny", "--locked"]))?;
    }
    steps.command("deny", &Line::cargo(&["deny", "--locked", "check", "licenses", "bans", "sources"]))?;
    // The database of advisories is fetched from the network: without it the check says so and nothing is wrong.
    if Line::cargo(&["deny", "fetch", "db"]).succeeds() {
        steps.command("advisories", &Line::cargo(&["deny", "--locked", "check", "advisories"]))?;
    } else {
        println!("── advisories: NOT CHECKED, the database cannot be fetched from here");
    }
    steps.print_summary();
    Ok(())
}
