//! Files that operations write: there as a whole or not at all, with the mode that they had, and behind links.

use std::io;
use std::path::Path;

use crate::AppError;

/// Checks that a file can be written at all: better known before long work than after it.
pub fn check_place(path: &Path) -> Result<(), AppError> {
    tablesmith_files::check_place(path).map_err(unwritable(path))
}

/// Writes a text. The old content is kept until all of the new one is there.
pub fn write(path: &Path, text: &str) -> Result<(), AppError> {
    tablesmith_files::write(path, text).map_err(unwritable(path))
}

/// Writes a text to a file that nobody may read who may not read another one.
pub(crate) fn write_like(path: &Path, like: &Path, text: &str) -> Result<(), AppError> {
    tablesmith_files::write_like(path, like, text).map_err(unwritable(path))
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> AppError {
    move |error| AppError::Unwritable { path: path.to_owned(), error }
}
