//! How the executor makes RPCs of reads: batches of gets, pages of scans, ranges that are merged, batches of outer rows.
//!
//! The executor uses these constants and functions too, so that what is estimated is what runs. A call is one round trip of
//! the executor to the store; a batch of gets is one, however many servers it goes to at the same time.

/// Keys that one batch of gets asks for.
pub const GETS_PER_BATCH: usize = 256;
/// More keys than this are not read one by one.
pub const MOST_KEYS: usize = 10_000;
/// More key ranges than this are not worth their seeks.
pub const MOST_RANGES: usize = 1_024;
/// Bytes of a page: a scan takes a call for each (`hbase.client.scanner.max.result.size`).
pub const PAGE_BYTES: f64 = 2.0 * 1_048_576.0;
/// Rows of a page of a scan with a limit, at most.
const LIMITED_PAGE_ROWS: u64 = 1_000;
/// Rows of such a page at least, where not every row counts towards the limit.
const FILTERED_PAGE_ROWS: u64 = 256;

/// Outer rows of the first batch of a join, which is small for whoever wants only a few rows.
pub const FIRST_BATCH_ROWS: usize = 32;
/// How many times more rows each further batch has.
pub const BATCH_GROWTH: usize = 4;
/// Outer rows of a batch at most when all inner rows are read for each.
pub const SCANNED_BATCH_ROWS: usize = 16_384;
/// Outer rows of a batch at most when inner rows are looked up by one column, by two, or by more.
const LOOKUP_BATCH_ROWS: [usize; 3] = [512, 96, 20];

/// Outer rows of a batch at most, when inner rows are looked up by this number of columns.
pub fn lookup_batch_rows(columns: usize) -> usize {
    let [one, two, more] = LOOKUP_BATCH_ROWS;
    match columns {
        0 | 1 => one,
        2 => two,
        _ => more,
    }
}

/// Rows of a page of a scan with a limit; `is_filtered` where predicates are checked on the rows that come back.
pub fn limited_page_rows(limit: u64, is_filtered: bool) -> u64 {
    let rows = if is_filtered { limit.saturating_mul(4).max(FILTERED_PAGE_ROWS) } else { limit };
    rows.clamp(1, LIMITED_PAGE_ROWS)
}

/// Calls that it takes to get this number of keys.
pub fn get_calls(keys: f64) -> f64 {
    (keys / GETS_PER_BATCH as f64).ceil().max(1.0)
}

/// How many batches of at most `most` rows a join makes of its outer rows.
pub fn batches(outer_rows: f64, most: usize) -> f64 {
    let (mut batches, mut batch) = (1.0_f64, FIRST_BATCH_ROWS.min(most));
    let mut left = outer_rows - batch as f64;
    while left > 0.0 && batch < most {
        batch = (batch * BATCH_GROWTH).min(most);
        left -= batch as f64;
        batches += 1.0;
    }
    batches + (left.max(0.0) / most.max(1) as f64).ceil()
}

/// How often all inner rows are read for this number of outer rows.
pub fn passes(outer_rows: f64) -> f64 {
    batches(outer_rows, SCANNED_BATCH_ROWS).min(outer_rows)
}

/// How much of several ranges is read at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FanOutBounds {
    /// Scanners that are open. With more ranges, every page is a short scan of its own, which begins where the one before
    /// ended.
    pub scanners: usize,
    /// Rows of a page.
    pub page_rows: usize,
    /// Rows that the first pages of all ranges have together: with many ranges their pages are short.
    pub first_rows: usize,
    /// Bytes that are read ahead of what the merge needs.
    pub ahead_bytes: u64,
    /// Calls at the same time.
    pub calls: usize,
    /// Calls at the same time to one server, where servers are known.
    pub calls_per_server: usize,
}

impl Default for FanOutBounds {
    fn default() -> Self {
        Self {
            scanners: 64,
            page_rows: 512,
            first_rows: 32_768,
            ahead_bytes: 32 << 20,
            calls: 16,
            calls_per_server: 4,
        }
    }
}

impl FanOutBounds {
    /// Rows of a page of each range, when `limit` rows are required of all ranges together.
    pub fn page_rows_of(&self, ranges: usize, limit: Option<u64>) -> usize {
        let ranges = ranges.max(1);
        let fitting = (self.first_rows / ranges).max(LEAST_PAGE_ROWS);
        let rows = self.page_rows.min(fitting);
        limit.map_or(rows, |limit| rows.min(share_of_limit(limit, ranges))).max(1)
    }
}

/// Pages shorter than this cost more calls than they save memory.
const LEAST_PAGE_ROWS: usize = 8;

/// The rows of a limit that come from one range when all are alike: hardly ever more than the mean and twice the standard
/// deviation of a Poisson distribution, and never more than all.
fn share_of_limit(limit: u64, ranges: usize) -> usize {
    let mean = limit as f64 / ranges as f64;
    let most = ((mean + 2.0 * mean.sqrt()) as u64).saturating_add(1);
    usize::try_from(most.min(limit)).unwrap_or(usize::MAX)
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

    #[test]
    fn batches_grow_up_to_the_largest() {
        assert_eq!([20.0, 33.0, 673.0].map(|rows| batches(rows, 512)), [1.0, 2.0, 4.0]);
        assert_eq!(batches(50.0, 20), 3.0);
    }

    #[test]
    fn a_limit_makes_pages_short() {
        let rows = |ranges, limit| FanOutBounds::default().page_rows_of(ranges, limit);
        assert_eq!(rows(16, None), 512);
        assert_eq!(rows(16, Some(100)), 12, "6 rows on average, and some more");
        assert_eq!(rows(16, Some(1)), 1);
        assert_eq!(rows(16, Some(0)), 1);
        assert_eq!(rows(16, Some(1_000_000)), 512);
        assert_eq!(rows(1, Some(100)), 100, "a single range gives all");
        assert_eq!(rows(0, Some(u64::MAX)), 512);
        assert_eq!((rows(64, None), rows(1_000, None), rows(10_000, None)), (512, 32, 8));
    }
}
