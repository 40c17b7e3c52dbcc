//! How far the load of a file has come, kept in the store itself.
//!
//! A load that was killed goes on after the rows that the store has acknowledged in all places, with the numbers that it
//! had given to rows: what it repeats of the batch that broke off gets the same keys, and changes nothing.

use std::time::{Duration, Instant};

use bytes::Bytes;
use tablesmith_model::evidence::Rejected;
use tablesmith_model::row::prefix_end;
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Get, Put, Row, RowBound, Scan, Store, StoreError};
use xxhash_rust::xxh3::xxh3_64;

use super::LoadWatch;
use super::laid_otherwise::LAID_OTHERWISE;
use super::made::Portion;
use crate::error::AccessError;

/// The table that holds the progress of loads.
const TABLE: &str = "tablesmith_load";
const FAMILY: &str = "p";
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

/// What a load is kept under: `TABLE in TABLES (HASH) from FILE`, where the hash tells how rows are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LoadName {
    /// The tables of the store that rows go to.
    tables: String,
    name: String,
    /// Where in the name begins how rows are laid out.
    laid_at: usize,
    /// Where in the name begins what file they are of.
    from_at: usize,
}

impl LoadName {
    /// The rows of `file`, which are those of `table`, in tables of a store, laid out as some texts tell.
    pub fn new(table: &str, tables: &[&str], laid: &[String], file: &str) -> Self {
        let tables = tables.join(", ");
        let beginning = format!("{table} in {tables} (");
        let laid = format!("{beginning}{:016x}", xxh3_64(laid.join("\n").as_bytes()));
        let name = format!("{laid}) from {file}");
        Self { tables, name, laid_at: beginning.len(), from_at: laid.len() }
    }

    /// What the names of all loads into these tables begin with.
    fn beginning(&self) -> &str {
        self.name.get(..self.laid_at).unwrap_or(&self.name)
    }

    /// What they begin with where rows are laid out alike.
    fn alike(&self) -> &str {
        self.name.get(..self.from_at).unwrap_or(&self.name)
    }
}

/// Where the progress of one load is kept.
pub(super) struct Kept<'k> {
    store: &'k dyn Store,
    table: TableName,
    name: LoadName,
    written: Instant,
}

impl<'k> Kept<'k> {
    /// The place for what goes by this name.
    fn of(store: &'k dyn Store, name: LoadName) -> Result<Self, AccessError> {
        let table = TableName::new("default", TABLE).map_err(|error| AccessError::Data(error.to_string()))?;
        Ok(Self { store, table, name, written: Instant::now() })
    }

    /// The same; makes the table for it.
    pub async fn open(store: &'k dyn Store, name: LoadName) -> Result<Self, AccessError> {
        let kept = Self::of(store, name)?;
        let descriptor = TableDescriptor::new(kept.table.clone(), [FamilyDescriptor::new(FAMILY)]);
        match store.create_table(descriptor, Vec::new()).await {
            Ok(()) | Err(StoreError::TableExists(_)) => Ok(kept),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether rows were loaded into the tables of this name that lie otherwise. `has_rows` says whether they have rows.
    pub async fn is_laid_otherwise(
        store: &'k dyn Store,
        name: LoadName,
        has_rows: bool,
    ) -> Result<bool, AccessError> {
        let kept = Self::of(store, name)?;
        Ok(has_rows && store.table_exists(&kept.table).await? && kept.has_otherwise_laid().await?)
    }

    /// How far an earlier load came; `None` for a first one. `is_there` says whether the tables have rows: without any,
    /// because they were made anew, nothing of an earlier load is left. Rows that lie otherwise than new ones would are
    /// refused.
    pub async fn begin(&self, is_there: bool) -> Result<Option<Progress>, AccessError> {
        let row = self.store.get(&self.table, Get::new(self.row())).await?.value;
        if let Some(progress) = progress_in(&row).filter(|progress| is_there || progress.rows == 0) {
            return Ok(Some(progress));
        }
        if is_there && self.has_otherwise_laid().await? {
            return Err(AccessError::Data(format!(
                "{} {LAID_OTHERWISE}: empty it first (truncate in tablesmith shell), or give it another name in the design",
                self.name.tables
            )));
        }
        Ok(None)
    }

    /// Whether something was loaded into the same tables that lies otherwise.
    async fn has_otherwise_laid(&self) -> Result<bool, AccessError> {
        let beginning = self.name.beginning();
        let stop = prefix_end(beginning.as_bytes());
        let stop = stop.map_or(RowBound::Open, |end| RowBound::Excluded(end.into()));
        let scan = Scan { start: RowBound::Included(beginning.to_owned().into()), stop, ..Scan::default() };
        let alike = self.name.alike().as_bytes();
        let mut scanner = self.store.scan(&self.table, scan).await?;
        loop {
            let rows = scanner.next_rows().await?;
            if rows.is_empty() {
                return Ok(false);
            }
            let has_loaded = |row: &Row| progress_in(row).is_some_and(|progress| progress.rows > 0);
            if rows.iter().any(|row| !row.row.starts_with(alike) && has_loaded(row)) {
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
        let put = Put::new(self.row()).add(FAMILY, "at", print(progress));
        self.store.put(&self.table, put).await?;
        Ok(())
    }

    fn row(&self) -> Bytes {
        self.name.name.clone().into()
    }
}

fn progress_in(row: &Row) -> Option<Progress> {
    let text = row.value(FAMILY.as_bytes(), b"at").and_then(|value| std::str::from_utf8(value).ok());
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

    #[test]
    fn names_tell_how_rows_lie() {
        let name = |laid: &str| LoadName::new("t", &["a", "b"], &[laid.to_owned()], "f.csv");
        let (one, other) = (name("one"), name("other"));
        assert_eq!(one.beginning(), "t in a, b (");
        assert_eq!(one.beginning(), other.beginning());
        assert_ne!(one.alike(), other.alike());
        assert!(one.name.ends_with(") from f.csv") && one.name.starts_with(one.alike()));
    }
}
