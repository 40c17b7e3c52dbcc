//! A decided design as a `design.toml`.

use std::path::Path;

use tablesmith_model::design::Design;

use super::Answer;
use crate::failure::Failure;
use crate::{relative_path, whole_file};

/// Writes the design, with the workload's path seen from it.
pub fn file(path: &Path, workload: &Path, answer: &Answer) -> Result<(), Failure> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let design =
        Design { workload: relative_path::from(directory, workload), ..answer.decided.design.clone() };
    whole_file::write(path, &design.to_toml())
}
