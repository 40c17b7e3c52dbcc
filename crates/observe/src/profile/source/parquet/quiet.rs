//! Catches panics of the parquet crate without the message that the panic hook would print: it is a file that cannot be
//! read, and the caller says so.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether panics of this thread are caught by [`catch`].
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// What a function returns; none when it panics.
pub(super) fn catch<T>(function: impl FnOnce() -> T) -> Option<T> {
    // Panics of other threads, and of this one at other times, are told as before.
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                before(panic);
            }
        }));
    });
    let was_quiet = IS_QUIET.replace(true);
    let returned = catch_unwind(AssertUnwindSafe(function)).ok();
    IS_QUIET.set(was_quiet);
    returned
}
