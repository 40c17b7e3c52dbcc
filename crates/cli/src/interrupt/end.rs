//! The end of the process in the middle of work, and what has been done up to it.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tablesmith_app::{AppError, leftovers};

use crate::failure::{Failure, INTERRUPTED};
use crate::terminal;

/// What has been done so far, as a sentence.
static DONE: Mutex<Option<String>> = Mutex::new(None);

/// How long the last messages may take.
const MESSAGE_TIME: Duration = Duration::from_millis(300);

/// Remembers what has been done so far and how to continue, for the message of an interrupted program.
pub fn note_progress(done: impl Into<String>) {
    *DONE.lock().unwrap_or_else(PoisonError::into_inner) = Some(done.into());
}

/// What has been done so far.
pub fn progress() -> Option<String> {
    DONE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Says that temporary tables are being dropped; false where there are none.
pub(super) fn say_tables() -> bool {
    let Some(which) = leftovers::tables_to_drop() else { return false };
    // Where this cannot be written, the end is the same.
    let _ = writeln!(
        terminal::stderr(),
        "interrupted: dropping the temporary tables of {which}; once more leaves them there"
    );
    true
}

/// Returns to the first caller, which ends the process. All others wait for that end.
pub fn claim_end() {
    if !leftovers::close() {
        leftovers::wait_for_the_end();
    }
}

/// Ends the process if it is to end: for work without any temporary tables that waits for nobody.
pub fn end_if_interrupted() {
    if super::cancellation().is_cancelled() {
        end_now();
    }
}

/// Ends the process whatever its other threads do.
pub(super) fn end_now() -> ! {
    claim_end();
    leftovers::remove_files();
    // Messages that nobody reads must not keep the process.
    let _ = std::thread::Builder::new().spawn(|| {
        std::thread::sleep(MESSAGE_TIME);
        std::process::exit(INTERRUPTED.into())
    });
    if let Some(which) = leftovers::tables_to_drop() {
        let _ = writeln!(
            terminal::stderr(),
            "the temporary tables of {which} stay in the store; the same command drops them when it runs again"
        );
    }
    Failure::from(AppError::Cancelled).report();
    // What other threads have made meanwhile.
    leftovers::remove_files();
    std::process::exit(INTERRUPTED.into())
}
