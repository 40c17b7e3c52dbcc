//! Writing values.

use bytes::{Bytes, BytesMut};

use super::{attributes, check_family, check_row};
use crate::cell::CellType;
use crate::rpc;
use crate::wire::cell_block::{Place, put_cell};
use crate::{Error, pb};

/// How safe a write is when it is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// As the table says.
    #[default]
    UseDefault,
    /// Not in the log at all.
    SkipWal,
    /// In the log soon.
    AsyncWal,
    /// In the log.
    SyncWal,
    /// In the log and on disk.
    FsyncWal,
}

impl Durability {
    pub(super) fn to_pb(self) -> Option<i32> {
        use pb::mutation_proto::Durability as Wire;
        let wire = match self {
            Self::UseDefault => return None,
            Self::SkipWal => Wire::SkipWal,
            Self::AsyncWal => Wire::AsyncWal,
            Self::SyncWal => Wire::SyncWal,
            Self::FsyncWal => Wire::FsyncWal,
        };
        Some(wire.into())
    }
}

/// The server stamps the cell with its clock.
pub(super) const NOW: i64 = i64::MAX;

/// Writes values to a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Put {
    /// The row.
    pub row: Bytes,
    /// Family, qualifier, timestamp (`None`: the server's clock), value.
    pub cells: Vec<(Bytes, Bytes, Option<i64>, Bytes)>,
    /// These cells live so many milliseconds.
    pub ttl_ms: Option<i64>,
    /// How safe the write is when acknowledged.
    pub durability: Durability,
}

impl Put {
    /// An empty put to a row: add cells to it.
    pub fn new(row: impl Into<Bytes>) -> Self {
        Self { row: row.into(), ..Self::default() }
    }

    /// Adds a value, stamped by the server.
    pub fn add(
        mut self,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        value: impl Into<Bytes>,
    ) -> Self {
        self.cells.push((family.into(), qualifier.into(), None, value.into()));
        self
    }

    /// Adds a value with its timestamp.
    pub fn add_at(
        mut self,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        timestamp: i64,
        value: impl Into<Bytes>,
    ) -> Self {
        self.cells.push((family.into(), qualifier.into(), Some(timestamp), value.into()));
        self
    }

    pub(super) fn to_wire(&self) -> Result<rpc::Mutation, Error> {
        check_row(&self.row)?;
        if self.cells.is_empty() {
            return Err(Error::InvalidArgument("a put without any values".to_owned()));
        }
        let mut block = BytesMut::new();
        for (family, qualifier, timestamp, value) in &self.cells {
            check_family(family)?;
            let timestamp = timestamp.unwrap_or(NOW);
            let place = Place { row: &self.row, family, qualifier, timestamp, cell_type: CellType::Put };
            put_cell(&mut block, &place, value);
        }
        Ok(rpc::Mutation {
            message: pb::MutationProto {
                row: Some(self.row.clone()),
                mutate_type: Some(pb::mutation_proto::MutationType::Put.into()),
                attribute: self.ttl_ms.map(attributes::ttl).into_iter().collect(),
                durability: self.durability.to_pb(),
                associated_cell_count: Some(self.cells.len() as i32),
                ..pb::MutationProto::default()
            },
            cells: block.freeze(),
        })
    }
}
