//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::GenerateError;

/// Writes a file under another name first.
pub(crate) fn write_file(
    directory: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, GenerateError> {
    let (path, unfinished) = (directory.join(name), directory.join(format!(".{name}.unfinished")));
    let written = File::create(&unfinished).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 18, file);
        write(&mut out)?;
        out.flush()?;
        fs::rename(&unfinished, &path)
    });
    match written {
        Ok(()) => Ok(path),
        Err(error) => {
            // What is left of it is of no use; the first error is the one to tell.
            let _ = fs::remove_file(&unfinished);
            Err(GenerateError::Write { path, error })
        }
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
