//! A column family and its settings, under the names that HBase's shell gives them.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;

use crate::name::{NameError, check_family};

/// The TTL that means "keep for ever", in seconds.
pub const TTL_FOREVER_S: i64 = i32::MAX as i64;

/// A column family: what it keeps and how its files are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyDescriptor {
    /// The name; see [`check_family`].
    pub name: Bytes,
    /// `VERSIONS`: how many versions of a column are kept.
    pub versions: u32,
    /// `MIN_VERSIONS`: how many of them survive the TTL.
    pub min_versions: u32,
    /// `TTL` in seconds; [`TTL_FOREVER_S`] for none.
    pub ttl_s: i64,
    /// `KEEP_DELETED_CELLS`.
    pub keep_deleted_cells: KeepDeletedCells,
    /// `BLOOMFILTER`.
    pub bloom_filter: BloomFilter,
    /// `BLOCKSIZE` in bytes.
    pub block_size_bytes: u32,
    /// `COMPRESSION`.
    pub compression: Compression,
    /// `DATA_BLOCK_ENCODING`.
    pub data_block_encoding: DataBlockEncoding,
    /// `IN_MEMORY`: keep this family's blocks in the cache before others.
    pub in_memory: bool,
    /// `BLOCKCACHE`: whether reads fill the cache at all.
    pub block_cache: bool,
    /// `REPLICATION_SCOPE`; kept and printed, without effect in the embedded store.
    pub replication_scope: i32,
    /// `METADATA` and `CONFIGURATION` entries, kept as they are.
    pub attributes: BTreeMap<String, String>,
}

/// Why a setting is refused. The sentence says what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The value is not one of those the setting takes.
    #[error("{setting} does not take {value:?}: {expected}")]
    BadValue {
        /// The setting's name.
        setting: &'static str,
        /// What was given.
        value: String,
        /// What is expected.
        expected: String,
    },
    /// No such setting.
    #[error("unknown setting {0:?}")]
    Unknown(String),
}

macro_rules! named_enum {
    ($(#[$doc:meta])* $name:ident: $default:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// All values, in HBase's order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// HBase's name of the value.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The value of a name, in any case.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name().eq_ignore_ascii_case(name))
            }

            fn names() -> String {
                let names: Vec<_> = Self::ALL.iter().map(|value| value.name()).collect();
                format!("one of {}", names.join(", "))
            }
        }

        impl Default for $name {
            fn default() -> Self { Self::$default }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.name()) }
        }
    };
}

named_enum! {
    /// Whether deleted cells stay readable by time range and raw scan.
    KeepDeletedCells: False {
        /// They go at the next compaction.
        False = "FALSE",
        /// They stay, within VERSIONS.
        True = "TRUE",
        /// They stay until the TTL ends.
        Ttl = "TTL",
    }
}

named_enum! {
    /// What the Bloom filter of a file holds.
    BloomFilter: Row {
        /// No filter.
        None = "NONE",
        /// Row keys.
        Row = "ROW",
        /// Row keys with qualifiers.
        RowCol = "ROWCOL",
    }
}

named_enum! {
    /// The codec of a block.
    Compression: None {
        /// LZO.
        Lzo = "LZO",
        /// Gzip.
        Gz = "GZ",
        /// Not compressed.
        None = "NONE",
        /// Snappy.
        Snappy = "SNAPPY",
        /// LZ4.
        Lz4 = "LZ4",
        /// Bzip2.
        Bzip2 = "BZIP2",
        /// Zstandard.
        Zstd = "ZSTD",
        /// LZMA.
        Lzma = "LZMA",
        /// Brotli.
        Brotli = "BROTLI",
    }
}

named_enum! {
    /// How keys inside a block are written.
    DataBlockEncoding: None {
        /// In full.
        None = "NONE",
        /// Shared prefixes left out.
        Prefix = "PREFIX",
        /// Differences to the key before.
        Diff = "DIFF",
        /// The same, faster.
        FastDiff = "FAST_DIFF",
        /// With an index of rows.
        RowIndexV1 = "ROW_INDEX_V1",
    }
}

