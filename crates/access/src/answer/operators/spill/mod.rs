//! Sorted runs of rows in temporary files, and their merge.
//!
//! ```text
//!  rows beyond the budget ──add──▶ run │ run │ run …   a file each, sorted; 32 runs become one
//!                                            │
//!  Merged ◀──────────finish, with the last rows in memory
//! ```

mod codec;
mod run;

pub use codec::{decode, encode};

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::path::Path;
use std::sync::Arc;

use super::Row;
use super::sort::Compare;
use crate::answer::error::AnswerError;
use run::Run;

/// More runs than this are merged into one, so that few files are open.
const MOST_RUNS: usize = 32;

/// Sorted runs of rows.
pub struct Runs {
    compare: Compare,
    directory: Arc<Path>,
    runs: Vec<Run>,
}

impl Runs {
    /// No rows yet, to be sorted so. Files go to the system's directory of temporary files.
    pub fn new(compare: Compare) -> Self {
        Self::in_directory(compare, std::env::temp_dir().into())
    }

    fn in_directory(compare: Compare, directory: Arc<Path>) -> Self {
        Self { compare, directory, runs: Vec::new() }
    }

    /// Whether rows were written to a file.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Sorts rows and writes them to a file.
    pub fn add(&mut self, mut rows: Vec<Row>) -> Result<(), AnswerError> {
        rows.sort_by(|one, two| (self.compare)(one, two));
        if self.runs.len() >= MOST_RUNS {
            let merged = merge(&self.compare, std::mem::take(&mut self.runs), Vec::new())?;
            self.runs.push(Run::write(&self.directory, merged)?);
        }
        self.runs.push(Run::write(&self.directory, rows.into_iter().map(Ok))?);
        Ok(())
    }

    /// All rows in order, those that were not written included.
    pub fn finish(self, mut rest: Vec<Row>) -> Result<Merged, AnswerError> {
        rest.sort_by(|one, two| (self.compare)(one, two));
        merge(&self.compare, self.runs, rest)
    }
}

fn merge(compare: &Compare, runs: Vec<Run>, rest: Vec<Row>) -> Result<Merged, AnswerError> {
    let mut merged =
        Merged { heap: BinaryHeap::new(), runs, rest: rest.into_iter(), compare: compare.clone() };
    for from in 0..=merged.runs.len() {
        merged.pull(from)?;
    }
    Ok(merged)
}

/// The rows of several runs in order.
pub struct Merged {
    heap: BinaryHeap<Head>,
    runs: Vec<Run>,
    rest: std::vec::IntoIter<Row>,
    compare: Compare,
}

impl Merged {
    /// Takes the next row of a run; behind the last run comes what is in memory.
    fn pull(&mut self, from: usize) -> Result<(), AnswerError> {
        let row = match self.runs.get_mut(from) {
            Some(run) => run.next()?,
            None => self.rest.next(),
        };
        let compare = self.compare.clone();
        self.heap.extend(row.map(|row| Head { row, from, compare }));
        Ok(())
    }
}

impl Iterator for Merged {
    type Item = Result<Row, AnswerError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Head { row, from, .. } = self.heap.pop()?;
        Some(self.pull(from).map(|()| row))
    }
}

/// The next row of a run. The heap hands out the greatest, so the first is that.
struct Head {
    row: Row,
    from: usize,
    compare: Compare,
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.compare)(&other.row, &self.row).then(other.from.cmp(&self.from))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

#[cfg(test)]
mod tests {
    use tablesmith_model::value::Value;

    use super::*;

    #[test]
    fn a_failing_temporary_file_says_where_and_what_to_do() {
        // Nothing can be written below a device that is always full.
        let directory: Arc<Path> = Path::new("/dev/full").into();
        let mut runs = Runs::in_directory(Arc::new(|one: &Row, two: &Row| one.cmp(two)), directory);
        let error = runs.add(vec![vec![Value::Int(1)]]).unwrap_err().to_string();
        assert!(error.contains(" in /dev/full: ") && error.contains("TMPDIR"), "{error}");
    }
}
