//! How a join looks for its inner rows: those of a batch of outer rows in one read.
//!
//! Whoever carries joins out and whoever predicts what they take must mean the same batches.

/// Outer rows of the first batch, which is small for whoever wants only a few rows.
pub const FIRST_BATCH_ROWS: usize = 32;
/// How many times more each further batch has.
pub const BATCH_GROWTH: usize = 4;
/// Outer rows of a batch at most when all inner rows are read for each.
pub const SCANNED_BATCH_ROWS: usize = 16_384;

/// How often all inner rows are read for so many outer ones.
pub fn passes(outer_rows: f64) -> f64 {
    let (mut passes, mut batch) = (1.0_f64, FIRST_BATCH_ROWS);
    let mut left = outer_rows - batch as f64;
    while left > 0.0 && batch < SCANNED_BATCH_ROWS {
        batch = (batch * BATCH_GROWTH).min(SCANNED_BATCH_ROWS);
        left -= batch as f64;
        passes += 1.0;
    }
    (passes + (left.max(0.0) / SCANNED_BATCH_ROWS as f64).ceil()).min(outer_rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_that_reads_all_of_a_table_reads_it_once_for_many_rows() {
        assert_eq!(
            [0.3, 1.0, 8.0, 32.0, 33.0, 160.0, 161.0].map(passes),
            [0.3, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0]
        );
        assert_eq!(passes(1e6), 66.0);
    }

    #[test]
    fn many_rows_are_not_counted_batch_by_batch() {
        assert!((passes(1e15) * SCANNED_BATCH_ROWS as f64 / 1e15 - 1.0).abs() < 1e-6);
    }
}
