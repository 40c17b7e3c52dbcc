//! The bare names that stand for something: HBase's shell constants, and Java constants as people paste them.

use tablesmith_model::nearest::nearest;

use crate::error::ShellError;
use crate::language::Value;

/// Names that stand for themselves as text: `VERSIONS` means `'VERSIONS'`.
const CONSTANTS: &[&str] = &[
    "ALLOW_PARTIAL_RESULTS",
    "ALL_METRICS",
    "ATTRIBUTES",
    "AUTHORIZATIONS",
    "BATCH",
    "BLOCKCACHE",
    "BLOCKSIZE",
    "BLOOMFILTER",
    "CACHE",
    "CACHE_BLOCKS",
    "CACHE_BLOOMS_ON_WRITE",
    "CACHE_DATA_ON_WRITE",
    "CACHE_INDEX_ON_WRITE",
    "CLASSNAME",
    "COLUMN",
    "COLUMNS",
    "COMPACTION_ENABLED",
    "COMPRESSION",
    "COMPRESSION_COMPACT",
    "COMPRESSION_COMPACT_MAJOR",
    "COMPRESSION_COMPACT_MINOR",
    "COMPRESS_TAGS",
    "CONFIGURATION",
    "CONSISTENCY",
    "DATA_BLOCK_ENCODING",
    "DFS_REPLICATION",
    "DURABILITY",
    "ENCRYPTION",
    "ENCRYPTION_KEY",
    "ERASURE_CODING_POLICY",
    "EVICT_BLOCKS_ON_CLOSE",
    "FILTER",
    "FLUSH_POLICY",
    "FOREVER",
    "FORMATTER",
    "FORMATTER_CLASS",
    "INCLUDE_STARTROW",
    "INCLUDE_STOPROW",
    "INDEX_BLOCK_ENCODING",
    "INTERVAL",
    "IN_MEMORY",
    "IN_MEMORY_COMPACTION",
    "ISOLATION_LEVEL",
    "IS_MOB",
    "KEEP_DELETED_CELLS",
    "LIMIT",
    "LOCALITY_THRESHOLD",
    "MAXLENGTH",
    "MAX_FILESIZE",
    "MAX_RESULTS_PER_COLUMN_FAMILY",
    "MAX_RESULT_SIZE",
    "MEMSTORE_FLUSHSIZE",
    "MERGE_ENABLED",
    "METADATA",
    "METHOD",
    "METRICS",
    "MIN_VERSIONS",
    "MOB_COMPACT_PARTITION_POLICY",
    "MOB_THRESHOLD",
    "NAME",
    "NAMESPACE",
    "NEW_VERSION_BEHAVIOR",
    "NONE",
    "NORMALIZATION_ENABLED",
    "NORMALIZER_TARGET_REGION_COUNT",
    "NORMALIZER_TARGET_REGION_SIZE",
    "NORMALIZER_TARGET_REGION_SIZE_MB",
    "NUMREGIONS",
    "OWNER",
    "PREFETCH_BLOCKS_ON_OPEN",
    "PRIORITY",
    "RAW",
    "READONLY",
    "READ_TYPE",
    "REGEX",
    "REGION_MEMSTORE_REPLICATION",
    "REGION_REPLICATION",
    "REGION_REPLICA_ID",
    "REOPEN_REGIONS",
    "REPLICATION_SCOPE",
    "REVERSED",
    "ROWPREFIXFILTER",
    "ROW_OFFSET_PER_COLUMN_FAMILY",
    "SERVER_NAME",
    "SPLITALGO",
    "SPLITS",
    "SPLITS_FILE",
    "SPLIT_ENABLED",
    "SPLIT_POLICY",
    "STARTROW",
    "STOPROW",
    "STORAGE_POLICY",
    "TABLE",
    "TABLE_NAME",
    "TIMERANGE",
    "TIMESTAMP",
    "TTL",
    "TYPE",
    "VALUE",
    "VERSIONS",
    "VISIBILITY",
];

/// Names that stand for another one.
const ALIASES: &[(&str, &str)] = &[("ENDKEY", "STOPROW"), ("ENDROW", "STOPROW"), ("STARTKEY", "STARTROW")];

