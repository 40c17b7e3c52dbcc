//! Ctrl-C stops work between two calls to the store, and what the work holds is closed.

use crate::failure::Failure;

/// Does the work, unless Ctrl-C comes first. The work is then dropped where it waits.
pub async fn interruptible<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::select! {
        // First, so that the signal is caught before the work begins.
        biased;
        () = ctrl_c() => Err(Failure::Interrupted),
        done = work => done,
    }
}

/// Comes with Ctrl-C.
pub async fn ctrl_c() {
    if tokio::signal::ctrl_c().await.is_err() {
        // The signal cannot be caught here: then it ends the process as it does by itself.
        std::future::pending().await
    }
}
