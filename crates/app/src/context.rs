//! The context of an operation: which store, which seed, who hears of progress, and how it is cancelled.

use std::path::Path;
use std::sync::Arc;

use crate::{Cancellation, Progress, StoreAddress, Unit};

/// Servers of an embedded store when nobody says how many.
const EMBEDDED_SERVERS: u16 = 3;

/// What every operation needs to know about its surroundings.
#[derive(Clone)]
pub struct Context {
    /// The store; none: the one in the user's data directory.
    pub store: Option<StoreAddress>,
    /// Whether no file of an embedded store is changed.
    pub read_only: bool,
    /// Region servers of an embedded store, or those that tables are designed for.
    pub servers: Option<u16>,
    /// What everything random is made from.
    pub seed: u64,
    /// Who hears of progress.
    pub progress: Arc<dyn Progress>,
    /// How the operation is cancelled.
    pub cancellation: Cancellation,
}

impl Context {
    /// The region servers of an embedded store.
    pub fn embedded_servers(&self) -> u16 {
        self.servers.unwrap_or(EMBEDDED_SERVERS)
    }

    /// Tells how far a file is read; `total` may grow while it is.
    pub(crate) fn read_file(&self, phase: &str, path: &Path) -> FileProgress<'_> {
        FileProgress { context: self, phase: format!("{phase} {}", path.display()), total: None }
    }
}

/// How far a file is read.
pub(crate) struct FileProgress<'c> {
    context: &'c Context,
    phase: String,
    total: Option<u64>,
}

impl FileProgress<'_> {
    /// So many bytes of so many are read. Reading waits for nobody, so that this is where it can be cancelled.
    pub fn read(&mut self, bytes: u64, total: u64) {
        let Context { progress, cancellation, .. } = self.context;
        if cancellation.is_cancelled() {
            progress.may_end();
        }
        if self.total != Some(total) {
            self.total = Some(total);
            progress.begin(&self.phase, Unit::Bytes, Some(total));
        }
        progress.advance(bytes);
    }
}

impl Drop for FileProgress<'_> {
    fn drop(&mut self) {
        self.context.progress.end();
    }
}
