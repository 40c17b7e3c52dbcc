//! `cargo xtask soak`: the same tests with larger numbers.

use crate::commands::hbase;
use crate::failure::Failure;
use crate::repo::Repo;
use crate::steps::{Line, Steps};
use crate::tools::{CHROMIUM, JAVA, MAVEN, ensure};

/// The tests read `TABLESMITH_SOAK` where they choose how much to try.
pub fn run(repo: &Repo) -> Result<(), Failure> {
    ensure(&[&JAVA, &MAVEN, &CHROMIUM])?;
    let mut steps = Steps::default();
    let line = Line::cargo(&["test", "--locked", "--workspace"]).with("TABLESMITH_SOAK", "1");
    hbase::beside(repo, &mut steps, "soak", line)?;
    steps.print_summary();
    Ok(())
}
