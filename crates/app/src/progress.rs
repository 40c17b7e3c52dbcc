//! Progress: what a caller hears of long work.

/// What is counted while work goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// Rows, calls, and other things that can be counted.
    Count,
    /// A share of the whole; the detail says more.
    Share,
}

/// Hears how far work is. Every method may be called from any thread, and must not block.
pub trait Progress: Send + Sync {
    /// A phase begins, and the one before it ends. `total` is absent where nobody knows it.
    fn begin(&self, phase: &str, unit: Unit, total: Option<u64>) {
        let _ = (phase, unit, total);
    }

    /// So much of the phase is done.
    fn advance(&self, position: u64) {
        let _ = position;
    }

    /// More about what is being done.
    fn detail(&self, text: &str) {
        let _ = text;
    }

    /// The phase is over.
    fn end(&self) {}

    /// Something the user should know now, while work goes on.
    fn warn(&self, message: &str) {
        let _ = message;
    }

    /// What has been done so far and how to continue, for when the work is cancelled.
    fn note(&self, done: String) {
        let _ = done;
    }

    /// Called where cancelled work has nothing left to clean up. A front end that ends its process when it is cancelled
    /// does so here, without waiting for a store to close.
    fn may_end(&self) {}
}

/// Nobody listens.
impl Progress for () {}
