//! What `create` and `alter` refuse before they touch anything.

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::{FamilyDescriptor, TableDescriptor};

use crate::StoreError;

const MIN_BLOCK_SIZE_BYTES: u32 = 1024;
const MAX_BLOCK_SIZE_BYTES: u32 = 16 * 1024 * 1024;
const MIN_MAX_FILE_SIZE_BYTES: i64 = 2 * 1024 * 1024;
const MIN_FLUSH_SIZE_BYTES: i64 = 1024 * 1024;
/// Local and global.
const REPLICATION_SCOPES: std::ops::RangeInclusive<i32> = 0..=1;

/// Checks what a client of HBase would check itself.
pub fn check_names_and_versions(table: &TableDescriptor) -> Result<(), StoreError> {
    for family in &table.families {
        family.check_name()?;
        if family.versions == 0 {
            return Err(StoreError::IllegalArgument(format!(
                "family {} must keep at least one version",
                to_text(&family.name)
            )));
        }
    }
    Ok(())
}

/// Checks what HBase's master checks, unless the table asks it not to.
pub fn check_settings(table: &TableDescriptor) -> Result<(), StoreError> {
    if !table.flag_attribute("hbase.table.sanity.checks", true) {
        return check_has_family(table);
    }
    check_size(table, "MAX_FILESIZE", MIN_MAX_FILE_SIZE_BYTES)?;
    check_size(table, "MEMSTORE_FLUSHSIZE", MIN_FLUSH_SIZE_BYTES)?;
    check_has_family(table)?;
    if table.number_attribute("REGION_REPLICATION").is_some_and(|replicas| replicas < 1) {
        return Err(refusal("REGION_REPLICATION must be at least 1".to_owned()));
    }
    table.families.iter().try_for_each(check_family_settings)
}

fn check_has_family(table: &TableDescriptor) -> Result<(), StoreError> {
    if table.families.is_empty() {
        return Err(refusal(format!("table {} needs at least one column family", table.name)));
    }
    Ok(())
}

fn check_size(table: &TableDescriptor, attribute: &str, least: i64) -> Result<(), StoreError> {
    match table.number_attribute(attribute) {
        Some(bytes) if bytes < least => {
            Err(refusal(format!("{attribute} must be at least {least}, {bytes} is too small")))
        }
        _ => Ok(()),
    }
}

fn check_family_settings(family: &FamilyDescriptor) -> Result<(), StoreError> {
    let name = to_text(&family.name);
    if !REPLICATION_SCOPES.contains(&family.replication_scope) {
        return Err(refusal(format!("REPLICATION_SCOPE of family {name} must be 0 or 1")));
    }
    if family.attributes.get("NEW_VERSION_BEHAVIOR").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return Err(refusal(format!("NEW_VERSION_BEHAVIOR of family {name} is not supported: leave it out")));
    }
    if family.ttl_s <= 0 {
        return Err(refusal(format!("TTL of family {name} must be positive")));
    }
    if !(MIN_BLOCK_SIZE_BYTES..=MAX_BLOCK_SIZE_BYTES).contains(&family.block_size_bytes) {
        return Err(refusal(format!(
            "BLOCKSIZE of family {name} must be from {MIN_BLOCK_SIZE_BYTES} to {MAX_BLOCK_SIZE_BYTES}"
        )));
    }
    if family.min_versions > family.versions {
        return Err(refusal(format!("MIN_VERSIONS of family {name} must not be more than its VERSIONS")));
    }
    Ok(())
}

fn refusal(message: String) -> StoreError {
    StoreError::DoNotRetry(message)
}

/// Brings split keys into order.
pub fn ordered_splits(mut splits: Vec<Bytes>) -> Result<Vec<Bytes>, StoreError> {
    splits.sort();
    if splits.iter().any(Bytes::is_empty) {
        return Err(StoreError::IllegalArgument("a split key must not be empty".to_owned()));
    }
    match splits.iter().zip(splits.iter().skip(1)).find(|(a, b)| a == b) {
        Some((twice, _)) => {
            Err(StoreError::IllegalArgument(format!("split key {} is given twice", to_text(twice))))
        }
        None => Ok(splits),
    }
}
