//! Where data is kept that nobody gave a place: in the user's data directory, as the platform has it.
//!
//! Tables and typed commands are nobody else's business: what is created here only its owner can read, and what an
//! earlier version left open is closed to others.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

use crate::AppError;

/// The program's own directory there.
fn own() -> Result<PathBuf, AppError> {
    let directory = dirs::data_local_dir().ok_or(AppError::NoDataDirectory)?;
    Ok(directory.join("tablesmith"))
}

/// Where the store is that is meant without `--store`.
pub fn store_path() -> Result<PathBuf, AppError> {
    Ok(own()?.join("store"))
}

/// The directory of that store, which exists after this.
pub fn store() -> Result<PathBuf, AppError> {
    created(own()?, "store")
}

/// Where calibrations are, one file for each store.
pub fn calibrations_path() -> Result<PathBuf, AppError> {
    Ok(own()?.join("calibration"))
}

/// The directory of calibrations, which exists after this.
pub fn calibrations() -> Result<PathBuf, AppError> {
    created(own()?, "calibration")
}

/// The directory of the demo's pages, which exists after this. They can be made again at any time.
pub fn demo() -> Result<PathBuf, AppError> {
    created(dirs::cache_dir().ok_or(AppError::NoDataDirectory)?.join("tablesmith"), "demo")
}

/// The commands typed in earlier sessions of the shell. Without a data directory there is no history.
pub fn shell_history() -> Option<PathBuf> {
    let own = own().ok()?;
    make_private(&own).ok()?;
    Some(own.join("shell-history"))
}

fn created(own: PathBuf, name: &str) -> Result<PathBuf, AppError> {
    let directory = own.join(name);
    for path in [&own, &directory] {
        make_private(path).map_err(|error| AppError::Unwritable { path: path.clone(), error })?;
    }
    Ok(directory)
}

/// Creates a directory that only its owner can read. One that others can read is closed to them, unless it is a link to
/// a place that somebody chose.
fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, PRIVATE);
    builder.create(path)?;
    #[cfg(unix)]
    close_to_others(path)?;
    Ok(())
}

#[cfg(unix)]
const PRIVATE: u32 = 0o700;

#[cfg(unix)]
fn close_to_others(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let found = path.symlink_metadata()?;
    let mode = found.permissions().mode();
    if found.is_dir() && mode & 0o077 != 0 {
        // Where the directory belongs to somebody else, it is for them to decide.
        let _ = std::fs::set_permissions(path, PermissionsExt::from_mode(mode & !0o077));
    }
    Ok(())
}
