//! Temporary files and directories that exist now: what a process that ends in the middle would leave behind.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What is not removed yet.
struct Registered {
    next: u64,
    paths: BTreeMap<u64, PathBuf>,
}

static REGISTERED: Mutex<Registered> = Mutex::new(Registered { next: 0, paths: BTreeMap::new() });

/// Whether the process is ending.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

fn registered() -> MutexGuard<'static, Registered> {
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins the end of the process: nothing temporary is created any more. False when it had begun already.
pub fn close() -> bool {
    !IS_CLOSED.swap(true, Ordering::SeqCst)
}

/// Waits until another thread has ended the process.
pub fn wait_for_the_end() -> ! {
    loop {
        std::thread::park();
    }
}

/// Removes temporary files and directories. What other threads create in them meanwhile goes when this is called again.
pub fn remove_files() {
    let paths = registered().paths.clone();
    paths.values().for_each(|path| remove(path));
}

/// A file, or a directory with all that is in it, that is removed when the process ends before its owner removes it.
#[derive(Debug)]
pub struct TemporaryPath(u64);

impl TemporaryPath {
    /// Creates something that has a path, and remembers the path until the value is dropped. Nothing is created any more
    /// once the process is ending.
    pub fn create<T>(
        create: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, Self)> {
        let mut registered = registered();
        if IS_CLOSED.load(Ordering::SeqCst) {
            drop(registered);
            wait_for_the_end();
        }
        let created = create()?;
        registered.next += 1;
        let number = registered.next;
        registered.paths.insert(number, absolute(path(&created)));
        Ok((created, Self(number)))
    }
}

/// A relative path would be another one should the directory of the process change.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        registered().paths.remove(&self.0);
    }
}

/// Removes a file or a directory. Threads of a store may still make files in its directory: what is made meanwhile goes
/// the next time.
pub fn remove(path: &Path) {
    const TRIES: usize = 20;
    for _ in 0..TRIES {
        let removed = match path.symlink_metadata() {
            Ok(found) if found.is_dir() => std::fs::remove_dir_all(path),
            Ok(_) => std::fs::remove_file(path),
            Err(_) => return,
        };
        if removed.is_err() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
