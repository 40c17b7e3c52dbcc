//! Queries that are known only by the columns that they touch.

use tablesmith_model::workload::{Access, Touched};

use super::Asking;
use crate::time::query::{TimeKind, TimeQuery, Whose};

impl Asking<'_> {
    /// A get is one reading, or so many of one moment; a scan is a stretch of one entity, or of everything when nobody says
    /// how many rows it has.
    pub(super) fn touched(&mut self, touched: &Touched) -> Vec<TimeQuery> {
        let rows = self.query.rows.map(|rows| rows.max(1) as f64);
        let mut found = Vec::new();
        if !touched.reads.is_empty() {
            let kind = match touched.access_in(self.table) {
                Access::Get => TimeKind::Instant { entities: Whose::Named(rows.unwrap_or(1.0)) },
                Access::Scan => match rows {
                    Some(rows) => TimeKind::Range {
                        entities: Whose::Named(1.0),
                        length: self.length_of_rows(rows, 1.0),
                    },
                    None => TimeKind::Range { entities: Whose::All, length: self.facts.extent() },
                },
            };
            self.note(format!("is known by its columns only; it is taken for {}", words(&kind)));
            found.push(self.made(kind, &touched.reads));
        }
        if !touched.writes.is_empty() {
            found.push(self.made(TimeKind::Write { readings: rows.unwrap_or(1.0) }, &touched.writes));
        }
        found
    }

    pub(super) fn made(&self, kind: TimeKind, columns: &[String]) -> TimeQuery {
        TimeQuery {
            name: self.query.name.clone(),
            rate: self.query.rate,
            kind,
            metrics: self.metrics(columns),
        }
    }
}

fn words(kind: &TimeKind) -> &'static str {
    match kind {
        TimeKind::Instant { .. } => "readings of one moment",
        TimeKind::Range { entities: Whose::All, .. } => "all readings of everybody",
        _ => "a stretch of one entity's readings",
    }
}
