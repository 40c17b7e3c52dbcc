//! Whether columns identify every row: all rows are compared, by the hashes of what they hold.
//!
//! Different hashes mean different rows, so that a key that is found here is one; two rows that are different but have
//! the same hash of 64 bits would only hide a key. Hashes that do not fit into memory are parted by their first bits
//! into temporary files, which are compared one by one.

use std::collections::HashSet;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::SpooledTempFile;

use super::super::ProfileError;
use super::super::measure::hash;
use super::super::source::{self, Batch};

/// Hashes that are compared at once: 32 MiB.
const COMPARED: u64 = 1 << 22;
/// More files are not open at once.
const PARTS_MAX: u64 = 256;
/// So much of each part stays in memory while it is written.
const PART_BYTES: usize = 128 * 1024;
/// So many repeated rows are told.
const REPEATED_MAX: usize = 1_000;

/// The hashes that more than one row has in these columns; none when they identify every one of the file's `rows`.
pub fn repeated(path: &Path, rows: u64, columns: &[usize]) -> Result<HashSet<u64>, ProfileError> {
    let mut source = source::open(path)?;
    let mut parts = Parts::for_rows(rows);
    while let Some(batch) = source.next()? {
        let hashes = row_hashes(&batch, columns);
        hashes.into_iter().try_for_each(|hash| parts.add(hash)).map_err(ProfileError::Temporary)?;
    }
    parts.repeated().map_err(ProfileError::Temporary)
}

/// What each row of a batch holds in these columns, as one number.
fn row_hashes(batch: &Batch, columns: &[usize]) -> Vec<u64> {
    let mut hashes = vec![0_u64; batch.rows()];
    for column in columns {
        for (sum, (_, value)) in hashes.iter_mut().zip(batch.column(*column)) {
            *sum = sum.wrapping_add(field_hash(*column, value));
        }
    }
    hashes
}

/// A field as a number. Those of a row can be added up in any order.
pub fn field_hash(column: usize, value: &[u8]) -> u64 {
    // The column decides which bits of the value's hash meet.
    let spread = hash(value) ^ (column as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (spread ^ (spread >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Hashes, parted by their first bits.
struct Parts {
    files: Vec<BufWriter<SpooledTempFile>>,
    /// As long as one part is enough.
    in_memory: Vec<u64>,
}

impl Parts {
    fn for_rows(rows: u64) -> Self {
        let parts = (rows / COMPARED + 1).min(PARTS_MAX);
        let file = |_| BufWriter::with_capacity(PART_BYTES, SpooledTempFile::new(PART_BYTES));
        Self {
            files: if parts > 1 { (0..parts).map(file).collect() } else { Vec::new() },
            in_memory: Vec::new(),
        }
    }

    fn add(&mut self, hash: u64) -> io::Result<()> {
        let part = (u128::from(hash) * self.files.len() as u128) >> 64;
        match self.files.get_mut(part as usize) {
            Some(file) => file.write_all(&hash.to_le_bytes()),
            None => {
                self.in_memory.push(hash);
                Ok(())
            }
        }
    }

    fn repeated(self) -> io::Result<HashSet<u64>> {
        let mut found = HashSet::new();
        repeated_among(self.in_memory, &mut found);
        for file in self.files {
            let mut file = file.into_inner().map_err(|error| error.into_error())?;
            file.seek(SeekFrom::Start(0))?;
            let mut reader = BufReader::with_capacity(PART_BYTES, file);
            let mut hashes = Vec::new();
            let mut bytes = [0; 8];
            while read_whole(&mut reader, &mut bytes)? {
                hashes.push(u64::from_le_bytes(bytes));
            }
            repeated_among(hashes, &mut found);
        }
        Ok(found)
    }
}

/// Whether there was another number to read.
fn read_whole(reader: &mut impl Read, bytes: &mut [u8; 8]) -> io::Result<bool> {
    match reader.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn repeated_among(mut hashes: Vec<u64>, found: &mut HashSet<u64>) {
    hashes.sort_unstable();
    let pairs = hashes.iter().zip(hashes.iter().skip(1));
    let again = pairs.filter(|(one, next)| one == next).map(|(one, _)| *one);
    found.extend(again.take(REPEATED_MAX.saturating_sub(found.len())));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: u64, hashes: impl Iterator<Item = u64>) -> HashSet<u64> {
        let mut parted = Parts::for_rows((parts - 1) * COMPARED);
        assert_eq!(parted.files.len() as u64, if parts == 1 { 0 } else { parts });
        hashes.for_each(|hash| parted.add(hash).unwrap());
        parted.repeated().unwrap()
    }

    #[test]
    fn what_comes_twice_is_found_in_memory_and_in_files() {
        let spread = |number: u64| hash(&number.to_le_bytes());
        for parts in [1, 2, 7] {
            assert_eq!(of(parts, (0..100_000).map(spread)), HashSet::new(), "{parts}");
            let again = (0..100_000).chain([17, 99_999, 17]).map(spread);
            assert_eq!(of(parts, again), HashSet::from([spread(17), spread(99_999)]), "{parts}");
        }
    }

    #[test]
    fn fields_of_a_row_may_not_change_places() {
        let row = |one: &[u8], two: &[u8]| field_hash(0, one).wrapping_add(field_hash(1, two));
        assert_ne!(row(b"a", b"b"), row(b"b", b"a"));
        assert_ne!(row(b"a", b"a"), row(b"b", b"b"));
    }
}
