//! Cancellation: a flag that work looks at between two calls, and that waiting work is dropped for.

use tokio::sync::watch;

use crate::AppError;

/// Whether work is to stop. Clones share one flag.
#[derive(Clone, Debug)]
pub struct Cancellation(watch::Sender<bool>);

impl Default for Cancellation {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Cancellation {
    /// Stops the work that has this flag.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Whether the work is to stop.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Completes when the work is to stop.
    pub async fn cancelled(&self) {
        if self.0.subscribe().wait_for(|is_cancelled| *is_cancelled).await.is_err() {
            std::future::pending().await
        }
    }

    /// Does the work unless it is cancelled first. It is then dropped where it waits.
    pub async fn or_cancelled<T>(
        &self,
        work: impl Future<Output = Result<T, AppError>>,
    ) -> Result<T, AppError> {
        tokio::select! {
            // First, so that work that never waits is not begun in vain.
            biased;
            () = self.cancelled() => Err(AppError::Cancelled),
            done = work => done,
        }
    }
}
