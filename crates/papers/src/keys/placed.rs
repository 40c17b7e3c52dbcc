//! Which region every row goes to, from its real key and the real split points.

use std::sync::Arc;
use std::thread;

use tablesmith_design::keys::simulate::region_of;
use tablesmith_model::key::{KeyCodec, KeyEncodeError};

use super::designs::{DesignError, IdRow, KeyDesign, splits};

/// Writes the line of an id.
pub type Lines = Arc<dyn Fn(u64, &mut Vec<u8>) + Send + Sync>;

/// Threads that make keys.
const THREADS: usize = 2;

/// Rows with ids from 1 on.
#[derive(Clone)]
pub struct Source {
    /// How many.
    pub rows: usize,
    /// Prefixes that keys have.
    pub modulus: u64,
    /// What random prefixes are made from.
    pub seed: u64,
    /// The lines.
    pub lines: Lines,
}

/// Why rows have no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacedError {
    /// There is no such key.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// A row has no key.
    #[error(transparent)]
    Encode(#[from] KeyEncodeError),
    /// A thread ended early.
    #[error("a thread that makes keys ended before its work was done: run it again")]
    Thread,
}

/// The region of each row, for each number of regions.
pub fn placed(source: &Source, design: KeyDesign, regions: &[usize]) -> Result<Vec<Vec<u16>>, PlacedError> {
    let codec = design.codec(source.modulus)?;
    let all_splits: Vec<Vec<Vec<u8>>> = regions.iter().map(|count| splits(*count, source.modulus)).collect();
    let parts = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|part| {
                let rows = source.rows * part / THREADS..source.rows * (part + 1) / THREADS;
                let (codec, all_splits) = (&codec, &all_splits);
                scope.spawn(move || place(source, design, codec, all_splits, rows))
            })
            .collect();
        threads.into_iter().map(|one| one.join().unwrap_or(Err(PlacedError::Thread))).collect::<Vec<_>>()
    });
    let mut whole: Vec<Vec<u16>> = regions.iter().map(|_| Vec::with_capacity(source.rows)).collect();
    for part in parts {
        whole.iter_mut().zip(part?).for_each(|(whole, part)| whole.extend(part));
    }
    Ok(whole)
}

fn place(
    source: &Source,
    design: KeyDesign,
    codec: &KeyCodec,
    all_splits: &[Vec<Vec<u8>>],
    rows: std::ops::Range<usize>,
) -> Result<Vec<Vec<u16>>, PlacedError> {
    let mut places: Vec<Vec<u16>> = all_splits.iter().map(|_| Vec::with_capacity(rows.len())).collect();
    let mut row = IdRow::new(0, 0);
    for index in rows {
        let key = key(source, design, codec, index, &mut row)?;
        for (places, splits) in places.iter_mut().zip(all_splits) {
            places.push(u16::try_from(region_of(splits, &key)).unwrap_or(u16::MAX));
        }
    }
    Ok(places)
}

/// The key of the row at an index; `row` is memory that is used again.
pub(super) fn key(
    source: &Source,
    design: KeyDesign,
    codec: &KeyCodec,
    index: usize,
    row: &mut IdRow,
) -> Result<Vec<u8>, KeyEncodeError> {
    let id = index as u64 + 1;
    row.set(id, source.seed, |line| {
        if design.hashes_line() {
            (source.lines)(id, line);
        }
    });
    codec.encode(row)
}
