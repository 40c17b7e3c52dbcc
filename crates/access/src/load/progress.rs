//! How far the load of a file has come, kept in the store itself.
//!
//! A load that was killed goes on after the rows that the store has acknowledged in all places, with the numbers that it
//! had given to rows: what it repeats of the batch that broke off gets the same keys, and changes nothing.

use std::time::{Duration, Instant};

use tablesmith_model::TableName;
use tablesmith_model::evidence::Rejected;
use tablesmith_store::{Put, Row, Store};
use xxhash_rust::xxh3::xxh3_64;

use super::LoadWatch;
use super::made::Portion;
use crate::error::AccessError;
use crate::state::{self, FAMILY, PROGRESS_COLUMN, StateRow, StoredLayout, state_table};

/// So much work at most is done again after a crash.
const EVERY: Duration = Duration::from_millis(200);

/// How far the load of a file has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Rows and rejected lines of the file that are done with.
    pub lines: u64,
    /// Rows that are loaded.
    pub rows: u64,
    /// Rows that were rejected.
    pub rejected: u64,
    /// The next number of a row, for each place whose rows are numbered.
    pub numbers: Vec<u64>,
    /// Whether the file is through.
    pub is_done: bool,
}

impl Progress {
    /// Counts rows that are taken from the file, and tells of those that do not go in. Without any the file is through.
    pub fn pass<T>(&mut self, portion: &Portion<T>, watch: &mut dyn LoadWatch) {
        self.is_done = portion.lines() == 0;
        self.lines += portion.lines();
        portion.numbers.clone_into(&mut self.numbers);
        for Rejected { first_line, rows, reason } in &portion.rejected {
            self.rejected += rows;
            watch.rejected(*first_line, *rows, reason);
        }
    }
}

/// What a load is kept under: `TABLE in TABLES (HASH) from FILE`, where the hash tells how rows are stored.
fn load_name(table: &str, layouts: &[StoredLayout], file: &str, text: fn(&StoredLayout) -> String) -> String {
    let tables: Vec<String> = layouts.iter().map(|layout| layout.table.to_string()).collect();
    let texts: Vec<String> = layouts.iter().map(text).collect();
    let hash = xxh3_64(texts.join("\n").as_bytes());
    format!("{table} in {} ({hash:016x}) from {file}", tables.join(", "))
}

/// Where the progress of one load is kept.
pub(super) struct Checkpoint<'k> {
    store: &'k dyn Store,
    table: TableName,
    row: StateRow,
    /// The row of a load that an earlier version began.
    version_0: StateRow,
    written: Instant,
}

impl<'k> Checkpoint<'k> {
    /// The place for the load of a file of a table into places that store it so. Over rows that are stored otherwise nothing
    /// is loaded.
    pub async fn open(
        store: &'k dyn Store,
        table: &str,
        layouts: &[StoredLayout],
        file: &str,
    ) -> Result<Self, AccessError> {
        let row = |text| StateRow::Load(load_name(table, layouts, file, text));
        state::keep(store, layouts).await?;
        Ok(Self {
            store,
            table: state_table()?,
            row: row(StoredLayout::text),
            version_0: row(|layout| layout.version_0.clone()),
            written: Instant::now(),
        })
    }

    /// How far an earlier load came; `None` for a first one. `is_there` says whether the tables have rows: without any,
    /// because they were created anew, nothing of an earlier load is left.
    pub async fn begin(&self, is_there: bool) -> Result<Option<Progress>, AccessError> {
        let rows = state::read(self.store, &[self.row.clone(), self.version_0.clone()]).await?;
        Ok(rows.iter().find_map(progress_in).filter(|progress| is_there || progress.rows == 0))
    }

    /// Writes it when the file is through, or when it was not written for a while: a write that is safe takes as long as a
    /// thousand others, and what is loaded again after a crash changes nothing.
    pub async fn write_now_and_then(&mut self, progress: &Progress) -> Result<(), AccessError> {
        if progress.is_done || self.written.elapsed() >= EVERY {
            self.write(progress).await?;
            self.written = Instant::now();
        }
        Ok(())
    }

    /// Writes it; all before it is safe.
    pub async fn write(&self, progress: &Progress) -> Result<(), AccessError> {
        let put = Put::new(self.row.key()).add(FAMILY, PROGRESS_COLUMN, print(progress));
        self.store.put(&self.table, put).await?;
        Ok(())
    }
}

fn progress_in(row: &Row) -> Option<Progress> {
    let text = row
        .value(FAMILY.as_bytes(), PROGRESS_COLUMN.as_bytes())
        .and_then(|value| std::str::from_utf8(value).ok());
    text.and_then(parse)
}

/// As text, so that people can read it in a shell: `done lines rows rejected numbers…`.
fn print(progress: &Progress) -> String {
    let Progress { lines, rows, rejected, numbers, is_done } = progress;
    let word = if *is_done { "done" } else { "going" };
    let numbers: String = numbers.iter().map(|number| format!(" {number}")).collect();
    format!("{word} {lines} {rows} {rejected}{numbers}")
}

fn parse(text: &str) -> Option<Progress> {
    let mut words = text.split(' ');
    let is_done = words.next()? == "done";
    let mut number = || words.next()?.parse::<u64>().ok();
    let (lines, rows, rejected) = (number()?, number()?, number()?);
    let numbers = std::iter::from_fn(number).collect();
    Some(Progress { lines, rows, rejected, numbers, is_done })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reads_back() {
        for progress in [
            Progress::default(),
            Progress { lines: 9, rows: 7, rejected: 2, numbers: vec![3, 0], is_done: true },
        ] {
            assert_eq!(parse(&print(&progress)), Some(progress));
        }
        assert_eq!(parse("going 1"), None);
    }
}
