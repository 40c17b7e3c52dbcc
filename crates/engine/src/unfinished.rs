//! A store whose making was cut off: the storage below would not open its directory ever again.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use crate::checkpoint;
use crate::integrity::inspect::VERSION_CONTENT;

/// Files and directories of the storage below, in the order in which it makes them.
const LOCK: &str = "lock";
const KEYSPACES: &str = "keyspaces";
const FIRST_JOURNAL: &str = "0.jnl";
const VERSION: &str = "version";

/// Removes what an ended process left of a store that it had only begun to make.
///
/// The file that says the version is written last, and only after it keyspaces are made: without it, and without any
/// keyspace, nothing was ever stored. Whoever is making a store holds its lock: then nothing is touched.
pub(crate) fn remove(dir: &Path) -> io::Result<()> {
    if !is_unfinished(dir)? {
        return Ok(());
    }
    let lock = match File::open(dir.join(LOCK)) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(()),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // The other process may have finished between the look and the lock.
    if is_unfinished(dir)? {
        for name in [FIRST_JOURNAL, VERSION] {
            match fs::remove_file(dir.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

fn is_unfinished(dir: &Path) -> io::Result<bool> {
    // The file may have been cut off in the middle: it is written in parts.
    let is_cut_off = match fs::metadata(dir.join(VERSION)) {
        Ok(version) if version.len() >= VERSION_CONTENT.len() as u64 => false,
        Ok(_) => VERSION_CONTENT.starts_with(&fs::read(dir.join(VERSION))?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(error),
    };
    let has_keyspaces =
        fs::read_dir(dir.join(KEYSPACES)).is_ok_and(|mut keyspaces| keyspaces.next().is_some());
    // A store that was open once has a checkpoint.
    let has_checkpoint = dir.join(checkpoint::FILE).try_exists()?;
    Ok(is_cut_off && !has_keyspaces && !has_checkpoint && dir.join(FIRST_JOURNAL).try_exists()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_holds_nothing_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let [lock, journal, version] = [LOCK, FIRST_JOURNAL, VERSION].map(|name| dir.path().join(name));
        fs::write(&lock, "").unwrap();
        fs::write(&journal, "x").unwrap();
        fs::write(&version, VERSION_CONTENT).unwrap();
        remove(dir.path()).unwrap();
        assert!(journal.exists(), "the store is whole");
        fs::write(&version, "FJX").unwrap();
        remove(dir.path()).unwrap();
        assert!(journal.exists(), "this is damage");
        fs::write(&version, "FJL").unwrap();
        fs::write(dir.path().join(checkpoint::FILE), "").unwrap();
        remove(dir.path()).unwrap();
        assert!(journal.exists(), "it was open once");
        fs::remove_file(dir.path().join(checkpoint::FILE)).unwrap();
        fs::create_dir_all(dir.path().join(KEYSPACES).join("1")).unwrap();
        remove(dir.path()).unwrap();
        assert!(journal.exists(), "it has a keyspace");
        fs::remove_dir(dir.path().join(KEYSPACES).join("1")).unwrap();
        let held = File::open(&lock).unwrap();
        held.lock().unwrap();
        remove(dir.path()).unwrap();
        assert!(journal.exists(), "another process is making it");
        drop(held);
        remove(dir.path()).unwrap();
        assert!(!journal.exists() && !version.exists());
    }
}
