//! Limits on what a Parquet file unpacks to: one page, and all open pages together.
//!
//! Writers end a page at about 1 MiB, but some write a whole column of a row group as one page (up to 500 MiB), and a
//! wide file has a page open for every column. So both limits are generous and grow with the file up to a cap: a large
//! file may take memory in proportion to its size, a small file that unpacks to gigabytes may not.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::errors::ParquetError;

use crate::size_text::size_text;

/// What any file may unpack to, and no file may exceed: one page …
const PAGE_BYTES: (u64, u64) = (64 << 20, 512 << 20);
/// … and all open pages together.
const OPEN_BYTES: (u64, u64) = (256 << 20, 2 << 30);
/// Between these bounds, a file may unpack to so many times its own size.
const TIMES_THE_FILE: u64 = 8;

/// A Parquet file that would unpack to more than the limits allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParquetLimit {
    /// One page is too large.
    #[error(
        "a page of column {column:?} has {} uncompressed, more than the limit of {}: write the file again with pages of about 1 MiB",
        size_text(*.bytes), size_text(*.limit_bytes)
    )]
    Page {
        /// The column.
        column: String,
        /// The size of the page, uncompressed.
        bytes: u64,
        /// The largest page that is read.
        limit_bytes: u64,
    },
    /// All open pages together are too large.
    #[error(
        "column {column:?} would bring the memory for open pages of all columns to {}, more than the limit of {}: write the \
         file again with smaller pages, or with fewer columns a file",
        size_text(*.bytes), size_text(*.limit_bytes)
    )]
    Open {
        /// The column whose page was to be opened.
        column: String,
        /// What all open pages would take.
        bytes: u64,
        /// The most that open pages may take.
        limit_bytes: u64,
    },
}

impl From<ParquetLimit> for ParquetError {
    fn from(limit: ParquetLimit) -> Self {
        Self::External(Box::new(limit))
    }
}

/// What the open pages of one file take, and how much they may.
#[derive(Debug)]
pub(super) struct Budget {
    page_bytes_max: u64,
    open_bytes_max: u64,
    open_bytes: AtomicU64,
}

/// A share of the budget, returned when it is dropped.
#[derive(Debug)]
pub(super) struct Charge {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Budget {
    /// The budget of a file of this size.
    pub fn of_file(file_bytes: u64) -> Arc<Self> {
        let bound = |(least, most): (u64, u64)| file_bytes.saturating_mul(TIMES_THE_FILE).clamp(least, most);
        Arc::new(Self {
            page_bytes_max: bound(PAGE_BYTES),
            open_bytes_max: bound(OPEN_BYTES),
            open_bytes: AtomicU64::new(0),
        })
    }

    /// Refuses a page of this size.
    pub fn check_page(&self, column: &str, bytes: u64) -> Result<(), ParquetLimit> {
        if bytes <= self.page_bytes_max {
            return Ok(());
        }
        Err(ParquetLimit::Page { column: column.to_owned(), bytes, limit_bytes: self.page_bytes_max })
    }

    /// Takes a share that can grow.
    pub fn charge(self: &Arc<Self>) -> Charge {
        Charge { budget: Arc::clone(self), bytes: 0 }
    }
}

impl Charge {
    /// Makes the share this large if it is smaller; refuses when that is more than is left.
    pub fn grow_to(&mut self, column: &str, bytes: u64) -> Result<(), ParquetLimit> {
        let more = bytes.saturating_sub(self.bytes);
        let open = self.budget.open_bytes.load(Ordering::Relaxed).saturating_add(more);
        if open > self.budget.open_bytes_max {
            let (column, limit_bytes) = (column.to_owned(), self.budget.open_bytes_max);
            return Err(ParquetLimit::Open { column, bytes: open, limit_bytes });
        }
        self.budget.open_bytes.fetch_add(more, Ordering::Relaxed);
        self.bytes += more;
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.open_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_grow_with_the_file_up_to_a_cap() {
        let limits = |file_bytes| {
            let budget = Budget::of_file(file_bytes);
            (budget.page_bytes_max >> 20, budget.open_bytes_max >> 20)
        };
        assert_eq!(limits(0), (64, 256));
        assert_eq!(limits(3 << 20), (64, 256));
        assert_eq!(limits(50 << 20), (400, 400));
        assert_eq!(limits(200 << 20), (512, 1_600));
        assert_eq!(limits(u64::MAX), (512, 2_048));
    }

    #[test]
    fn what_is_dropped_can_be_taken_again() {
        let budget = Budget::of_file(0);
        let (mut one, mut other) = (budget.charge(), budget.charge());
        one.grow_to("a", 200 << 20).unwrap();
        one.grow_to("a", 100 << 20).unwrap();
        let refused = other.grow_to("b", 100 << 20).unwrap_err();
        assert_eq!(
            refused,
            ParquetLimit::Open { column: "b".to_owned(), bytes: 300 << 20, limit_bytes: 256 << 20 }
        );
        drop(one);
        other.grow_to("b", 100 << 20).unwrap();
        drop(other);
        assert_eq!(budget.open_bytes.load(Ordering::Relaxed), 0);
    }
}
