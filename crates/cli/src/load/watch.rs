//! How far a load has come, at a terminal; and where rows go that do not go in.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tablesmith_access::LoadWatch;
use tablesmith_model::workload::Table;
use tablesmith_observe::rows::Position;

use super::reject::Rejects;
use crate::failure::Failure;
use crate::number_text::grouped;
use crate::{interrupt, terminal};

/// How to go on after a load that was interrupted.
pub const CONTINUE: &str = "run the same command again to continue";

/// Watches a load.
pub struct Watch {
    bar: Option<ProgressBar>,
    file: String,
    table: String,
    /// Tables whose files are loaded.
    loaded: Vec<String>,
    rejects: Rejects,
    /// How far the file has been read.
    position: Option<Position>,
    begun: Instant,
    /// Rows that an earlier load had loaded.
    before: Option<u64>,
}

impl Watch {
    pub fn new(reject: &Path) -> Self {
        let rejects = Rejects::to(reject);
        let (file, table, loaded) = (String::new(), String::new(), Vec::new());
        Self { bar: None, file, table, loaded, rejects, position: None, begun: Instant::now(), before: None }
    }

    /// Begins with a file. How much of it has been read says how far the load is: nobody knows its rows before.
    pub fn begin(&mut self, table: &Table, file: &str, position: Position) {
        (self.file, self.table) = (file.to_owned(), table.name.clone());
        let bytes = position.bytes();
        self.show(Some(bytes), "{msg} {bar:30.cyan} {percent}%, {prefix}, {eta} left", &table.name);
        self.position = Some(position);
        (self.begun, self.before) = (Instant::now(), None);
    }

    /// Begins with the joined copies.
    pub fn begin_joined(&mut self) {
        self.position = None;
        self.show(None, "{msg} {spinner} {human_pos} rows, {per_sec}", "joined copies");
        let done = format!("{} loaded, materialized joins not complete", self.loaded.join(", "));
        interrupt::note_progress(format!("{done}; {CONTINUE}"));
    }

    fn show(&mut self, length: Option<u64>, template: &str, message: &str) {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let bar = bar.with_style(style);
        terminal::set_message(&bar, message);
        bar.enable_steady_tick(Duration::from_millis(200));
        self.bar = Some(bar);
    }

    /// Takes the bar away.
    pub fn end(&mut self) -> Result<(), Failure> {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if self.position.is_some() {
            self.loaded.push(std::mem::take(&mut self.table));
        }
        self.rejects.end()
    }
}

impl Watch {
    /// What is loaded, for the case that the load is interrupted.
    fn note_progress(&self, rows: u64) {
        let whole: String = self.loaded.iter().map(|table| format!("{table} loaded, ")).collect();
        interrupt::note_progress(format!(
            "{whole}{} rows of {} loaded; {CONTINUE}",
            grouped(rows),
            self.table
        ));
    }
}

impl LoadWatch for Watch {
    fn rejected(&mut self, line: u64, rows: u64, reason: &str) {
        self.rejects.add(&self.file, line, rows, reason);
    }

    fn loaded(&mut self, rows: u64) {
        self.rejects.save();
        if self.position.is_some() {
            self.note_progress(rows);
        }
        let Some(bar) = &self.bar else { return };
        let Some(position) = &self.position else { return bar.set_position(rows) };
        // What an earlier load had loaded says nothing of how fast this one is.
        let before = *self.before.get_or_insert(rows);
        let rate = rows.saturating_sub(before) as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        terminal::set_prefix(bar, &format!("{} rows, {} a second", grouped(rows), grouped(rate as u64)));
        bar.set_position(position.read());
    }
}
