//! How far a load has come, at a terminal; and where rows go that do not go in.

use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tablesmith_access::LoadWatch;
use tablesmith_model::workload::Table;

use super::reject::Rejects;
use crate::failure::Failure;

/// Watches a load.
pub struct Watch {
    bar: Option<ProgressBar>,
    file: String,
    rejects: Rejects,
}

impl Watch {
    pub fn new(reject: &Path) -> Self {
        Self { bar: None, file: String::new(), rejects: Rejects::to(reject) }
    }

    /// Begins with a file. Where nobody knows how many rows it has, there is no time left to tell.
    pub fn begin(&mut self, table: &Table, file: &str) {
        self.file = file.to_owned();
        let template = match table.rows {
            Some(_) => "{msg} {bar:30.cyan} {human_pos} of {human_len} rows, {per_sec}, {eta} left",
            None => "{msg} {spinner} {human_pos} rows, {per_sec}",
        };
        self.show(table.rows, template, table.name.clone());
    }

    /// Begins with the joined copies.
    pub fn begin_joined(&mut self) {
        self.show(None, "{msg} {spinner} {human_pos} rows, {per_sec}", "joined copies".to_owned());
    }

    fn show(&mut self, length: Option<u64>, template: &str, message: String) {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let bar = bar.with_style(style).with_message(message);
        bar.enable_steady_tick(Duration::from_millis(200));
        self.bar = Some(bar);
    }

    /// Takes the bar away.
    pub fn end(&mut self) -> Result<(), Failure> {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.rejects.flush()
    }
}

impl LoadWatch for Watch {
    fn rejected(&mut self, line: u64, rows: u64, reason: &str) {
        self.rejects.add(&self.file, line, rows, reason);
    }

    fn loaded(&mut self, rows: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(rows);
        }
    }
}
