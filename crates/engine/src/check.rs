//! What a table's description must be like. The limits are HBase's.

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::{FamilyDescriptor, TableDescriptor};
use tablesmith_store::StoreError;

const MIN_BLOCK_BYTES: u32 = 1 << 10;
const MAX_BLOCK_BYTES: u32 = 16 << 20;

/// Refuses a table that HBase would refuse.
pub(crate) fn check_table(table: &TableDescriptor) -> Result<(), StoreError> {
    if table.families.is_empty() {
        return Err(StoreError::DoNotRetry(format!("table {} needs at least one column family", table.name)));
    }
    table.families.iter().try_for_each(check_family)
}

fn check_family(family: &FamilyDescriptor) -> Result<(), StoreError> {
    family.check_name()?;
    let name = to_text(&family.name);
    if !(MIN_BLOCK_BYTES..=MAX_BLOCK_BYTES).contains(&family.block_size_bytes) {
        return Err(StoreError::DoNotRetry(format!(
            "BLOCKSIZE of family {name} is {}: it must be between 1 KB and 16 MB",
            family.block_size_bytes
        )));
    }
    if family.versions == 0 || family.ttl_s <= 0 {
        return Err(StoreError::DoNotRetry(format!("VERSIONS and TTL of family {name} must be positive")));
    }
    if family.min_versions > family.versions {
        return Err(StoreError::DoNotRetry(format!(
            "MIN_VERSIONS of family {name} ({}) is greater than its VERSIONS ({})",
            family.min_versions, family.versions
        )));
    }
    Ok(())
}

/// Split keys in order, without empty ones and without doubles.
pub(crate) fn sorted_splits(mut splits: Vec<Bytes>) -> Result<Vec<Bytes>, StoreError> {
    splits.sort();
    if splits.first().is_some_and(Bytes::is_empty) {
        return Err(StoreError::IllegalArgument("an empty key cannot be a split point".to_owned()));
    }
    if let Some([twice, _]) = splits.windows(2).find(|pair| matches!(pair, [a, b] if a == b)) {
        return Err(StoreError::IllegalArgument(format!("split point {} is given twice", to_text(twice))));
    }
    Ok(splits)
}
