//! A decided design as a `design.toml`.

use std::path::{Path, PathBuf};

use tablesmith_model::design::Design;

use crate::input_file::{self, InputKind};
use crate::{AppError, output_file, relative_path};

/// Writes the design, with the workload's path seen from it. A design that was there and says something else is kept beside it;
/// where.
pub fn file(path: &Path, workload: &Path, design: &Design) -> Result<Option<PathBuf>, AppError> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let design = Design { workload: relative_path::from(directory, workload), ..design.clone() };
    let text = design.to_toml();
    let mut before = None;
    let old = input_file::read_text(path, InputKind::Design).ok();
    if let Some(old) = old.filter(|old| !old.is_empty() && *old != text) {
        let mut name = path.as_os_str().to_owned();
        name.push(".old");
        let beside = PathBuf::from(name);
        output_file::write_like(&beside, path, &old)?;
        before = Some(beside);
    }
    output_file::write(path, &text)?;
    Ok(before)
}