impl FamilyDescriptor {
    /// A family with HBase's defaults.
    pub fn new(name: impl Into<Bytes>) -> Self {
        Self {
            name: name.into(),
            versions: 1,
            min_versions: 0,
            ttl_s: TTL_FOREVER_S,
            keep_deleted_cells: KeepDeletedCells::default(),
            bloom_filter: BloomFilter::default(),
            block_size_bytes: 65_536,
            compression: Compression::default(),
            data_block_encoding: DataBlockEncoding::default(),
            in_memory: false,
            block_cache: true,
            replication_scope: 0,
            attributes: BTreeMap::new(),
        }
    }

    /// The same family keeping `versions` versions.
    pub fn with_versions(mut self, versions: u32) -> Self {
        self.versions = versions;
        self
    }

    /// The TTL in milliseconds, or `None` for "for ever".
    pub fn ttl_ms(&self) -> Option<i64> {
        (self.ttl_s != TTL_FOREVER_S).then(|| self.ttl_s.saturating_mul(1_000))
    }

    /// Changes one setting, given by its HBase name and value as text.
    pub fn set(&mut self, setting: &str, value: &str) -> Result<(), SettingError> {
        match setting.to_ascii_uppercase().as_str() {
            "VERSIONS" => self.versions = number("VERSIONS", value, 1, i64::from(i32::MAX))? as u32,
            "MIN_VERSIONS" => {
                self.min_versions = number("MIN_VERSIONS", value, 0, i64::from(i32::MAX))? as u32
            }
            "TTL" => self.ttl_s = ttl_seconds(value)?,
            "KEEP_DELETED_CELLS" => {
                self.keep_deleted_cells =
                    named("KEEP_DELETED_CELLS", value, KeepDeletedCells::from_name, KeepDeletedCells::names)?;
            }
            "BLOOMFILTER" => {
                self.bloom_filter = named("BLOOMFILTER", value, BloomFilter::from_name, BloomFilter::names)?
            }
            "BLOCKSIZE" => self.block_size_bytes = number("BLOCKSIZE", value, 0, i64::from(i32::MAX))? as u32,
            "COMPRESSION" => {
                self.compression = named("COMPRESSION", value, Compression::from_name, Compression::names)?
            }
            "DATA_BLOCK_ENCODING" => {
                self.data_block_encoding = named(
                    "DATA_BLOCK_ENCODING",
                    value,
                    DataBlockEncoding::from_name,
                    DataBlockEncoding::names,
                )?;
            }
            "IN_MEMORY" => self.in_memory = boolean("IN_MEMORY", value)?,
            "BLOCKCACHE" => self.block_cache = boolean("BLOCKCACHE", value)?,
            "REPLICATION_SCOPE" => {
                self.replication_scope = number("REPLICATION_SCOPE", value, 0, i64::from(i32::MAX))? as i32;
            }
            _ => return Err(SettingError::Unknown(setting.to_owned())),
        }
        Ok(())
    }

    /// The settings under their HBase names, in the order `describe` prints them.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let ttl = if self.ttl_s == TTL_FOREVER_S { "FOREVER".to_owned() } else { self.ttl_s.to_string() };
        vec![
            ("VERSIONS", self.versions.to_string()),
            ("KEEP_DELETED_CELLS", self.keep_deleted_cells.to_string()),
            ("DATA_BLOCK_ENCODING", self.data_block_encoding.to_string()),
            ("TTL", ttl),
            ("MIN_VERSIONS", self.min_versions.to_string()),
            ("REPLICATION_SCOPE", self.replication_scope.to_string()),
            ("BLOOMFILTER", self.bloom_filter.to_string()),
            ("IN_MEMORY", self.in_memory.to_string()),
            ("COMPRESSION", self.compression.to_string()),
            ("BLOCKCACHE", self.block_cache.to_string()),
            ("BLOCKSIZE", self.block_size_bytes.to_string()),
        ]
    }

    /// Whether the name is one that HBase takes.
    pub fn check_name(&self) -> Result<(), NameError> {
        check_family(&self.name)
    }
}

