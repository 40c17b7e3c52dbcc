//! Progress at a terminal: one bar or spinner at a time on standard error; none where that is not a terminal.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tablesmith_app::{Progress, Unit};

use crate::{interrupt, terminal};

static TERMINAL: LazyLock<Arc<TerminalProgress>> = LazyLock::new(Arc::default);

/// Shows progress at the terminal of this process.
#[derive(Default)]
pub struct TerminalProgress(Mutex<Option<Shown>>);

/// The bar of the present phase.
struct Shown {
    bar: ProgressBar,
    unit: Unit,
    is_spinner: bool,
}

/// The one of this process.
pub fn terminal() -> Arc<dyn Progress> {
    Arc::clone(&TERMINAL) as Arc<dyn Progress>
}

impl TerminalProgress {
    fn shown(&self) -> MutexGuard<'_, Option<Shown>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for TerminalProgress {
    fn begin(&self, phase: &str, unit: Unit, total: Option<u64>) {
        self.end();
        let template = match (unit, total) {
            (_, None) if phase.is_empty() => "{spinner:.cyan} {msg} ({elapsed})",
            (_, None) => "{msg} {spinner} {human_pos}, {per_sec}",
            (Unit::Bytes, Some(_)) => "{msg} {bar:40.cyan} {bytes} of {total_bytes}, {eta} left",
            (Unit::Count, Some(_)) => "{msg} {bar:30.cyan} {human_pos} of {human_len}, {eta} left",
            (Unit::Share, Some(_)) => "{msg} {bar:30.cyan} {percent}%, {prefix}, {eta} left",
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style);
        terminal::set_message(&bar, phase);
        bar.enable_steady_tick(Duration::from_millis(200));
        *self.shown() = Some(Shown { bar, unit, is_spinner: total.is_none() });
    }

    fn advance(&self, position: u64) {
        if let Some(shown) = &*self.shown() {
            shown.bar.set_position(position);
        }
    }

    fn detail(&self, text: &str) {
        match &*self.shown() {
            Some(Shown { bar, is_spinner: true, .. }) => terminal::set_message(bar, text),
            Some(Shown { bar, unit: Unit::Share, .. }) => terminal::set_prefix(bar, text),
            _ => {}
        }
    }

    fn end(&self) {
        if let Some(shown) = self.shown().take() {
            shown.bar.finish_and_clear();
        }
    }

    fn warn(&self, message: &str) {
        // Where it cannot be written the work goes on all the same.
        let _ = writeln!(terminal::stderr(), "{message}");
    }

    fn note(&self, done: String) {
        interrupt::note_progress(done);
    }

    fn may_end(&self) {
        interrupt::end_if_interrupted();
    }
}
