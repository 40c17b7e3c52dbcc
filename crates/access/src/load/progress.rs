//! How far the load of a file has come, kept in the store itself.
//!
//! A load that was killed goes on after the rows that the store has acknowledged in all places, with the numbers that it
//! had given to rows: what it repeats of the batch that broke off gets the same keys, and changes nothing.

use std::time::{Duration, Instant};

use bytes::Bytes;
use tablesmith_model::row::prefix_end;
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Get, Put, Row, RowBound, Scan, Store, StoreError};

use crate::error::AccessError;

/// The table that holds the progress of loads.
const TABLE: &str = "tablesmith_load";
const FAMILY: &str = "p";
/// So much work at most is done again after a crash.
const EVERY: Duration = Duration::from_millis(200);
/// Letters of what says how rows are laid out, in the name of a load.
const LAID_CHARS: usize = 16;

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

/// Where the progress of one load is kept.
pub(super) struct Kept<'k> {
    store: &'k dyn Store,
    table: TableName,
    row: Bytes,
    written: Instant,
}

impl<'k> Kept<'k> {
    /// The place for what goes by this name; makes the table for it.
    pub async fn open(store: &'k dyn Store, name: &str) -> Result<Self, AccessError> {
        let table = TableName::new("default", TABLE).map_err(|error| AccessError::Data(error.to_string()))?;
        let descriptor = TableDescriptor::new(table.clone(), [FamilyDescriptor::new(FAMILY)]);
        match store.create_table(descriptor, Vec::new()).await {
            Ok(()) | Err(StoreError::TableExists(_)) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(Self { store, table, row: name.to_owned().into(), written: Instant::now() })
    }

    /// What an earlier load left.
    pub async fn read(&self) -> Result<Option<Progress>, AccessError> {
        let row = self.store.get(&self.table, Get::new(self.row.clone())).await?.value;
        let text = row.value(FAMILY.as_bytes(), b"at").and_then(|value| std::str::from_utf8(value).ok());
        Ok(text.and_then(parse))
    }

    /// Whether something was loaded under a name that begins so and goes on otherwise than this one.
    pub async fn has_others(&self, beginning: &str) -> Result<bool, AccessError> {
        let end = prefix_end(beginning.as_bytes());
        let stop = end.map_or(RowBound::Open, |end| RowBound::Excluded(end.into()));
        let scan = Scan { start: RowBound::Included(beginning.to_owned().into()), stop, ..Scan::default() };
        let own = self.row.get(..beginning.len() + LAID_CHARS).unwrap_or(&self.row);
        let mut scanner = self.store.scan(&self.table, scan).await?;
        loop {
            let rows = scanner.next_rows().await?;
            if rows.is_empty() {
                return Ok(false);
            }
            let loaded = |row: &Row| {
                let text =
                    row.value(FAMILY.as_bytes(), b"at").and_then(|value| std::str::from_utf8(value).ok());
                text.and_then(parse).is_some_and(|progress| progress.rows > 0)
            };
            if rows.iter().any(|row| !row.row.starts_with(own) && loaded(row)) {
                return Ok(true);
            }
        }
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
        let put = Put::new(self.row.clone()).add(FAMILY, "at", print(progress));
        self.store.put(&self.table, put).await?;
        Ok(())
    }
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
