//! Ctrl-C and SIGTERM end the program within a second, with what it made for a while removed and what it did said.
//!
//! ```text
//! signal ─▶ signals.rs, a thread that waits for nothing else
//!             │ at once    is_interrupted(), interrupted(): work stops between two calls, drops temporary tables, main reports
//!             │ after GRACE, or with a second signal: leftovers.rs removes temporary files, reports, and the process ends
//! ```
//!
//! The second way is for work that looks at nothing meanwhile: a long computation, or one long call to an embedded store.
//! Nothing is lost by it: what a store acknowledged survives any end of the process.

mod leftovers;
mod signals;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::failure::Failure;

pub use self::leftovers::{
    TemporaryPath, TemporaryTables, claim_end, end_if_interrupted, is_store_temporary, note_progress,
    progress, remove, set_store_temporary,
};
pub use self::signals::watch_signals;

/// Whether a signal has come that ends the program.
static SIGNALLED: LazyLock<watch::Sender<bool>> = LazyLock::new(|| watch::Sender::new(false));

/// How many [`Ends`] there are.
static ENDS: AtomicUsize = AtomicUsize::new(0);

/// While there is one, Ctrl-C ends the program. There is none at a prompt, where Ctrl-C gives up one command.
pub struct Ends(());

/// Lets Ctrl-C end the program until the value is dropped.
pub fn ctrl_c_ends() -> Ends {
    ENDS.fetch_add(1, Ordering::SeqCst);
    Ends(())
}

impl Drop for Ends {
    fn drop(&mut self) {
        ENDS.fetch_sub(1, Ordering::SeqCst);
    }
}

fn does_ctrl_c_end() -> bool {
    ENDS.load(Ordering::SeqCst) > 0
}

/// Whether the program is to end.
pub fn is_interrupted() -> bool {
    *SIGNALLED.borrow()
}

/// Comes when the program is to end.
pub async fn interrupted() {
    if SIGNALLED.subscribe().wait_for(|is_signalled| *is_signalled).await.is_err() {
        std::future::pending().await
    }
}

/// Does the work unless the program is to end first. The work is then dropped where it waits.
pub async fn interruptible<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let _ends = ctrl_c_ends();
    tokio::select! {
        // First, so that work that never waits is not begun in vain.
        biased;
        () = interrupted() => Err(Failure::Interrupted),
        done = work => done,
    }
}
