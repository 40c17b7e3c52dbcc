//! What a table and its families are like.

use std::collections::BTreeMap;
use std::fmt::Display;

use bytes::Bytes;

use crate::{TableName, name, pb};

/// A coprocessor's place between others, as HBase's own shell sets it.
const COPROCESSOR_PRIORITY: u32 = 1_073_741_823;

/// A table: its name, its families and what HBase keeps about it, every attribute as HBase sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSchema {
    /// The table's name.
    pub name: TableName,
    /// Its families.
    pub families: Vec<FamilySchema>,
    /// Attributes, e.g. `MAX_FILESIZE` → `10737418240`.
    pub attributes: BTreeMap<Bytes, Bytes>,
    /// Settings that hold for this table instead of the servers'. HBase keeps them among the attributes.
    pub configuration: BTreeMap<String, String>,
}

impl TableSchema {
    /// A table without families; HBase wants one at least.
    pub fn new(name: TableName) -> Self {
        Self { name, families: Vec::new(), attributes: BTreeMap::new(), configuration: BTreeMap::new() }
    }

    /// With a family; one of the same name is replaced.
    pub fn family(mut self, family: FamilySchema) -> Self {
        self.families.retain(|other| other.name != family.name);
        self.families.push(family);
        self
    }

    /// With an attribute.
    pub fn attribute(mut self, name: impl Into<Bytes>, value: impl Into<Bytes>) -> Self {
        self.attributes.insert(name.into(), value.into());
        self
    }

    /// With a coprocessor, by its class, which the servers have.
    pub fn coprocessor(self, class: &str) -> Self {
        let taken = |number: &u32| self.attributes.contains_key(format!("coprocessor${number}").as_bytes());
        let number = (1..).find(|number| !taken(number)).unwrap_or_default();
        self.attribute(format!("coprocessor${number}"), format!("|{class}|{COPROCESSOR_PRIORITY}|"))
    }

    /// The family of a name.
    pub fn get_family(&self, name: &[u8]) -> Option<&FamilySchema> {
        self.families.iter().find(|family| family.name == name)
    }

    /// An attribute, if it is set and a text.
    pub fn get(&self, name: &str) -> Option<&str> {
        text(&self.attributes, name)
    }

    pub(super) fn to_pb(&self) -> pb::TableSchema {
        pb::TableSchema {
            table_name: Some(name::table_to_pb(&self.name)),
            attributes: pairs(&self.attributes),
            column_families: self.families.iter().map(FamilySchema::to_pb).collect(),
            configuration: name_pairs(&self.configuration),
        }
    }

    pub(super) fn from_pb(schema: pb::TableSchema) -> Option<Self> {
        Some(Self {
            name: name::table_from_pb(&schema.table_name?).ok()?,
            families: schema.column_families.into_iter().map(FamilySchema::from_pb).collect(),
            attributes: map(schema.attributes),
            configuration: name_map(schema.configuration),
        })
    }
}

/// A family of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilySchema {
    /// Its name.
    pub name: Bytes,
    /// Attributes, e.g. `VERSIONS` → `3`. What is left out has HBase's default.
    pub attributes: BTreeMap<Bytes, Bytes>,
    /// Settings that hold for this family instead of the servers'.
    pub configuration: BTreeMap<String, String>,
}

impl FamilySchema {
    /// A family with HBase's defaults.
    pub fn new(name: impl Into<Bytes>) -> Self {
        Self { name: name.into(), attributes: BTreeMap::new(), configuration: BTreeMap::new() }
    }

    /// With an attribute.
    pub fn attribute(mut self, name: impl Into<Bytes>, value: impl Into<Bytes>) -> Self {
        self.attributes.insert(name.into(), value.into());
        self
    }

    /// Keeps so many versions of a cell.
    pub fn versions(self, versions: u32) -> Self {
        self.shown("VERSIONS", versions)
    }

    /// Keeps so many versions even when they are older than the time to live.
    pub fn min_versions(self, versions: u32) -> Self {
        self.shown("MIN_VERSIONS", versions)
    }

    /// Cells live so long.
    pub fn ttl_seconds(self, seconds: u32) -> Self {
        self.shown("TTL", seconds)
    }

    /// Files are compressed: `NONE`, `GZ`, `SNAPPY`, `LZ4`, `ZSTD`…, if the servers can.
    pub fn compression(self, algorithm: &str) -> Self {
        self.shown("COMPRESSION", algorithm)
    }

