//! A directory of our own for the time that a cluster lives.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::Error;

static COUNT: AtomicU64 = AtomicU64::new(0);

/// A temporary directory, removed on drop. When the thread is panicking (a test fails) it stays, and standard error
/// says where, so that the logs can be read.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    keep: bool,
}

impl Scratch {
    pub(crate) fn new() -> Result<Self, Error> {
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tablesmith-hbase-{}-{nanos}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).map_err(Error::file(&path))?;
        Ok(Self { path, keep: false })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the files when this is dropped.
    pub(crate) fn keep(&mut self) {
        self.keep = true;
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.keep || std::thread::panicking() {
            eprintln!("The files and logs of the cluster are kept in {}", self.path.display());
        } else {
            // A temporary directory that cannot be removed is not worth failing for.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_go_when_all_is_well_and_stay_when_a_test_fails() {
        let fine = Scratch::new().unwrap();
        let path = fine.path().to_owned();
        fs::create_dir(path.join("logs")).unwrap();
        drop(fine);
        assert!(!path.exists());

        let path = std::thread::spawn(|| {
            let scratch = Scratch::new().unwrap();
            std::panic::panic_any(scratch.path().to_owned());
        });
        let path = *path.join().unwrap_err().downcast::<PathBuf>().unwrap();
        assert!(path.exists());
        fs::remove_dir_all(path).unwrap();
    }
}
