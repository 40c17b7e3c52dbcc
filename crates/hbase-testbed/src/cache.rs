//! Directories that are made once and then shared by all processes of this user.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// The directory `name` of our cache, made by `make` if it is not there yet. `make` fills a temporary directory that
/// gets its name only when complete, under a lock: two test processes never make the same thing, and one that is
/// killed in the middle leaves nothing half done in its place.
pub(crate) fn made_once(name: &str, make: impl FnOnce(&Path) -> Result<(), Error>) -> Result<PathBuf, Error> {
    made_once_in(&root()?, name, make)
}

/// Whether the directory `name` of our cache is there.
pub(crate) fn is_made(name: &str) -> bool {
    root().is_ok_and(|root| root.join(name).is_dir())
}

fn made_once_in(
    root: &Path,
    name: &str,
    make: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    let ready = root.join(name);
    if ready.is_dir() {
        return Ok(ready);
    }
    fs::create_dir_all(root).map_err(Error::file(root))?;
    let lock_path = root.join(format!("{name}.lock"));
    let lock = File::create(&lock_path).map_err(Error::file(&lock_path))?;
    lock.lock().map_err(Error::file(&lock_path))?;
    if ready.is_dir() {
        return Ok(ready);
    }
    let unfinished = root.join(format!("{name}.unfinished"));
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(Error::file(&unfinished))?;
    }
    fs::create_dir(&unfinished).map_err(Error::file(&unfinished))?;
    make(&unfinished)?;
    fs::rename(&unfinished, &ready).map_err(Error::file(&ready))?;
    Ok(ready)
}

/// Where this user keeps what can be fetched again.
fn root() -> Result<PathBuf, Error> {
    let base = std::env::var_os("XDG_CACHE_HOME").filter(|path| Path::new(path).is_absolute());
    let base = match base {
        Some(cache) => PathBuf::from(cache),
        None => std::env::home_dir().ok_or(Error::NoCache)?.join(".cache"),
    };
    Ok(base.join("tablesmith").join("hbase-2.6.1"))
}

/// A short name for some texts that changes when they change: FNV-1a in 64 bits, because the standard hasher may give
/// other values in another release of Rust.
pub(crate) fn fingerprint(texts: &[&str]) -> String {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    let hash = bytes.fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_directory_is_made_once_by_many() {
        let scratch = Scratch::new().unwrap();
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let make = |directory: &Path| {
                        made.fetch_add(1, Ordering::Relaxed);
                        let path = directory.join("file");
                        fs::write(&path, "whole").map_err(Error::file(&path))
                    };
                    let ready = made_once_in(scratch.path(), "thing", make).unwrap();
                    assert_eq!(fs::read_to_string(ready.join("file")).unwrap(), "whole");
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }

    #[test]
    fn a_failed_making_leaves_nothing_and_is_tried_again() {
        let scratch = Scratch::new().unwrap();
        let fail = |directory: &Path| {
            fs::write(directory.join("half"), "").map_err(Error::file(directory))?;
            Err(Error::NoCache)
        };
        assert!(made_once_in(scratch.path(), "thing", fail).is_err());
        let ready = made_once_in(scratch.path(), "thing", |_| Ok(())).unwrap();
        assert_eq!(fs::read_dir(ready).unwrap().count(), 0);
    }

    #[test]
    fn fingerprints_tell_texts_apart() {
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
        assert_eq!(fingerprint(&[""]), "af63bd4c8601b7df");
    }
}
