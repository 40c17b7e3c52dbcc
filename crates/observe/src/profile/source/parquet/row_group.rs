//! A row group whose pages are read within limits, and how many of its rows are read at a time.

use std::fs::File;
use std::sync::Arc;

use parquet::bloom_filter::Sbbf;
use parquet::column::page::PageReader;
use parquet::errors::Result;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::RowGroupReader;
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;

use super::limits::Budget;
use super::pages::ColumnPages;

/// Rows that are read at a time, when they are of usual size.
const BATCH_ROWS: u64 = 1_024;
/// What the rows of a batch have in bytes …
const BATCH_BYTES: u64 = 16 << 20;
/// … and in values of one column.
const BATCH_VALUES: u64 = 1 << 20;

/// A row group of a file.
pub(super) struct RowGroup<'m> {
    pub file: Arc<File>,
    pub metadata: &'m RowGroupMetaData,
    pub budget: Arc<Budget>,
    pub batch_rows: usize,
}

/// How many rows are read at a time: all pages that values of a batch lie in are open at once, so that there are fewer
/// rows a batch the larger they are.
pub(super) fn batch_rows(group: &RowGroupMetaData) -> usize {
    let rows = unsigned(group.num_rows()).max(1);
    let row_bytes = unsigned(group.total_byte_size()) / rows;
    let row_values =
        group.columns().iter().map(|chunk| unsigned(chunk.num_values()) / rows).max().unwrap_or(0);
    let batch = (BATCH_BYTES / row_bytes.max(1)).min(BATCH_VALUES / row_values.max(1));
    usize::try_from(batch.clamp(1, BATCH_ROWS)).unwrap_or(1)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

impl RowGroupReader for RowGroup<'_> {
    fn metadata(&self) -> &RowGroupMetaData {
        self.metadata
    }

    fn num_columns(&self) -> usize {
        self.metadata.num_columns()
    }

    fn get_column_page_reader(&self, column: usize) -> Result<Box<dyn PageReader>> {
        let chunk = self.metadata.column(column);
        Ok(Box::new(ColumnPages::new(&self.file, chunk, &self.budget, self.batch_rows)?))
    }

    fn get_column_bloom_filter(&self, _: usize) -> Option<&Sbbf> {
        None
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_row_group(projection, self)
    }
}
