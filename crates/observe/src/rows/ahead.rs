//! Rows read ahead on a thread of their own, so that reading and what is done with rows share two processors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use tablesmith_model::source_row::{RowError, SourceRow};

use super::Rows;

/// Rows of a portion.
const PORTION_ROWS: usize = 2_048;
/// Portions that wait at most: what is read ahead stays bounded.
const PORTIONS: usize = 4;

type Row = Result<SourceRow, RowError>;

/// The rows of a data file, in its order, read ahead. Its thread ends when the file does, or when nobody wants more.
pub struct Ahead {
    portions: Receiver<Vec<Row>>,
    portion: std::vec::IntoIter<Row>,
    position: Position,
}

/// How far a file has been read.
#[derive(Clone, Debug, Default)]
pub struct Position {
    read: Arc<AtomicU64>,
    bytes: u64,
}

impl Position {
    /// Bytes that were read.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// All bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Rows {
    /// The same rows, read ahead.
    pub fn ahead(mut self) -> Ahead {
        let (sender, portions) = sync_channel(PORTIONS);
        let position = Position { bytes: self.position().1, ..Position::default() };
        let read = Arc::clone(&position.read);
        thread::spawn(move || {
            loop {
                let portion: Vec<Row> = Iterator::take(&mut self, PORTION_ROWS).collect();
                read.store(self.position().0, Ordering::Relaxed);
                if portion.is_empty() || sender.send(portion).is_err() {
                    return;
                }
            }
        });
        Ahead { portions, portion: Vec::new().into_iter(), position }
    }
}

impl Ahead {
    /// How far the file has been read, also for others to look at.
    pub fn position(&self) -> Position {
        self.position.clone()
    }
}

impl Iterator for Ahead {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        loop {
            if let Some(row) = self.portion.next() {
                return Some(row);
            }
            self.portion = self.portions.recv().ok()?.into_iter();
        }
    }
}
