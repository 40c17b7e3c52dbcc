//! Hiding values.

use bytes::{Bytes, BytesMut};

use super::put::{Durability, NOW};
use super::{check_family, check_row};
use crate::cell::CellType;
use crate::rpc;
use crate::wire::cell_block::{Place, put_cell};
use crate::{Error, pb};

/// What a [`Delete`] hides. `None` as a timestamp means now, except where it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeleteTarget {
    /// All versions of all columns of a family, up to a time.
    Family(Bytes, Option<i64>),
    /// The versions of all columns of a family at exactly a time.
    FamilyVersion(Bytes, i64),
    /// All versions of a column up to a time.
    Column(Bytes, Bytes, Option<i64>),
    /// One version of a column; `None`: the newest there is.
    Version(Bytes, Bytes, Option<i64>),
}

impl DeleteTarget {
    fn parts(&self) -> (&[u8], &[u8], Option<i64>, CellType) {
        match self {
            Self::Family(family, at) => (family, b"", *at, CellType::DeleteFamily),
            Self::FamilyVersion(family, at) => (family, b"", Some(*at), CellType::DeleteFamilyVersion),
            Self::Column(family, qualifier, at) => (family, qualifier, *at, CellType::DeleteColumn),
            Self::Version(family, qualifier, at) => (family, qualifier, *at, CellType::Delete),
        }
    }
}

/// Writes markers that hide values of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delete {
    /// The row.
    pub row: Bytes,
    /// What to hide; nothing named means the whole row, up to `timestamp`.
    pub targets: Vec<DeleteTarget>,
    /// For the whole row: up to this time, else now.
    pub timestamp: Option<i64>,
    /// How safe the write is when acknowledged.
    pub durability: Durability,
}

impl Delete {
    /// Deletes a row, unless targets are added.
    pub fn row(row: impl Into<Bytes>) -> Self {
        Self { row: row.into(), ..Self::default() }
    }

    /// Names something to hide.
    pub fn target(mut self, target: DeleteTarget) -> Self {
        self.targets.push(target);
        self
    }

    pub(super) fn to_wire(&self) -> Result<rpc::Mutation, Error> {
        check_row(&self.row)?;
        let mut block = BytesMut::new();
        for target in &self.targets {
            let (family, qualifier, timestamp, cell_type) = target.parts();
            check_family(family)?;
            let timestamp = timestamp.unwrap_or(NOW);
            put_cell(&mut block, &Place { row: &self.row, family, qualifier, timestamp, cell_type }, b"");
        }
        Ok(rpc::Mutation {
            message: pb::MutationProto {
                row: Some(self.row.clone()),
                mutate_type: Some(pb::mutation_proto::MutationType::Delete.into()),
                timestamp: Some(self.timestamp.unwrap_or(NOW).max(0) as u64),
                durability: self.durability.to_pb(),
                associated_cell_count: Some(self.targets.len() as i32),
                ..pb::MutationProto::default()
            },
            cells: block.freeze(),
        })
    }
}