/// Java constants that are numbers, by the end of their name.
const NUMBERS: &[(&str, i128)] = &[
    ("HConstants::FOREVER", i32::MAX as i128),
    ("HConstants::LATEST_TIMESTAMP", i64::MAX as i128),
    ("HConstants::OLDEST_TIMESTAMP", 0),
    ("HConstants::ALL_VERSIONS", i32::MAX as i128),
    ("Integer::MAX_VALUE", i32::MAX as i128),
    ("Long::MAX_VALUE", i64::MAX as i128),
    ("Long::MIN_VALUE", i64::MIN as i128),
];

/// All constants, for completion.
pub fn constants() -> impl Iterator<Item = &'static str> {
    CONSTANTS.iter().copied().chain(ALIASES.iter().map(|(alias, _)| *alias))
}

/// Replaces the bare names in a value by what they stand for. `options` are those of the command: of two names that
/// are equally near to an unknown one, the command's own is suggested.
pub fn resolve(value: Value, options: &[&str]) -> Result<Value, ShellError> {
    let all = |values: Vec<Value>| -> Result<Vec<Value>, ShellError> {
        values.into_iter().map(|value| resolve(value, options)).collect()
    };
    Ok(match value {
        Value::Name(name) => constant(&name, options)?,
        Value::Array(values) => Value::Array(all(values)?),
        Value::New { class, arguments } => Value::New { class, arguments: all(arguments)? },
        Value::Hash(pairs) => Value::Hash(
            pairs
                .into_iter()
                .map(|(key, value)| Ok((resolve(key, options)?, resolve(value, options)?)))
                .collect::<Result<_, ShellError>>()?,
        ),
        plain => plain,
    })
}

fn constant(name: &str, options: &[&str]) -> Result<Value, ShellError> {
    if let Some((_, number)) = NUMBERS.iter().find(|(ending, _)| name.ends_with(ending)) {
        return Ok(Value::Int(*number));
    }
    // Constants and enumerations of Java classes are known by their last part.
    let last = name.rsplit("::").next().unwrap_or(name);
    if let Some((_, meaning)) = ALIASES.iter().find(|(alias, _)| *alias == last) {
        return Ok(Value::text(*meaning));
    }
    if CONSTANTS.contains(&last) || last.len() < name.len() {
        return Ok(Value::text(last.to_owned()));
    }
    if name.starts_with(|first: char| first.is_ascii_uppercase()) {
        let hint = nearest(name, options.iter().copied()).or_else(|| nearest(name, constants()));
        let hint = hint.map_or_else(String::new, |near| format!(": did you mean '{near}'?"));
        return Err(ShellError::Name(format!("unknown constant '{name}'{hint}")));
    }
    let upper = name.to_ascii_uppercase();
    let hint = match constants().find(|constant| *constant == upper) {
        Some(constant) => format!("did you mean '{constant}'?"),
        None => "put quotes around a name or a text".to_owned(),
    };
    Err(ShellError::Name(format!("'{name}' means nothing here: {hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(name: &str) -> Result<Value, ShellError> {
        resolve(Value::Name(name.to_owned()), &["VERSIONS"])
    }

    #[test]
    fn constants_mean_themselves_or_another() {
        assert_eq!(meaning("VERSIONS").unwrap(), Value::text("VERSIONS"));
        assert_eq!(meaning("ENDROW").unwrap(), Value::text("STOPROW"));
        assert_eq!(
            meaning("org.apache.hadoop.hbase.HConstants::FOREVER").unwrap(),
            Value::Int(2_147_483_647)
        );
        assert_eq!(meaning("org.apache.hadoop.hbase.HColumnDescriptor::TTL").unwrap(), Value::text("TTL"));
        assert_eq!(meaning("BloomType::ROWCOL").unwrap(), Value::text("ROWCOL"));
    }

    #[test]
    fn unknown_names_get_a_hint() {
        let error = meaning("VERSION").unwrap_err();
        assert_eq!(
            (error.exception(), error.to_string().as_str()),
            ("NameError", "unknown constant 'VERSION': did you mean 'VERSIONS'?")
        );
        assert!(meaning("row1").unwrap_err().to_string().contains("quotes"));
        assert!(meaning("limit").unwrap_err().to_string().contains("'LIMIT'"));
    }

    #[test]
    fn constants_are_sorted() {
        assert!(CONSTANTS.is_sorted());
    }
}
