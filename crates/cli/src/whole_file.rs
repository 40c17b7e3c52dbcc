//! Writes files that are there as a whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;

/// Whether a file can be there at all: better known before long work than after it.
pub fn check_place(path: &Path) -> Result<(), Failure> {
    let refused = |error| Err(Failure::CannotWrite { path: path.to_owned(), error });
    match directory_of(path).metadata() {
        Err(error) => refused(error),
        Ok(_) if path.is_dir() => refused(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_dir() => refused(io::ErrorKind::NotADirectory.into()),
        Ok(_) => Ok(()),
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file for others to read, too, as far as the user's mask lets them.
fn new_file(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".tablesmith-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}

/// Writes a text; what was in the file before is kept until all of it is there.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    check_place(path)?;
    let failed = |error| Failure::CannotWrite { path: path.to_owned(), error };
    let mut file = new_file(directory_of(path)).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
