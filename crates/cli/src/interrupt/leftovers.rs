//! What an end in the middle would leave behind, and what has been done up to it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::is_interrupted;
use crate::failure::{Failure, INTERRUPTED};
use crate::terminal;

/// What is not removed yet, and what is done.
struct Leftovers {
    next: u64,
    /// Files and directories.
    paths: BTreeMap<u64, PathBuf>,
    /// Where temporary tables are, in words.
    tables: BTreeMap<u64, String>,
    /// Whether tables go with the directory of the store that they are in.
    is_store_temporary: bool,
    /// What has been done so far, as a sentence.
    done: Option<String>,
}

static LEFTOVERS: Mutex<Leftovers> = Mutex::new(Leftovers {
    next: 0,
    paths: BTreeMap::new(),
    tables: BTreeMap::new(),
    is_store_temporary: false,
    done: None,
});

/// How long the last messages may take.
const MESSAGE_TIME: Duration = Duration::from_millis(300);

/// Whether somebody is ending the process already.
static ENDING: AtomicBool = AtomicBool::new(false);

fn leftovers() -> MutexGuard<'static, Leftovers> {
    LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Leftovers {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
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
        if ENDING.load(Ordering::SeqCst) {
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

/// Temporary tables in a store. While there are any, the end of the program waits longer for whoever drops them.
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
}

impl TemporaryTables {
    /// The tables are dropped. Of work that was interrupted nothing is left to do then: not even the store is closed,
    /// which could take longer than all the rest.
    pub fn dropped<T>(self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        drop(self);
        if let Err(Failure::Interrupted) = outcome {
            end_if_interrupted();
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

impl Leftovers {
    /// Temporary tables that have to be dropped, in words.
    fn tables_to_drop(&self) -> Option<String> {
        self.tables.values().next().filter(|_| !self.is_store_temporary).cloned()
    }
}

/// Whether there are temporary tables to drop.
pub(super) fn has_tables() -> bool {
    leftovers().tables_to_drop().is_some()
}

/// Says that temporary tables are being dropped; false where there are none.
pub(super) fn say_tables() -> bool {
    let Some(which) = leftovers().tables_to_drop() else { return false };
    // Where this cannot be written, the end is the same.
    let _ = writeln!(
        terminal::stderr(),
        "interrupted: dropping the temporary tables of {which}; once more leaves them there"
    );
    true
}

/// Remembers what has been done so far and how to continue, for the message of an interrupted program.
pub fn note_progress(done: impl Into<String>) {
    leftovers().done = Some(done.into());
}

/// What has been done so far.
pub fn progress() -> Option<String> {
    leftovers().done.clone()
}

/// Returns to the first caller, which ends the process. All others wait for that end.
pub fn claim_end() {
    if ENDING.swap(true, Ordering::SeqCst) {
        wait_for_the_end();
    }
}

fn wait_for_the_end() -> ! {
    loop {
        std::thread::park();
    }
}

/// Ends the process if it is to end: for work without any temporary tables that waits for nobody.
pub fn end_if_interrupted() {
    if is_interrupted() {
        end_now();
    }
}

/// Ends the process whatever its other threads do.
pub(super) fn end_now() -> ! {
    claim_end();
    let paths = leftovers().paths.clone();
    paths.values().for_each(|path| remove(path));
    // Messages that nobody reads must not keep the process.
    let _ = std::thread::Builder::new().spawn(|| {
        std::thread::sleep(MESSAGE_TIME);
        std::process::exit(INTERRUPTED.into())
    });
    let tables = leftovers().tables_to_drop();
    if let Some(which) = tables {
        let _ = writeln!(
            terminal::stderr(),
            "the temporary tables of {which} stay in the store; the same command drops them when it runs again"
        );
    }
    Failure::Interrupted.report();
    // What other threads have made meanwhile.
    paths.values().for_each(|path| remove(path));
    std::process::exit(INTERRUPTED.into())
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
