//! A decided design as a `design.toml`.

use std::path::{Path, PathBuf};

use tablesmith_model::design::Design;

use super::Answer;
use crate::failure::Failure;
use crate::{relative_path, whole_file};

/// Writes the design, with the workload's path seen from it. A design that was there and says something else is kept beside it;
/// where.
pub fn file(path: &Path, workload: &Path, answer: &Answer) -> Result<Option<PathBuf>, Failure> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let design =
        Design { workload: relative_path::from(directory, workload), ..answer.decided.design.clone() };
    let text = design.to_toml();
    let mut before = None;
    if let Some(old) = std::fs::read_to_string(path).ok().filter(|old| !old.is_empty() && *old != text) {
        let mut name = path.as_os_str().to_owned();
        name.push(".old");
        let beside = PathBuf::from(name);
        whole_file::write(&beside, &old)?;
        before = Some(beside);
    }
    whole_file::write(path, &text)?;
    Ok(before)
}
