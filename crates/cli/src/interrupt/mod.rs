//! Ctrl-C and SIGTERM end the program within a second, with what it made for a while removed and what it did said.
//!
//! ```text
//! signal ─▶ signals.rs, a thread that waits for nothing else
//!             │ at once    the cancellation: work stops between two calls, drops temporary tables, main reports
//!             │ after GRACE, or with a second signal: end.rs removes temporary files, reports, and the process ends
//! ```
//!
//! The second way is for work that looks at nothing meanwhile: a long computation, or one long call to an embedded store.
//! Nothing is lost by it: what a store acknowledged survives any end of the process.

mod end;
mod signals;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use tablesmith_app::Cancellation;

use crate::failure::Failure;

pub use self::end::{claim_end, end_if_interrupted, note_progress, progress};
pub use self::signals::watch_signals;

/// Cancelled when a signal has come that ends the program.
static CANCELLATION: LazyLock<Cancellation> = LazyLock::new(Cancellation::default);

/// Whether a prompt waits for commands: Ctrl-C then gives up one command and does not end the program.
static AT_PROMPT: AtomicBool = AtomicBool::new(false);

/// While it exists, Ctrl-C gives up one command of a prompt. At all other times, from the start of the process on, it
/// ends the program.
pub struct Prompt(());

impl Prompt {
    /// Lets the prompt have Ctrl-C until the value is dropped.
    pub fn begin() -> Self {
        AT_PROMPT.store(true, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        AT_PROMPT.store(false, Ordering::SeqCst);
    }
}

fn is_at_prompt() -> bool {
    AT_PROMPT.load(Ordering::SeqCst)
}

/// What is cancelled when the program is to end.
pub fn cancellation() -> &'static Cancellation {
    &CANCELLATION
}

/// Does the work unless the program is to end first. The work is then dropped where it waits.
pub async fn interruptible<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::select! {
        // First, so that work that never waits is not begun in vain.
        biased;
        () = CANCELLATION.cancelled() => Err(tablesmith_app::AppError::Cancelled.into()),
        done = work => done,
    }
}
