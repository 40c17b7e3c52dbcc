//! The thread that receives signals. It depends on nobody: the executor's threads can all be inside a store.

use std::time::Duration;

use tablesmith_app::leftovers::tables_to_drop;
use tokio::time::sleep;

use super::end::{end_now, say_tables};
use super::{CANCELLATION, is_at_prompt};
use crate::terminal;

/// How long work may take to stop by itself.
const GRACE: Duration = Duration::from_millis(500);
/// How long it may take where temporary tables are to be dropped: a cluster needs seconds for each, and an embedded
/// store ends the call that it is in first.
const GRACE_FOR_TABLES: Duration = Duration::from_secs(30);

/// A signal that ends programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// What `kill`, systemd, docker and `timeout` send.
    Terminate,
}

/// Receives signals from now on. Where that is impossible they end the process as they do by themselves.
pub fn watch_signals() {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    let Ok(mut signals) = runtime.block_on(async { Signals::new() }) else { return };
    // Ends with the program: there is nothing that would have to wait for it.
    let _ = std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || runtime.block_on(end_with_signal(&mut signals)));
}

/// Waits for the signal that ends the program, tells everybody, and ends the process if it does not end by itself.
async fn end_with_signal(signals: &mut Signals) {
    // The prompt hears of Ctrl-C, too, and gives up the command that it runs.
    while signals.next().await == Signal::Interrupt && is_at_prompt() {}
    CANCELLATION.cancel();
    if is_at_prompt() {
        restore_terminal();
        end_now();
    }
    if signals.comes_within(GRACE).await {
        end_now();
    }
    if say_tables() {
        let begun = tokio::time::Instant::now();
        while tables_to_drop().is_some() && begun.elapsed() < GRACE_FOR_TABLES {
            if signals.comes_within(Duration::from_millis(50)).await {
                break;
            }
        }
        // What is left for the main thread is to say what was done.
        if tables_to_drop().is_none() {
            signals.comes_within(GRACE).await;
        }
    }
    end_now()
}

/// A prompt has the terminal in a mode of its own, in which nobody sees what is typed.
fn restore_terminal() {
    terminal::end_bracketed_paste();
    #[cfg(unix)]
    let _ = std::process::Command::new("stty").arg("sane").stderr(std::process::Stdio::null()).status();
}

impl Signals {
    /// Whether a signal comes within this time.
    async fn comes_within(&mut self, time: Duration) -> bool {
        tokio::select! {
            _ = self.next() => true,
            () = sleep(time) => false,
        }
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            Some(()) = self.interrupt.recv() => Signal::Interrupt,
            Some(()) = self.terminate.recv() => Signal::Terminate,
            else => std::future::pending().await,
        }
    }
}

#[cfg(windows)]
struct Signals {
    interrupt: tokio::signal::windows::CtrlC,
    terminate: tokio::signal::windows::CtrlBreak,
    close: tokio::signal::windows::CtrlClose,
}

#[cfg(windows)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
        Ok(Self { interrupt: ctrl_c()?, terminate: ctrl_break()?, close: ctrl_close()? })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            Some(()) = self.interrupt.recv() => Signal::Interrupt,
            Some(()) = self.terminate.recv() => Signal::Terminate,
            Some(()) = self.close.recv() => Signal::Terminate,
            else => std::future::pending().await,
        }
    }
}
