//! Writes on the wire: a message, and their cells in a block behind it.
//!
//! Increments and appends carry a nonce, made once for the operation: a server that sees it again in a retry does not do the
//! work twice.

use bytes::{Bytes, BytesMut};
use hbase_types::{
    Append, CellType, CheckAndMutate, Comparator, CompareOp, Condition, Delete, DeleteTarget, Durability,
    Increment, LATEST_TIMESTAMP, Mutation, Put, RowMutations, TimeRange,
};

use super::reads::time_range;
use super::{attributes, check_family};
use crate::rpc::Step;
use crate::wire::cell_block::{Place, put_cell};
use crate::{Error, filter, nonce, pb, rpc};

/// A single write.
pub(super) fn mutation(mutation: &Mutation) -> Result<rpc::Mutation, Error> {
    mutation.check()?;
    match mutation {
        Mutation::Put(write) => put(write),
        Mutation::Delete(write) => delete(write),
        Mutation::Increment(write) => increment(write),
        Mutation::Append(write) => append(write),
    }
}

/// Several writes to one row.
pub(super) fn row_mutations(mutations: &RowMutations) -> Result<Vec<rpc::Mutation>, Error> {
    mutations.check()?;
    mutations.mutations.iter().map(mutation).collect()
}

/// Writes that wait for a condition.
pub(super) fn check_and_mutate(check: &CheckAndMutate) -> Result<Step, Error> {
    let condition = Some(condition(&check.condition, &check.then.row));
    Ok(Step::Atomic { mutations: row_mutations(&check.then)?, condition })
}

fn put(put: &Put) -> Result<rpc::Mutation, Error> {
    let mut block = BytesMut::new();
    for (family, qualifier, timestamp, value) in &put.cells {
        check_family(family)?;
        let timestamp = timestamp.unwrap_or(LATEST_TIMESTAMP);
        let place = Place { row: &put.row, family, qualifier, timestamp, cell_type: CellType::Put };
        put_cell(&mut block, &place, value);
    }
    Ok(rpc::Mutation {
        message: pb::MutationProto {
            row: Some(put.row.clone()),
            mutate_type: Some(pb::mutation_proto::MutationType::Put.into()),
            attribute: put.ttl_ms.map(attributes::ttl).into_iter().collect(),
            durability: durability(put.durability),
            associated_cell_count: Some(put.cells.len() as i32),
            ..pb::MutationProto::default()
        },
        cells: block.freeze(),
    })
}

fn delete(delete: &Delete) -> Result<rpc::Mutation, Error> {
    let mut block = BytesMut::new();
    for target in &delete.targets {
        let (family, qualifier, timestamp, cell_type) = marker(target);
        check_family(family)?;
        let timestamp = timestamp.unwrap_or(LATEST_TIMESTAMP);
        put_cell(&mut block, &Place { row: &delete.row, family, qualifier, timestamp, cell_type }, b"");
    }
    Ok(rpc::Mutation {
        message: pb::MutationProto {
            row: Some(delete.row.clone()),
            mutate_type: Some(pb::mutation_proto::MutationType::Delete.into()),
            timestamp: Some(delete.timestamp.unwrap_or(LATEST_TIMESTAMP).max(0) as u64),
            durability: durability(delete.durability),
            associated_cell_count: Some(delete.targets.len() as i32),
            ..pb::MutationProto::default()
        },
        cells: block.freeze(),
    })
}

/// Family, qualifier, time and type of the marker that hides a target.
fn marker(target: &DeleteTarget) -> (&[u8], &[u8], Option<i64>, CellType) {
    match target {
        DeleteTarget::Family(family, at) => (family, b"", *at, CellType::DeleteFamily),
        DeleteTarget::FamilyVersion(family, at) => (family, b"", Some(*at), CellType::DeleteFamilyVersion),
        DeleteTarget::Column(family, qualifier, at) => (family, qualifier, *at, CellType::DeleteColumn),
        DeleteTarget::Version(family, qualifier, at) => (family, qualifier, *at, CellType::Delete),
    }
}

fn increment(increment: &Increment) -> Result<rpc::Mutation, Error> {
    let amounts = increment.amounts.iter().map(|(family, qualifier, amount)| {
        (family, qualifier, Bytes::copy_from_slice(&amount.to_be_bytes()))
    });
    let mut mutation = read_modify_write(&increment.row, amounts)?;
    let message = &mut mutation.message;
    message.mutate_type = Some(pb::mutation_proto::MutationType::Increment.into());
    message.time_range = time_range(increment.time_range);
    message.durability = durability(increment.durability);
    message.attribute = attributes_of(increment.ttl_ms, increment.return_results);
    Ok(mutation)
}

fn append(append: &Append) -> Result<rpc::Mutation, Error> {
    let values = append.values.iter().map(|(family, qualifier, value)| (family, qualifier, value.clone()));
    let mut mutation = read_modify_write(&append.row, values)?;
    let message = &mut mutation.message;
    message.mutate_type = Some(pb::mutation_proto::MutationType::Append.into());
    message.time_range = time_range(append.time_range);
    message.durability = durability(append.durability);
    message.attribute = attributes_of(append.ttl_ms, append.return_results);
    Ok(mutation)
}

fn read_modify_write<'a>(
    row: &Bytes,
    cells: impl Iterator<Item = (&'a Bytes, &'a Bytes, Bytes)>,
) -> Result<rpc::Mutation, Error> {
    let mut block = BytesMut::new();
    let mut count = 0;
    for (family, qualifier, value) in cells {
        check_family(family)?;
        let place = Place { row, family, qualifier, timestamp: LATEST_TIMESTAMP, cell_type: CellType::Put };
        put_cell(&mut block, &place, &value);
        count += 1;
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

fn durability(durability: Durability) -> Option<i32> {
    use pb::mutation_proto::Durability as Wire;
    let wire = match durability {
        Durability::UseDefault => return None,
        Durability::SkipWal => Wire::SkipWal,
        Durability::AsyncWal => Wire::AsyncWal,
        Durability::SyncWal => Wire::SyncWal,
        Durability::FsyncWal => Wire::FsyncWal,
    };
    Some(wire.into())
}

fn condition(condition: &Condition, row: &Bytes) -> pb::Condition {
    let on_column =
        |family: &Bytes, qualifier: &Bytes, op: CompareOp, comparator: &Comparator, range: &TimeRange| {
            pb::Condition {
                row: row.clone(),
                family: Some(family.clone()),
                qualifier: Some(qualifier.clone()),
                compare_type: Some(filter::compare_type(op).into()),
                comparator: Some(filter::comparator_to_pb(comparator)),
                time_range: time_range(*range),
                filter: None,
            }
        };
    match condition {
        Condition::Value { family, qualifier, op, comparator, time_range } => {
            on_column(family, qualifier, *op, comparator, time_range)
        }
        Condition::Absent { family, qualifier, time_range } => {
            // "Equal to nothing" is how HBase says it.
            on_column(family, qualifier, CompareOp::Equal, &Comparator::Binary(Bytes::new()), time_range)
        }
        Condition::Filter { filter, time_range: range } => pb::Condition {
            row: row.clone(),
            filter: Some(filter::to_pb(filter)),
            time_range: time_range(*range),
            ..pb::Condition::default()
        },
    }
}
