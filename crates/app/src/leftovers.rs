//! Temporary files and tables that exist now: what a process that ends in the middle would leave behind.
//!
//! Everything temporary is registered as it is created. A front end that ends its process at once removes the files
//! ([`close`], [`remove_files`]) and says which tables stay ([`tables_to_drop`]).

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use tablesmith_files::{TemporaryPath, close, remove, remove_files, wait_for_the_end};

use crate::{AppError, Context};

/// Tables that are not dropped yet.
struct Leftovers {
    next: u64,
    /// Where temporary tables are, in words.
    tables: BTreeMap<u64, String>,
    /// Whether tables go with the directory of the store that they are in.
    is_store_temporary: bool,
}

static LEFTOVERS: Mutex<Leftovers> =
    Mutex::new(Leftovers { next: 0, tables: BTreeMap::new(), is_store_temporary: false });

fn leftovers() -> MutexGuard<'static, Leftovers> {
    LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Temporary tables that have to be dropped, in words.
pub fn tables_to_drop() -> Option<String> {
    let leftovers = leftovers();
    leftovers.tables.values().next().filter(|_| !leftovers.is_store_temporary).cloned()
}

/// Temporary tables in a store. While there are any, the end of the process waits longer for whoever drops them.
#[derive(Debug)]
pub struct TemporaryTables(u64);

impl TemporaryTables {
    /// Remembers tables until the value is dropped: which, in words.
    pub fn new(which: impl Into<String>) -> Self {
        let mut leftovers = leftovers();
        leftovers.next += 1;
        let number = leftovers.next;
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
