//! Standard output and standard error, guarded: control characters of data, servers and file names never reach a terminal.
//!
//! Every command writes through [`stdout`] and [`stderr`]; `clippy.toml` of this crate refuses the unguarded ones. Text
//! is escaped where it is written and not where it is made, so that no message can forget it. The same holds for progress
//! bars, whose texts are set by [`set_message`] and [`set_prefix`].

mod guarded;
mod style;

use std::io::{IsTerminal, Stderr, Stdout, Write};

use anstream::AutoStream;
use indicatif::ProgressBar;
use tablesmith_model::bytes_text::printable;

pub use self::guarded::Guarded;
pub use self::style::{AnsiColor, Style, paint};

/// Standard output: colors only where a terminal shows them.
#[expect(clippy::disallowed_methods, reason = "this is the guarded one")]
pub fn stdout() -> Guarded<AutoStream<Stdout>> {
    Guarded::new(AutoStream::auto(std::io::stdout()))
}

/// Standard error, as [`stdout`].
#[expect(clippy::disallowed_methods, reason = "this is the guarded one")]
pub fn stderr() -> Guarded<AutoStream<Stderr>> {
    Guarded::new(AutoStream::auto(std::io::stderr()))
}

/// Ends the mode in which a terminal marks what is pasted at a prompt.
#[expect(clippy::disallowed_methods, reason = "a sequence of our own")]
pub fn end_bracketed_paste() {
    let mut out = std::io::stdout();
    if out.is_terminal() {
        // A terminal that is gone needs nothing.
        let _ = out.write_all(b"\x1b[?2004l").and_then(|()| out.flush());
    }
}

/// Sets the message of a progress bar, which writes to the terminal by itself.
#[expect(clippy::disallowed_methods, reason = "this is the guarded one")]
pub fn set_message(bar: &ProgressBar, text: &str) {
    bar.set_message(printable(text).into_owned());
}

/// Sets the prefix of a progress bar, as [`set_message`].
#[expect(clippy::disallowed_methods, reason = "this is the guarded one")]
pub fn set_prefix(bar: &ProgressBar, text: &str) {
    bar.set_prefix(printable(text).into_owned());
}
