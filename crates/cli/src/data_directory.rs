//! Where data is kept that nobody gave a place: in the user's data directory, as the platform has it.

use std::path::PathBuf;

/// The program's own directory there; `None` where the platform cannot say.
fn own() -> Option<PathBuf> {
    dirs::data_local_dir().map(|directory| directory.join("tablesmith"))
}

/// The store that is meant without `--store`.
pub fn store() -> Option<PathBuf> {
    own().map(|directory| directory.join("store"))
}

/// What was measured of stores, one file each.
pub fn calibrations() -> Option<PathBuf> {
    own().map(|directory| directory.join("calibration"))
}

/// What was typed in earlier sessions of the shell. Makes the directory; without one there is no history.
pub fn shell_history() -> Option<PathBuf> {
    let directory = own()?;
    std::fs::create_dir_all(&directory).ok()?;
    Some(directory.join("shell-history"))
}
