//! Directories and files that last as long as their owner, also when the program is interrupted.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir};

use crate::AppError;
use crate::leftovers::{self, TemporaryPath};

/// A directory that nobody else can look into. It is removed with its content when the value is dropped.
pub struct TemporaryDirectory {
    path: PathBuf,
    _leftover: TemporaryPath,
}

impl TemporaryDirectory {
    /// A new one among the temporary files, whose name begins so.
    pub fn new(prefix: &str) -> Result<Self, AppError> {
        let create = || private_directory(prefix, &tempfile::env::temp_dir());
        let (directory, leftover) =
            TemporaryPath::create(create, |directory| directory.path()).map_err(AppError::System)?;
        Ok(Self { path: directory.keep(), _leftover: leftover })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // A store that is interrupted while it opens may still write there.
        leftovers::remove(&self.path);
    }
}

/// A new directory in another one, which only its owner can look into. It is removed when the value is dropped.
pub fn private_directory(prefix: &str, within: &Path) -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(within)
}

/// A directory of this process alone for the temporary files of all libraries: what they leave when they are interrupted
/// goes with it. Where there can be none, they use the directory of all users.
pub fn of_process() -> Option<TemporaryDirectory> {
    let directory = TemporaryDirectory::new("tablesmith-").ok()?;
    tempfile::env::override_temp_dir(directory.path()).ok()?;
    Some(directory)
}

/// A file that is removed when the value is dropped.
pub struct TemporaryFile {
    file: NamedTempFile,
    _leftover: TemporaryPath,
}

impl TemporaryFile {
    /// A new one among the temporary files.
    pub fn new() -> io::Result<Self> {
        let (file, leftover) = TemporaryPath::create(NamedTempFile::new, |file| file.path())?;
        Ok(Self { file, _leftover: leftover })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The file, to write to it.
    pub fn as_file_mut(&mut self) -> &mut std::fs::File {
        self.file.as_file_mut()
    }
}
