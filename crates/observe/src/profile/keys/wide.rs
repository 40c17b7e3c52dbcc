//! Keys of three columns and more.
//!
//! ```text
//! the first rows ─▶ the fewest columns that tell them apart, the preferred ones kept longest
//!        ▲                                   │
//!        └──── rows that are still alike ◀── all rows of the file compared ──▶ none alike: a key
//! ```
//!
//! Rows that a candidate cannot tell apart join the sample, so that each round learns from the one before. Memory is
//! bounded by the sample; what is claimed has been compared on every row.

use std::collections::HashSet;
use std::path::Path;

use super::super::ProfileError;
use super::super::found::ColumnProfile;
use super::super::source;
use super::is_eligible;
use super::verify::{field_hash, repeated};

/// More columns do not make a key that anybody would use.
const COLUMNS_MAX: usize = 8;
/// So many columns are considered.
const ELIGIBLE_MAX: usize = 64;
/// Rows of the sample at first; 16 MiB when all columns are considered.
const FIRST_ROWS: usize = 1 << 15;
/// Rows that a round may add to the sample.
const ADDED_ROWS: usize = 4_096;
/// Candidates that are compared on the whole file.
const ROUNDS: usize = 5;

/// Finds the columns that together identify every row, in the order of the file. Columns in `preferred` are kept rather
/// than others, and of equals the first in the file.
pub fn find(
    path: &Path,
    rows: u64,
    columns: &[ColumnProfile],
    preferred: &[String],
) -> Result<Option<Vec<usize>>, ProfileError> {
    let eligible = eligible(rows, columns, preferred);
    let mut sample = Sample { columns: eligible, rows: Vec::new() };
    sample.add_rows(path, FIRST_ROWS, |_| true)?;
    for _ in 0..ROUNDS {
        let Some(mut key) = sample.fewest_columns().filter(|key| key.len() <= COLUMNS_MAX) else { break };
        key.sort_unstable();
        let alike = repeated(path, rows, &key)?;
        if alike.is_empty() {
            return Ok(Some(key));
        }
        sample.add_rows_alike(path, &key, &alike)?;
    }
    Ok(None)
}

/// The columns that may be part of a key, the preferred first; none when all together have too few values.
fn eligible(rows: u64, columns: &[ColumnProfile], preferred: &[String]) -> Vec<usize> {
    let mut eligible: Vec<(usize, &ColumnProfile)> =
        columns.iter().enumerate().filter(|(_, column)| is_eligible(column)).collect();
    eligible.sort_by_key(|(_, column)| !preferred.contains(&column.name));
    eligible.truncate(ELIGIBLE_MAX);
    let combinations: f64 = eligible.iter().map(|(_, column)| column.distinct.count as f64).product();
    if combinations < rows as f64 {
        Vec::new()
    } else {
        eligible.into_iter().map(|(index, _)| index).collect()
    }
}

/// Rows as the hashes of their fields.
struct Sample {
    /// The columns of the file that are considered, the preferred first.
    columns: Vec<usize>,
    /// A hash for each of these columns, row after row.
    rows: Vec<u64>,
}

impl Sample {
    /// Reads up to so many rows that are wanted by their hashes.
    fn add_rows(
        &mut self,
        path: &Path,
        rows_max: usize,
        mut wanted: impl FnMut(&[u64]) -> bool,
    ) -> Result<(), ProfileError> {
        let mut source = source::open(path)?;
        let mut added = 0;
        while added < rows_max
            && !self.columns.is_empty()
            && let Some(batch) = source.next()?
        {
            let mut fields: Vec<_> =
                self.columns.iter().map(|column| (*column, batch.column(*column))).collect();
            for _ in 0..batch.rows() {
                let row: Vec<u64> = fields
                    .iter_mut()
                    .map(|(column, values)| values.next().map_or(0, |(_, value)| field_hash(*column, value)))
                    .collect();
                if added < rows_max && wanted(&row) {
                    self.rows.extend(row);
                    added += 1;
                }
            }
        }
        Ok(())
    }

    /// Adds rows which have one of these hashes in the columns of a candidate.
    fn add_rows_alike(
        &mut self,
        path: &Path,
        key: &[usize],
        alike: &HashSet<u64>,
    ) -> Result<(), ProfileError> {
        let of_key: Vec<bool> = self.columns.iter().map(|column| key.contains(column)).collect();
        self.add_rows(path, ADDED_ROWS, |row| {
            let of_key = row.iter().zip(&of_key).filter(|(_, of_key)| **of_key);
            alike.contains(&of_key.fold(0_u64, |sum, (hash, _)| sum.wrapping_add(*hash)))
        })
    }

    /// The columns that are left when as many as possible are taken away, the least preferred first, without two rows
    /// becoming alike; `None` when rows are alike in all columns.
    fn fewest_columns(&self) -> Option<Vec<usize>> {
        let width = self.columns.len().max(1);
        let mut sums: Vec<u64> = self.rows.chunks(width).map(|row| row.iter().fold(0, add)).collect();
        if self.columns.is_empty() || !are_different(&sums) {
            return None;
        }
        let mut kept = Vec::new();
        for (place, column) in self.columns.iter().enumerate().rev() {
            let of_column = self.rows.iter().skip(place).step_by(width);
            let without: Vec<u64> =
                sums.iter().zip(of_column).map(|(sum, hash)| sum.wrapping_sub(*hash)).collect();
            if are_different(&without) {
                sums = without;
            } else {
                kept.push(*column);
            }
        }
        Some(kept)
    }
}

fn add(sum: u64, hash: &u64) -> u64 {
    sum.wrapping_add(*hash)
}

fn are_different(sums: &[u64]) -> bool {
    let mut sorted = sums.to_vec();
    sorted.sort_unstable();
    sorted.iter().zip(sorted.iter().skip(1)).all(|(one, next)| one != next)
}
