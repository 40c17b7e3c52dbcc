//! `cargo xtask soak`: the same tests with larger numbers.

use crate::failure::Failure;
use crate::steps::{Line, Steps};

/// The tests read `TABLESMITH_SOAK` where they choose how much to try.
pub fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    steps.command("soak", &Line::cargo(&["test", "--workspace"]).with("TABLESMITH_SOAK", "1"))?;
    steps.print_summary();
    Ok(())
}