    /// Files have a Bloom filter: `NONE`, `ROW` or `ROWCOL`.
    pub fn bloom_filter(self, kind: &str) -> Self {
        self.shown("BLOOMFILTER", kind)
    }

    /// Cells in a block are written so: `NONE`, `PREFIX`, `DIFF`, `FAST_DIFF`, `ROW_INDEX_V1`.
    pub fn data_block_encoding(self, encoding: &str) -> Self {
        self.shown("DATA_BLOCK_ENCODING", encoding)
    }

    /// A block of a file has about so many bytes.
    pub fn block_size_bytes(self, bytes: u32) -> Self {
        self.shown("BLOCKSIZE", bytes)
    }

    /// Deleted cells stay: `FALSE`, `TRUE` or `TTL`.
    pub fn keep_deleted_cells(self, keep: &str) -> Self {
        self.shown("KEEP_DELETED_CELLS", keep)
    }

    /// Its blocks stay in the cache longer than others'.
    pub fn in_memory(self, in_memory: bool) -> Self {
        self.shown("IN_MEMORY", in_memory)
    }

    /// An attribute, if it is set and a text.
    pub fn get(&self, name: &str) -> Option<&str> {
        text(&self.attributes, name)
    }

    fn shown(self, name: &'static str, value: impl Display) -> Self {
        self.attribute(name, value.to_string())
    }

    fn to_pb(&self) -> pb::ColumnFamilySchema {
        pb::ColumnFamilySchema {
            name: self.name.clone(),
            attributes: pairs(&self.attributes),
            configuration: name_pairs(&self.configuration),
        }
    }

    fn from_pb(schema: pb::ColumnFamilySchema) -> Self {
        Self {
            name: schema.name,
            attributes: map(schema.attributes),
            configuration: name_map(schema.configuration),
        }
    }
}

fn text<'a>(attributes: &'a BTreeMap<Bytes, Bytes>, name: &str) -> Option<&'a str> {
    std::str::from_utf8(attributes.get(name.as_bytes())?).ok()
}

fn pairs(map: &BTreeMap<Bytes, Bytes>) -> Vec<pb::BytesBytesPair> {
    map.iter()
        .map(|(first, second)| pb::BytesBytesPair { first: first.clone(), second: second.clone() })
        .collect()
}

fn map(pairs: Vec<pb::BytesBytesPair>) -> BTreeMap<Bytes, Bytes> {
    pairs.into_iter().map(|pair| (pair.first, pair.second)).collect()
}

pub(super) fn name_pairs(map: &BTreeMap<String, String>) -> Vec<pb::NameStringPair> {
    map.iter().map(|(name, value)| pb::NameStringPair { name: name.clone(), value: value.clone() }).collect()
}

pub(super) fn name_map(pairs: Vec<pb::NameStringPair>) -> BTreeMap<String, String> {
    pairs.into_iter().map(|pair| (pair.name, pair.value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_comes_back_from_the_wire_as_it_was() {
        let mut family = FamilySchema::new("f").versions(3).ttl_seconds(60).in_memory(true);
        family.configuration.insert("hbase.hstore.compaction.min".to_owned(), "4".to_owned());
        let schema =
            TableSchema::new("ns:t".parse().unwrap()).family(family).attribute("MAX_FILESIZE", "1000");
        assert_eq!(TableSchema::from_pb(schema.to_pb()), Some(schema.clone()));
        assert_eq!(schema.get_family(b"f").and_then(|family| family.get("VERSIONS")), Some("3"));
        assert_eq!(schema.get("MAX_FILESIZE"), Some("1000"));
    }

    #[test]
    fn a_family_of_the_same_name_is_replaced() {
        let schema = TableSchema::new("t".parse().unwrap()).family(FamilySchema::new("f"));
        let schema = schema.family(FamilySchema::new("f").versions(2));
        assert_eq!(schema.families, [FamilySchema::new("f").versions(2)]);
    }

    #[test]
    fn coprocessors_get_numbers_of_their_own() {
        let schema = TableSchema::new("t".parse().unwrap()).coprocessor("a.B").coprocessor("c.D");
        assert_eq!(schema.get("coprocessor$1"), Some("|a.B|1073741823|"));
        assert_eq!(schema.get("coprocessor$2"), Some("|c.D|1073741823|"));
    }
}
