//! What `create` and `alter` have in common: the settings of families and tables.

use std::collections::BTreeMap;

use tablesmith_model::{Durability, FamilyDescriptor, SettingError, TableDescriptor};
use tablesmith_store::StoreError;

use crate::arguments::{Options, convert};
use crate::error::ShellError;
use crate::language::Value;

/// Settings of a family that every store here knows.
const FAMILY_SETTINGS: &[&str] = &[
    "BLOCKCACHE",
    "BLOCKSIZE",
    "BLOOMFILTER",
    "COMPRESSION",
    "DATA_BLOCK_ENCODING",
    "IN_MEMORY",
    "KEEP_DELETED_CELLS",
    "MIN_VERSIONS",
    "REPLICATION_SCOPE",
    "TTL",
    "VERSIONS",
];

/// Settings of a family that are kept and shown, for the store that knows them.
const OTHER_FAMILY_SETTINGS: &[&str] = &[
    "CACHE_BLOOMS_ON_WRITE",
    "CACHE_DATA_ON_WRITE",
    "CACHE_INDEX_ON_WRITE",
    "COMPRESSION_COMPACT",
    "COMPRESSION_COMPACT_MAJOR",
    "COMPRESSION_COMPACT_MINOR",
    "COMPRESS_TAGS",
    "DFS_REPLICATION",
    "ENCRYPTION",
    "EVICT_BLOCKS_ON_CLOSE",
    "INDEX_BLOCK_ENCODING",
    "IN_MEMORY_COMPACTION",
    "IS_MOB",
    "MOB_COMPACT_PARTITION_POLICY",
    "MOB_THRESHOLD",
    "NEW_VERSION_BEHAVIOR",
    "PREFETCH_BLOCKS_ON_OPEN",
    "STORAGE_POLICY",
];

/// Attributes of a table that are true or false.
const TABLE_FLAGS: &[&str] = &[
    "COMPACTION_ENABLED",
    "MERGE_ENABLED",
    "NORMALIZATION_ENABLED",
    "READONLY",
    "REGION_MEMSTORE_REPLICATION",
    "SPLIT_ENABLED",
];

/// Attributes of a table that are sizes: bytes, or words such as `'10 GB'`.
const TABLE_SIZES: &[&str] = &["MAX_FILESIZE", "MEMSTORE_FLUSHSIZE"];

/// Attributes of a table that are kept as they are.
const TABLE_TEXTS: &[&str] = &[
    "ERASURE_CODING_POLICY",
    "FLUSH_POLICY",
    "NORMALIZER_TARGET_REGION_COUNT",
    "NORMALIZER_TARGET_REGION_SIZE",
    "NORMALIZER_TARGET_REGION_SIZE_MB",
    "OWNER",
    "PRIORITY",
    "REGION_REPLICATION",
    "SPLIT_POLICY",
];

/// A family as its options describe it, changed from what it is among `families` or new, with notes on options that are
/// not known.
pub fn family(
    mut options: Options,
    families: &[FamilyDescriptor],
) -> Result<(FamilyDescriptor, Vec<String>), ShellError> {
    let name =
        options.take("NAME").ok_or_else(|| ShellError::Argument("a family must have a NAME".to_owned()))?;
    let name = convert::bytes(&name, "NAME")?;
    let known = families.iter().find(|family| family.name == name);
    let mut family = known.cloned().unwrap_or_else(|| FamilyDescriptor::new(name));
    family.check_name()?;
    for setting in FAMILY_SETTINGS {
        if let Some(value) = options.take(setting) {
            family.set(setting, &setting_text(setting, &value)?).map_err(refused_setting)?;
        }
    }
    for setting in OTHER_FAMILY_SETTINGS {
        if let Some(value) = options.take(setting) {
            family.attributes.insert((*setting).to_owned(), convert::text(&value, setting)?);
        }
    }
    take_entries(&mut options, &mut family.attributes)?;
    let name = String::from_utf8_lossy(&family.name);
    let notes = options
        .rest()
        .iter()
        .map(|(key, _)| format!("Unknown argument ignored for column family {name}: {key}"))
        .collect();
    Ok((family, notes))
}

/// Takes the attributes of a table out of the options.
pub fn take_table_attributes(options: &mut Options, table: &mut TableDescriptor) -> Result<(), ShellError> {
    for key in TABLE_FLAGS {
        if let Some(value) = options.take(key) {
            table.attributes.insert((*key).to_owned(), truth(&value).to_owned());
        }
    }
    for key in TABLE_SIZES {
        if let Some(value) = options.take(key) {
            let text = convert::text(&value, key)?;
            let bytes = size_bytes(&text).ok_or_else(|| {
                ShellError::illegal(format!("{key} is a number of bytes or '10 GB', not '{text}'"))
            })?;
            table.attributes.insert((*key).to_owned(), bytes.to_string());
        }
    }
    for key in TABLE_TEXTS {
        if let Some(value) = options.take(key) {
            table.attributes.insert((*key).to_owned(), convert::text(&value, key)?);
        }
    }
    if let Some(name) = options.text("DURABILITY")? {
        let durability = Durability::from_name(&name)
            .ok_or_else(|| ShellError::illegal(format!("there is no DURABILITY '{name}'")))?;
        table.attributes.insert("DURABILITY".to_owned(), durability.name().to_owned());
    }
    take_entries(options, &mut table.attributes)
}

