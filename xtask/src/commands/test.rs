//! `cargo xtask test`: everything that must hold before a change goes in.

use crate::commands::{docs, hbase, tidy};
use crate::failure::Failure;
use crate::repo::Repo;
use crate::steps::{Line, Steps};
use crate::tools::{CHROMIUM, CLIPPY, JAVA, MAVEN, RUSTFMT, ensure};

/// Quick checks first, so that a typing error is not found after a build. Everything is built in one profile.
pub fn run(repo: &Repo) -> Result<(), Failure> {
    ensure(&[&RUSTFMT, &CLIPPY, &JAVA, &MAVEN, &CHROMIUM])?;
    let mut steps = Steps::default();
    steps.command("format", &Line::cargo(&["fmt", "--all", "--check"]))?;
    steps.work("tidy", "cargo xtask tidy", || tidy::run(repo).map_err(|failure| failure.to_string()))?;
    steps.command("lints", &lints())?;
    let but_faults = Line::cargo(&["test", "--locked", "--workspace", "--", "--skip", FAULTS]);
    hbase::beside(repo, &mut steps, "tests", but_faults)?;
    // The whole workspace, since one package alone would be built again with features of its own.
    steps.command("faults", &Line::cargo(&["test", "--locked", "--workspace", "--test", "it", FAULTS]))?;
    steps.work("docs", "cargo xtask docs --check", || {
        docs::check_with(repo, &docs::built_binary(repo)).map_err(|failure| failure.to_string())
    })?;
    steps.print_summary();
    println!("All is well.");
    Ok(())
}

/// Tests that start a cluster of separate processes: they run alone, since both cores are busy with it.
const FAULTS: &str = "faults::";

fn lints() -> Line {
    Line::cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"])
}
