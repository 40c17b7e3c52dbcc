//! How far a load has come, and where rows go that do not go in.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tablesmith_access::LoadWatch;
use tablesmith_model::workload::Table;
use tablesmith_observe::rows::Position;
use tablesmith_report::number::grouped;

use super::reject::Rejects;
use crate::{AppError, Progress, Unit};

/// How to go on after a load that was interrupted.
const CONTINUE: &str = "run the same command again to continue";

/// Watches a load.
pub struct Watch {
    progress: Arc<dyn Progress>,
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
    pub fn new(progress: Arc<dyn Progress>, reject: &Path) -> Self {
        let rejects = Rejects::to(reject);
        let (file, table, loaded) = (String::new(), String::new(), Vec::new());
        Self { progress, file, table, loaded, rejects, position: None, begun: Instant::now(), before: None }
    }

    /// Begins with a file. How much of it has been read says how far the load is: nobody knows its rows before.
    pub fn begin(&mut self, table: &Table, file: &str, position: Position) {
        (self.file, self.table) = (file.to_owned(), table.name.clone());
        self.progress.begin(&table.name, Unit::Share, Some(position.bytes()));
        self.position = Some(position);
        (self.begun, self.before) = (Instant::now(), None);
    }

    /// Begins with the materialized joins.
    pub fn begin_joined(&mut self) {
        self.position = None;
        self.progress.begin("joined copies", Unit::Count, None);
        let done = format!("{} loaded, materialized joins not complete", self.loaded.join(", "));
        self.progress.note(format!("{done}; {CONTINUE}"));
    }

    /// Ends the file, or the materialized joins.
    pub fn end(&mut self) -> Result<(), AppError> {
        self.progress.end();
        if self.position.is_some() {
            self.loaded.push(std::mem::take(&mut self.table));
        }
        self.rejects.end()
    }

    /// What is loaded, for the case that the load is interrupted.
    fn note_progress(&self, rows: u64) {
        let whole: String = self.loaded.iter().map(|table| format!("{table} loaded, ")).collect();
        let rows = grouped(rows);
        self.progress.note(format!("{whole}{rows} rows of {} loaded; {CONTINUE}", self.table));
    }
}

impl LoadWatch for Watch {
    fn rejected(&mut self, line: u64, rows: u64, reason: &str) {
        self.rejects.add(&self.file, line, rows, reason);
    }

    fn loaded(&mut self, rows: u64) {
        self.rejects.save();
        let Some(position) = &self.position else { return self.progress.advance(rows) };
        self.note_progress(rows);
        // What an earlier load had loaded says nothing of how fast this one is.
        let before = *self.before.get_or_insert(rows);
        let rate = rows.saturating_sub(before) as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        self.progress.detail(&format!("{} rows, {} a second", grouped(rows), grouped(rate as u64)));
        self.progress.advance(position.read());
    }
}
