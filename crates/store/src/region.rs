//! Regions: where a table is cut, which server has which part, and what it has to do.

use bytes::Bytes;
use hbase_types::RegionLoad;
use md5::{Digest, Md5};
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;

/// A range of rows of a table, on one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionInfo {
    /// The table.
    pub table: TableName,
    /// When the region was made, in milliseconds: part of its name.
    pub id: i64,
    /// The first row; empty: from the table's beginning.
    pub start: Bytes,
    /// The first row after it; empty: to the table's end.
    pub end: Bytes,
    /// The server that has it.
    pub server: String,
    /// What it had to do.
    pub load: RegionLoad,
}

impl RegionInfo {
    /// The part of the name that is unique, as HBase makes it: the MD5 sum of table, start key and id.
    pub fn encoded_name(&self) -> String {
        encoded_name(&self.table, &self.start, self.id)
    }

    /// The whole name: `table,start,id.encoded.`
    pub fn name(&self) -> String {
        format!("{},{},{}.{}.", self.table, to_text(&self.start), self.id, self.encoded_name())
    }

    /// Whether a row belongs to the region.
    pub fn contains(&self, row: &[u8]) -> bool {
        row >= &self.start[..] && (self.end.is_empty() || row < &self.end[..])
    }
}

/// The unique part of a region's name.
pub fn encoded_name(table: &TableName, start: &[u8], id: i64) -> String {
    let mut digest = Md5::new();
    digest.update(format!("{table},"));
    digest.update(start);
    digest.update(format!(",{id}"));
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A server with its regions' load added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerLoad {
    /// The server's name.
    pub server: String,
    /// Its regions.
    pub regions: u64,
    /// Their load.
    pub load: RegionLoad,
}

/// The servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterStatus {
    /// What the store is, for people.
    pub store: String,
    /// One for each server, also those without a region.
    pub servers: Vec<ServerLoad>,
}
