//! Temporary files and tables that exist now: what a process that ends in the middle would leave behind.
//!
//! Everything temporary is registered as it is created. A front end that ends its process at once removes the files
//! ([`close`], [`remove_files`]) and says which tables stay ([`tables_to_drop`]).

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{AppError, Context};

/// What is not removed yet.
struct Leftovers {
    next: u64,
    /// Files and directories.
    paths: BTreeMap<u64, PathBuf>,
    /// Where temporary tables are, in words.
    tables: BTreeMap<u64, String>,
    /// Whether tables go with the directory of the store that they are in.
    is_store_temporary: bool,
}

static LEFTOVERS: Mutex<Leftovers> = Mutex::new(Leftovers {
    next: 0,
    paths: BTreeMap::new(),
    tables: BTreeMap::new(),
    is_store_temporary: false,
});

/// Whether the process is ending.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

fn leftovers() -> MutexGuard<'static, Leftovers> {
    LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Leftovers {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
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
    let paths = leftovers().paths.clone();
    paths.values().for_each(|path| remove(path));
}

/// Temporary tables that have to be dropped, in words.
pub fn tables_to_drop() -> Option<String> {
    let leftovers = leftovers();
    leftovers.tables.values().next().filter(|_| !leftovers.is_store_temporary).cloned()
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
        let mut leftovers = leftovers();
        if IS_CLOSED.load(Ordering::SeqCst) {
            drop(leftovers);
            wait_for_the_end();
        }
        let created = create()?;
        let number = leftovers.number();
        leftovers.paths.insert(number, absolute(path(&created)));
        Ok((created, Self(number)))
    }

    /// Remembers the path of something that somebody else may create, until the value is dropped.
    pub fn of(path: &Path) -> Self {
        let mut leftovers = leftovers();
        let number = leftovers.number();
        leftovers.paths.insert(number, absolute(path));
        Self(number)
    }
}

/// A relative path would be another one should the directory of the process change.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        leftovers().paths.remove(&self.0);
    }
}

/// Temporary tables in a store. While there are any, the end of the process waits longer for whoever drops them.
#[derive(Debug)]
pub struct TemporaryTables(u64);

impl TemporaryTables {
    /// Remembers tables until the value is dropped: which, in words.
    pub fn new(which: impl Into<String>) -> Self {
        let mut leftovers = leftovers();
        let number = leftovers.number();
        leftovers.tables.insert(number, which.into());
        Self(number)
    }

    /// The tables are dropped. Of work that was cancelled nothing is left to do then: not even the store has to be closed,
    /// which could take longer than all the rest.
    pub fn dropped<T>(self, context: &Context, outcome: Result<T, AppError>) -> Result<T, AppError> {
        drop(self);
        if let Err(AppError::Cancelled) = outcome {
            context.progress.may_end();
        }
        outcome
    }
}

impl Drop for TemporaryTables {
    fn drop(&mut self) {
        leftovers().tables.remove(&self.0);
    }
}

/// Tables need not be dropped from now on: the whole store is in a temporary directory.
pub fn set_store_temporary() {
    leftovers().is_store_temporary = true;
}

/// Whether the whole store is in a temporary directory.
pub fn is_store_temporary() -> bool {
    leftovers().is_store_temporary
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
