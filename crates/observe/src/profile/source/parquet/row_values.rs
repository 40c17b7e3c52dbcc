//! How many values of a repeated column one row has, and one batch of rows: all of them are in memory at once, and a run
//! of levels holds any number of them in a few bytes.

use parquet::basic::Encoding;

use super::delta::{unpack, varint};

/// Counts the values of rows by their repetition levels: level 0 begins a row.
#[derive(Debug)]
pub(super) struct RowValues {
    /// Rows that are read at a time.
    batch_rows: u64,
    rows_in_batch: u64,
    values_in_batch: u64,
    values_in_row: u64,
    /// The most values that a row had so far.
    pub of_row: u64,
    /// The most values that a batch of rows had so far.
    pub of_batch: u64,
}

impl RowValues {
    /// Counts from the beginning of a row group.
    pub fn new(batch_rows: usize) -> Self {
        Self {
            batch_rows: (batch_rows as u64).max(1),
            rows_in_batch: 0,
            values_in_batch: 0,
            values_in_row: 0,
            of_row: 0,
            of_batch: 0,
        }
    }

    /// Sees the repetition levels of a page. Levels that are cut off are refused by the reader.
    pub fn see(&mut self, levels: &[u8], encoding: Encoding, max_level: i16, values: u32) {
        if encoding == Encoding::RLE {
            self.see_runs(levels, usize::from(level_bits(max_level)), u64::from(values));
        } else {
            // Levels that are only packed are in very old files. Counted as one row, they are at least not too few.
            self.values(u64::from(values));
        }
    }

    fn see_runs(&mut self, mut rest: &[u8], width: usize, mut left: u64) {
        while left > 0
            && let Some(head) = varint(&mut rest)
        {
            let count = if head & 1 == 0 { head >> 1 } else { (head >> 1).saturating_mul(8) }.min(left);
            left -= count;
            let bytes = if head & 1 == 0 {
                width.div_ceil(8)
            } else {
                usize::try_from(head >> 1).unwrap_or(usize::MAX).saturating_mul(width)
            };
            let (run, after) = rest.split_at_checked(bytes).unwrap_or((rest, &[]));
            rest = after;
            if head & 1 == 0 {
                let begins_rows = run.iter().all(|byte| *byte == 0);
                if begins_rows {
                    self.rows(count)
                } else {
                    self.values(count)
                }
                continue;
            }
            for at in 0..usize::try_from(count).unwrap_or(usize::MAX) {
                match unpack(run, at * width, width) {
                    Some(0) => self.rows(1),
                    Some(_) => self.values(1),
                    None => return,
                }
            }
        }
    }

    /// So many rows begin, all but the last with one value.
    fn rows(&mut self, count: u64) {
        if count == 0 {
            return;
        }
        self.values_in_row = 1;
        self.of_row = self.of_row.max(1);
        let fit = count.min(self.batch_rows - self.rows_in_batch.min(self.batch_rows));
        self.of_batch = self.of_batch.max(self.values_in_batch + fit).max(count.min(self.batch_rows));
        if fit == count {
            self.rows_in_batch += count;
            self.values_in_batch += count;
        } else {
            // The last batch has one row at least.
            self.rows_in_batch = (count - fit - 1) % self.batch_rows + 1;
            self.values_in_batch = self.rows_in_batch;
        }
    }

    /// So many values more for the present row.
    fn values(&mut self, count: u64) {
        self.values_in_row = self.values_in_row.saturating_add(count);
        self.values_in_batch = self.values_in_batch.saturating_add(count);
        self.of_row = self.of_row.max(self.values_in_row);
        self.of_batch = self.of_batch.max(self.values_in_batch);
    }
}

/// Bits that a level takes.
pub(super) fn level_bits(max_level: i16) -> u8 {
    (u16::BITS - max_level.max(0).cast_unsigned().leading_zeros()) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(batch_rows: usize, pages: &[(&[u8], u32)]) -> (u64, u64) {
        let mut counted = RowValues::new(batch_rows);
        for (levels, values) in pages {
            counted.see(levels, Encoding::RLE, 1, *values);
        }
        (counted.of_row, counted.of_batch)
    }

    #[test]
    fn a_row_of_a_million_values_is_counted_from_a_few_bytes() {
        // One row begins, a million values follow, then two rows begin.
        let levels = [2, 0, 0x80, 0x89, 0x7A, 1, 4, 0];
        assert_eq!(of(1_024, &[(&levels, 1_000_003)]), (1_000_001, 1_000_003));
        assert_eq!(of(1, &[(&levels, 1_000_003)]), (1_000_001, 1_000_001));
        // The header of the page says how many of the run there are.
        assert_eq!(of(1_024, &[(&levels, 11)]), (11, 11));
    }

    #[test]
    fn rows_go_on_from_page_to_page() {
        let begins: &[u8] = &[2, 0, 20, 1];
        let goes_on: &[u8] = &[20, 1];
        assert_eq!(of(1_024, &[(begins, 11), (goes_on, 10), (goes_on, 10)]), (31, 31));
    }

    #[test]
    fn packed_levels_are_counted_one_by_one() {
        // 0 1 1 0 1 0 0 1, the lowest bit first: rows of 3, 2, 1 and 2 values.
        let levels: &[u8] = &[3, 0b1001_0110];
        assert_eq!(of(1_024, &[(levels, 8)]), (3, 8));
        assert_eq!(of(2, &[(levels, 8)]), (3, 5));
    }

    #[test]
    fn batches_of_flat_rows_have_as_many_values_as_rows() {
        let rows: &[u8] = &[0x80, 0x89, 0x7A, 0];
        assert_eq!(of(1_024, &[(rows, 1_000_000)]), (1, 1_024));
        assert_eq!(of(1_024, &[(rows, 1_000_000), (&[2, 1], 1)]), (2, 1_024));
        assert_eq!(of(1_024, &[(&[], 1_000_000), (&[3], 8)]), (0, 0), "cut off");
    }

    #[test]
    fn levels_take_as_few_bits_as_they_need() {
        assert_eq!([0, 1, 2, 3, 4, 7, 8].map(level_bits), [0, 1, 2, 2, 3, 3, 4]);
    }
}
