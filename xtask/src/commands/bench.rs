//! `cargo xtask bench [NAME]`: the benchmarks, in release mode.

use crate::failure::Failure;
use crate::steps::{Line, Steps};

/// Runs the benchmark program with the names given; it knows what it has.
pub fn run(names: &[&str]) -> Result<(), Failure> {
    let mut words = vec!["run", "--release", "--package", "tablesmith-bench", "--"];
    words.extend(names);
    Steps::default().command("bench", &Line::cargo(&words))
}
