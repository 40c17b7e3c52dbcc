//! How far a measurement has come, at a terminal.

use std::cell::RefCell;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal;

/// Bars that follow each other.
#[derive(Default)]
pub struct Bars(RefCell<Option<ProgressBar>>);

impl Bars {
    /// Begins a bar of so many; shows itself only at a terminal.
    pub fn begin(&self, what: &str, length: u64) -> ProgressBar {
        self.end();
        let style =
            ProgressStyle::with_template("{msg} {bar:30.cyan} {human_pos} of {human_len}, {eta} left");
        let bar = ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        terminal::set_message(&bar, what);
        bar.enable_steady_tick(Duration::from_millis(200));
        *self.0.borrow_mut() = Some(bar.clone());
        bar
    }

    /// Takes the last bar away.
    pub fn end(&self) {
        if let Some(bar) = self.0.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.end();
    }
}