fn number(setting: &'static str, value: &str, least: i64, most: i64) -> Result<i64, SettingError> {
    match value.trim().parse::<i64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(SettingError::BadValue {
            setting,
            value: value.to_owned(),
            expected: format!("a whole number from {least} to {most}"),
        }),
    }
}

fn boolean(setting: &'static str, value: &str) -> Result<bool, SettingError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(SettingError::BadValue {
            setting,
            value: value.to_owned(),
            expected: "true or false".to_owned(),
        }),
    }
}

fn named<T>(
    setting: &'static str,
    value: &str,
    from_name: fn(&str) -> Option<T>,
    names: fn() -> String,
) -> Result<T, SettingError> {
    from_name(value).ok_or_else(|| SettingError::BadValue {
        setting,
        value: value.to_owned(),
        expected: names(),
    })
}

/// A TTL in seconds (whether it is positive, the store checks): a number, `FOREVER`, or HBase's words (`1 DAY 2 HOURS`).
fn ttl_seconds(value: &str) -> Result<i64, SettingError> {
    let bad = || SettingError::BadValue {
        setting: "TTL",
        value: value.to_owned(),
        expected: "seconds, FOREVER, or words such as '1 DAY 2 HOURS'".to_owned(),
    };
    if value.trim().eq_ignore_ascii_case("FOREVER") {
        return Ok(TTL_FOREVER_S);
    }
    let words: Vec<&str> = value.split_whitespace().collect();
    let seconds = match words.as_slice() {
        [number] => number.parse::<i64>().map_err(|_| bad())?,
        pairs if pairs.len() % 2 == 0 && !pairs.is_empty() => {
            let mut total: i64 = 0;
            for pair in pairs.chunks_exact(2) {
                let [count, unit] = pair else { return Err(bad()) };
                let unit_s = match unit.to_ascii_uppercase().trim_end_matches('S') {
                    "DAY" => 86_400,
                    "HOUR" => 3_600,
                    "MINUTE" => 60,
                    "SECOND" => 1,
                    _ => return Err(bad()),
                };
                let count = count.parse::<i64>().map_err(|_| bad())?;
                total = count.checked_mul(unit_s).and_then(|part| total.checked_add(part)).ok_or_else(bad)?;
            }
            total
        }
        _ => return Err(bad()),
    };
    if seconds <= TTL_FOREVER_S { Ok(seconds) } else { Err(bad()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_as_they_were_set() {
        let mut family = FamilyDescriptor::new("f");
        for (setting, value) in [
            ("VERSIONS", "3"),
            ("MIN_VERSIONS", "1"),
            ("TTL", "86400"),
            ("KEEP_DELETED_CELLS", "TTL"),
            ("BLOOMFILTER", "ROWCOL"),
            ("BLOCKSIZE", "4096"),
            ("COMPRESSION", "LZ4"),
            ("DATA_BLOCK_ENCODING", "FAST_DIFF"),
            ("IN_MEMORY", "true"),
            ("BLOCKCACHE", "false"),
            ("REPLICATION_SCOPE", "1"),
        ] {
            family.set(setting, value).unwrap();
            assert!(family.settings().contains(&(setting, value.to_owned())), "{setting}");
        }
    }

    #[test]
    fn ttl_takes_words() {
        let mut family = FamilyDescriptor::new("f");
        family.set("TTL", "1 DAY 2 HOURS").unwrap();
        assert_eq!(family.ttl_s, 93_600);
        family.set("ttl", "forever").unwrap();
        assert_eq!(family.ttl_ms(), None);
    }

    #[test]
    fn bad_values_say_what_is_expected() {
        let mut family = FamilyDescriptor::new("f");
        for (setting, value) in
            [("VERSIONS", "0"), ("TTL", "soon"), ("TTL", "1 YEAR"), ("BLOOMFILTER", "X"), ("IN_MEMORY", "1")]
        {
            let error = family.set(setting, value).unwrap_err().to_string();
            assert!(error.starts_with(setting), "{error}");
        }
        assert_eq!(family.set("COLOUR", "x"), Err(SettingError::Unknown("COLOUR".to_owned())));
    }
}