/// Takes `METADATA` and `CONFIGURATION` out; an entry that is `nil` is removed.
fn take_entries(options: &mut Options, attributes: &mut BTreeMap<String, String>) -> Result<(), ShellError> {
    for title in ["METADATA", "CONFIGURATION"] {
        let Some(entries) = options.take(title) else { continue };
        for (key, value) in convert::hash(entries, title)? {
            match value {
                Value::Nil => attributes.remove(&key.to_text()),
                value => attributes.insert(key.to_text(), value.to_text()),
            };
        }
    }
    Ok(())
}

fn setting_text(setting: &str, value: &Value) -> Result<String, ShellError> {
    Ok(match setting {
        "BLOCKCACHE" | "IN_MEMORY" => truth(value).to_owned(),
        "BLOCKSIZE" => {
            let text = convert::text(value, setting)?;
            size_bytes(&text).map_or(text, |bytes| bytes.to_string())
        }
        _ => convert::text(value, setting)?,
    })
}

/// What is not true, be it a word, is false.
fn truth(value: &Value) -> &'static str {
    if value.to_text().eq_ignore_ascii_case("true") { "true" } else { "false" }
}

/// A size in bytes: a number, or counts of TB, GB, MB, KB and B.
fn size_bytes(text: &str) -> Option<i64> {
    if let Ok(bytes) = text.trim().parse() {
        return Some(bytes);
    }
    let mut rest = text.trim();
    let mut total: i64 = 0;
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit())?;
        let (count, after) = rest.split_at_checked(digits)?;
        let after = after.trim_start();
        let letters = after.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(letters)?;
        let unit_bytes: i64 = match unit.to_ascii_uppercase().as_str() {
            "T" | "TB" => 1 << 40,
            "G" | "GB" => 1 << 30,
            "M" | "MB" => 1 << 20,
            "K" | "KB" => 1 << 10,
            "B" => 1,
            _ => return None,
        };
        total = count.parse::<i64>().ok()?.checked_mul(unit_bytes)?.checked_add(total)?;
        rest = after.trim_start();
    }
    (!text.trim().is_empty()).then_some(total)
}

/// Who refuses a setting differs: the shell itself, HBase's client, or the master.
fn refused_setting(error: SettingError) -> ShellError {
    let SettingError::BadValue { setting, value, .. } = &error else {
        return ShellError::Argument(error.to_string());
    };
    match *setting {
        "BLOOMFILTER" | "COMPRESSION" => ShellError::Argument(error.to_string()),
        "TTL" | "BLOCKSIZE" => StoreError::DoNotRetry(error.to_string()).into(),
        "VERSIONS" | "MIN_VERSIONS" | "REPLICATION_SCOPE" if value.trim().parse::<i64>().is_err() => {
            ShellError::Client { exception: "NumberFormatException", message: error.to_string() }
        }
        "MIN_VERSIONS" | "REPLICATION_SCOPE" => StoreError::DoNotRetry(error.to_string()).into(),
        _ => ShellError::illegal(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(key: &'static str, value: Value) -> Result<FamilyDescriptor, ShellError> {
        let options = Options::new(vec![(Value::text("NAME"), Value::text("f")), (Value::text(key), value)]);
        family(options, &[FamilyDescriptor::new("f").with_versions(3)]).map(|(family, _)| family)
    }

    #[test]
    fn a_family_keeps_what_is_not_said() {
        let family = change("TTL", Value::text("1 DAY")).unwrap();
        assert_eq!((family.versions, family.ttl_s), (3, 86_400));
        assert_eq!(change("BLOCKSIZE", Value::text("128 KB")).unwrap().block_size_bytes, 131_072);
        assert!(!change("BLOCKCACHE", Value::text("x")).unwrap().block_cache);
        assert_eq!(change("IS_MOB", Value::Bool(true)).unwrap().attributes["IS_MOB"], "true");
    }

    #[test]
    fn each_setting_is_refused_under_its_own_name() {
        for (key, value, exception) in [
            ("VERSIONS", Value::Int(0), "IllegalArgumentException"),
            ("VERSIONS", Value::text("abc"), "NumberFormatException"),
            ("MIN_VERSIONS", Value::Int(-1), "DoNotRetryIOException"),
            ("TTL", Value::text("soon"), "DoNotRetryIOException"),
            ("BLOOMFILTER", Value::text("x"), "ArgumentError"),
            ("COMPRESSION", Value::text("x"), "ArgumentError"),
            ("KEEP_DELETED_CELLS", Value::text("x"), "IllegalArgumentException"),
            ("DATA_BLOCK_ENCODING", Value::text("x"), "IllegalArgumentException"),
            ("BLOCKSIZE", Value::text("x"), "DoNotRetryIOException"),
            ("CONFIGURATION", Value::text("x"), "ArgumentError"),
        ] {
            assert_eq!(change(key, value).unwrap_err().exception(), exception, "{key}");
        }
    }

    #[test]
    fn sizes_in_words() {
        assert_eq!(size_bytes("10 GB 25 MB"), Some(10_763_632_640));
        assert_eq!(size_bytes("1kb1b"), Some(1_025));
        assert_eq!(size_bytes("134217728"), Some(134_217_728));
        for wrong in ["", "x", "10 parsecs", "5 GB x", "99999999999999999999 TB", "9999999999 TB"] {
            assert_eq!(size_bytes(wrong), None, "{wrong}");
        }
    }
}
