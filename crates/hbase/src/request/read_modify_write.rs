//! Increment and append: the server reads, changes and writes in one step.
//!
//! Both carry a nonce, made once for the operation: a server that sees it again in a retry does not do the work twice.

use bytes::{Bytes, BytesMut};

use super::put::{Durability, NOW};
use super::{TimeRange, attributes, check_family, check_row};
use crate::cell::CellType;
use crate::wire::cell_block::{Place, put_cell};
use crate::{Error, nonce, pb, rpc};

/// Adds to 8-byte big-endian integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Increment {
    /// The row.
    pub row: Bytes,
    /// Family, qualifier, amount.
    pub amounts: Vec<(Bytes, Bytes, i64)>,
    /// Only a value of this time is added to.
    pub time_range: TimeRange,
    /// The new values live so many milliseconds.
    pub ttl_ms: Option<i64>,
    /// Whether the answer carries the new values.
    pub return_results: bool,
    /// How safe the write is when acknowledged.
    pub durability: Durability,
}

impl Increment {
    /// Adds `amount` to one column.
    pub fn new(
        row: impl Into<Bytes>,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        amount: i64,
    ) -> Self {
        Self {
            row: row.into(),
            amounts: vec![(family.into(), qualifier.into(), amount)],
            time_range: TimeRange::ALL,
            ttl_ms: None,
            return_results: true,
            durability: Durability::UseDefault,
        }
    }

    pub(super) fn to_wire(&self) -> Result<rpc::Mutation, Error> {
        let amounts = self.amounts.iter().map(|(family, qualifier, amount)| {
            (family, qualifier, Bytes::copy_from_slice(&amount.to_be_bytes()))
        });
        let mut mutation = to_wire(&self.row, amounts)?;
        let message = &mut mutation.message;
        message.mutate_type = Some(pb::mutation_proto::MutationType::Increment.into());
        message.time_range = self.time_range.to_pb();
        message.durability = self.durability.to_pb();
        message.attribute = attributes_of(self.ttl_ms, self.return_results);
        Ok(mutation)
    }
}

/// Appends bytes to values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The row.
    pub row: Bytes,
    /// Family, qualifier, bytes to append.
    pub values: Vec<(Bytes, Bytes, Bytes)>,
    /// Only a value of this time is appended to.
    pub time_range: TimeRange,
    /// The new values live so many milliseconds.
    pub ttl_ms: Option<i64>,
    /// Whether the answer carries the new values.
    pub return_results: bool,
    /// How safe the write is when acknowledged.
    pub durability: Durability,
}

impl Append {
    /// Appends to one column.
    pub fn new(
        row: impl Into<Bytes>,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        value: impl Into<Bytes>,
    ) -> Self {
        Self {
            row: row.into(),
            values: vec![(family.into(), qualifier.into(), value.into())],
            time_range: TimeRange::ALL,
            ttl_ms: None,
            return_results: true,
            durability: Durability::UseDefault,
        }
    }

    pub(super) fn to_wire(&self) -> Result<rpc::Mutation, Error> {
        let values = self.values.iter().map(|(family, qualifier, value)| (family, qualifier, value.clone()));
        let mut mutation = to_wire(&self.row, values)?;
        let message = &mut mutation.message;
        message.mutate_type = Some(pb::mutation_proto::MutationType::Append.into());
        message.time_range = self.time_range.to_pb();
        message.durability = self.durability.to_pb();
        message.attribute = attributes_of(self.ttl_ms, self.return_results);
        Ok(mutation)
    }
}

fn to_wire<'a>(
    row: &Bytes,
    cells: impl Iterator<Item = (&'a Bytes, &'a Bytes, Bytes)>,
) -> Result<rpc::Mutation, Error> {
    check_row(row)?;
    let mut block = BytesMut::new();
    let mut count = 0;
    for (family, qualifier, value) in cells {
        check_family(family)?;
        let place = Place { row, family, qualifier, timestamp: NOW, cell_type: CellType::Put };
        put_cell(&mut block, &place, &value);
        count += 1;
    }
    if count == 0 {
        return Err(Error::InvalidArgument("an increment or append without any columns".to_owned()));
    }
    Ok(rpc::Mutation {
        message: pb::MutationProto {
            row: Some(row.clone()),
            associated_cell_count: Some(count),
            nonce: Some(nonce::next()),
            ..pb::MutationProto::default()
        },
        cells: block.freeze(),
    })
}

fn attributes_of(ttl_ms: Option<i64>, return_results: bool) -> Vec<pb::NameBytesPair> {
    let without = (!return_results).then(attributes::without_results);
    ttl_ms.map(attributes::ttl).into_iter().chain(without).collect()
}
