//! Reads a `workload.toml`, and says what is wrong in it with the lines themselves.

use std::path::Path;

use tablesmith_model::problem::Problem;
use tablesmith_model::workload::Workload;

use crate::AppError;
use crate::input_file::{self, InputKind};

/// Reads the workload in a file.
pub fn read(path: &Path) -> Result<Workload, AppError> {
    let bytes = input_file::read(path, InputKind::Workload)?;
    let text = String::from_utf8_lossy(&bytes);
    Workload::parse(&text).map_err(|error| problems(path, &text, &error.problems))
}

/// The failure of a file with problems, each drawn at its place.
pub fn problems(path: &Path, text: &str, problems: &[Problem]) -> AppError {
    AppError::Problems { path: path.to_owned(), text: text.to_owned(), problems: problems.to_vec() }
}
