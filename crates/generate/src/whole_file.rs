//! Files of generated data: each is there as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::GenerateError;

/// Writes a file into a directory.
pub(crate) fn write_file(
    directory: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, GenerateError> {
    let path = directory.join(name);
    match tablesmith_files::write_with(&path, write) {
        Ok(()) => Ok(path),
        Err(error) => Err(GenerateError::Write { path, error }),
    }
}

/// Makes the directory, once the scale and its path make sense.
pub(crate) fn check_target(scale: f64, directory: &Path) -> Result<(), GenerateError> {
    if !(0.000_1..=100.0).contains(&scale) {
        return Err(GenerateError::Scale(scale));
    }
    if directory.is_file() {
        return Err(GenerateError::NotADirectory(directory.to_owned()));
    }
    fs::create_dir_all(directory).map_err(|error| GenerateError::Write { path: directory.to_owned(), error })
}
