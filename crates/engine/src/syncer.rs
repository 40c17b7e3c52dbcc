//! Brings what ASYNC_WAL wrote to the operating system, a moment after.

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use fjall::{Database, PersistMode};

/// An asynchronous write is safe from the end of the process after about this time.
const DELAY: Duration = Duration::from_millis(100);

/// The thread that does it. Ends when dropped.
#[derive(Debug)]
pub(crate) struct Syncer {
    ask: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Syncer {
    pub fn start(db: Database) -> std::io::Result<Self> {
        let (ask, asked) = sync_channel::<()>(1);
        let thread = std::thread::Builder::new().name("wal-sync".to_owned()).spawn(move || {
            while asked.recv().is_ok() {
                std::thread::sleep(DELAY);
                // A failure poisons the database, which the next write reports.
                let _ = db.persist(PersistMode::Buffer);
            }
        })?;
        Ok(Self { ask: Some(ask), thread: Some(thread) })
    }

    /// Asks for the journal to be written soon.
    pub fn ask(&self) {
        if let Some(ask) = &self.ask {
            match ask.try_send(()) {
                // Asked already, or the thread has ended with the store.
                Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
            }
        }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        self.ask = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
