//! Scans that make no sense are refused before they run.

use hbase_types::Scan;

use crate::StoreError;
use crate::filter::eval::FilterRun;

/// Whether a scan makes sense at all: its bounds, and its filter together with its batch.
pub fn check_scan(scan: &Scan) -> Result<(), StoreError> {
    scan.check()?;
    if scan.batch.is_some()
        && let Some(filter) = &scan.read.filter
        && FilterRun::new(filter, scan.reversed)?.has_filter_row()
    {
        return Err(StoreError::IncompatibleFilter(
            "a filter that decides on whole rows does not go with a batch, which takes rows apart".to_owned(),
        ));
    }
    Ok(())
}
