//! Regions: ranges of a table's rows, each served by one server.

pub(crate) mod cache;
pub(crate) mod each;
pub(crate) mod locator;
pub(crate) mod meta;
pub(crate) mod range;

use bytes::{Bytes, BytesMut};
use prost::Message;

use crate::wire::WireError;
use crate::{HostPort, ServerName, TableName, name, pb};

/// What stands before a protobuf message in HBase's own tables and nodes.
pub(crate) const PROTOBUF_MAGIC: &[u8] = b"PBUF";
/// The one region of `hbase:meta` is the only one whose name has no hash.
const META_REGION_NAME: &[u8] = b"hbase:meta,,1";
pub(crate) const META_ENCODED_NAME: &str = "1588230740";

/// A region of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The table.
    pub table: TableName,
    /// The first row that belongs to it; empty in the first region.
    pub start: Bytes,
    /// The first row that does not belong to it any more; empty in the last region.
    pub end: Bytes,
    /// When it was made, in milliseconds.
    pub id: u64,
    /// Its full name, as HBase knows it.
    pub name: Bytes,
    /// Not served: it is closed for good, e.g. after a split.
    pub offline: bool,
}

impl Region {
    pub(crate) fn meta() -> Self {
        Self {
            table: TableName::meta(),
            start: Bytes::new(),
            end: Bytes::new(),
            id: 1,
            name: Bytes::from_static(META_REGION_NAME),
            offline: false,
        }
    }

    /// The hash in the region's name, by which HBase's own tools call it.
    pub fn encoded_name(&self) -> String {
        if self.name == META_REGION_NAME {
            return META_ENCODED_NAME.to_owned();
        }
        let name = self.name.strip_suffix(b".").unwrap_or(&self.name);
        let hash = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        String::from_utf8_lossy(hash).into_owned()
    }

    /// Whether a row belongs to it.
    pub fn contains(&self, row: &[u8]) -> bool {
        self.start <= row && (self.end.is_empty() || row < &self.end[..])
    }

    /// Whether it has rows right before `row`; an empty `row` means the table's end.
    pub(crate) fn reaches_up_to(&self, row: &[u8]) -> bool {
        match row.is_empty() {
            true => self.end.is_empty(),
            false => self.start < row && (self.end.is_empty() || row <= &self.end[..]),
        }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let begins_before_end = |a: &Self, b: &Self| b.end.is_empty() || a.start < b.end;
        begins_before_end(self, other) && begins_before_end(other, self)
    }

    /// Reads what `hbase:meta` says of a region whose row there is `name`.
    pub(crate) fn from_meta(name: Bytes, value: &[u8]) -> Result<Self, WireError> {
        let message = strip_magic(value)?;
        Self::from_pb(pb::RegionInfo::decode(message)?, name)
    }

    pub(crate) fn from_pb(info: pb::RegionInfo, name: Bytes) -> Result<Self, WireError> {
        Ok(Self {
            table: name::table_from_pb(&info.table_name)?,
            start: info.start_key.unwrap_or_default(),
            end: info.end_key.unwrap_or_default(),
            id: info.region_id,
            name,
            offline: info.offline.unwrap_or_default() || info.split.unwrap_or_default(),
        })
    }

    pub(crate) fn to_pb(&self) -> pb::RegionInfo {
        pb::RegionInfo {
            region_id: self.id,
            table_name: name::table_to_pb(&self.table),
            start_key: Some(self.start.clone()),
            end_key: Some(self.end.clone()),
            offline: Some(self.offline),
            split: None,
            replica_id: Some(0),
        }
    }
}

/// The message after the magic bytes.
pub(crate) fn strip_magic(value: &[u8]) -> Result<&[u8], WireError> {
    value
        .strip_prefix(PROTOBUF_MAGIC)
        .ok_or_else(|| WireError("a message without its magic bytes".to_owned()))
}

/// A region and who serves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The region.
    pub region: Region,
    /// The server, if it has one now.
    pub server: Option<ServerName>,
    /// Where it is reached.
    pub address: HostPort,
}

/// The row in `hbase:meta` at which a region of `table` that begins at `start` would stand if it were made at `id`.
pub(crate) fn meta_row(table: &TableName, start: &[u8], id: &str) -> Bytes {
    let mut row = BytesMut::new();
    row.extend_from_slice(table.to_string().as_bytes());
    row.extend_from_slice(b",");
    row.extend_from_slice(start);
    row.extend_from_slice(b",");
    row.extend_from_slice(id.as_bytes());
    row.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(start: &'static str, end: &'static str) -> Region {
        Region {
            table: "t".parse().unwrap(),
            start: start.into(),
            end: end.into(),
            id: 7,
            name: Bytes::from_static(b"t,a,7.0123456789abcdef0123456789abcdef."),
            offline: false,
        }
    }

    #[test]
    fn names_have_their_hash_at_the_end() {
        assert_eq!(region("a", "b").encoded_name(), "0123456789abcdef0123456789abcdef");
        assert_eq!(Region::meta().encoded_name(), META_ENCODED_NAME);
    }

    #[test]
    fn borders_belong_to_the_next_region() {
        let middle = region("b", "d");
        assert!(middle.contains(b"b") && middle.contains(b"cz") && !middle.contains(b"d"));
        assert!(middle.reaches_up_to(b"d") && middle.reaches_up_to(b"c") && !middle.reaches_up_to(b"b"));
        assert!(!middle.reaches_up_to(b"") && region("b", "").reaches_up_to(b""));
        assert!(region("", "").contains(b""));
    }

    #[test]
    fn neighbours_do_not_overlap() {
        assert!(!region("a", "b").overlaps(&region("b", "c")));
        assert!(region("a", "").overlaps(&region("b", "c")));
        assert!(region("", "b").overlaps(&region("a", "z")));
    }
}
