//! Writes: single ones, atomic ones, conditional ones, batches.

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::filter::eval::FilterRun;
use tablesmith_store::{
    Action, Append, CheckAndMutate, Condition, Delete, DeleteTarget, Increment, Mutation, Put, RowMutations,
    StoreError,
};

use super::filters::{comparator, compare_op, filter};
use super::reads::{check_get, get};
use super::{durability, time_range};

/// What HBase's own client would refuse.
pub(crate) fn check_action(table: &TableName, action: &Action) -> Result<(), StoreError> {
    match action {
        Action::Get(get) => check_get(get),
        Action::Mutate(mutation) => check_mutation(table, mutation),
        Action::RowMutations(mutations) => check_row_mutations(table, mutations),
        Action::CheckAndMutate(check) => check_condition(table, check),
    }
}

/// What HBase's own client would refuse.
pub(crate) fn check_condition(table: &TableName, check: &CheckAndMutate) -> Result<(), StoreError> {
    check_row_mutations(table, &check.then)?;
    if let Condition::Filter { filter, .. } = &check.condition {
        FilterRun::new(filter, false)?;
    }
    Ok(())
}

/// What HBase's own client would refuse.
pub(crate) fn check_row_mutations(table: &TableName, mutations: &RowMutations) -> Result<(), StoreError> {
    mutations.check()?;
    mutations.mutations.iter().try_for_each(|mutation| check_mutation(table, mutation))
}

/// What HBase's own client would refuse. No table has a family without a name; HBase takes writes to one for a failure that
/// may pass, and its client gives up in the end with different exceptions.
pub(crate) fn check_mutation(table: &TableName, mutation: &Mutation) -> Result<(), StoreError> {
    mutation.check()?;
    let nameless = || "a column needs a family: write it as family:qualifier".to_owned();
    match mutation {
        Mutation::Put(put) if put.cells.iter().any(|(family, ..)| family.is_empty()) => {
            Err(StoreError::Refused(nameless()))
        }
        Mutation::Increment(increment) if increment.amounts.iter().any(|(family, ..)| family.is_empty()) => {
            Err(StoreError::Refused(nameless()))
        }
        Mutation::Append(append) if append.values.iter().any(|(family, ..)| family.is_empty()) => {
            Err(StoreError::IllegalArgument(nameless()))
        }
        Mutation::Delete(delete) if delete.targets.iter().any(|target| target.family().is_empty()) => {
            Err(StoreError::NoSuchColumnFamily { table: table.clone(), family: Bytes::new() })
        }
        _ => Ok(()),
    }
}

pub(crate) fn action(action: Action) -> hbase::Action {
    match action {
        Action::Get(read) => hbase::Action::Get(get(&read)),
        Action::Mutate(write) => hbase::Action::Mutate(mutation(write)),
        Action::RowMutations(mutations) => hbase::Action::RowMutations(row_mutations(mutations)),
        Action::CheckAndMutate(check) => hbase::Action::CheckAndMutate(check_and_mutate(check)),
    }
}

pub(crate) fn mutation(mutation: Mutation) -> hbase::Mutation {
    match mutation {
        Mutation::Put(write) => hbase::Mutation::Put(put(write)),
        Mutation::Delete(write) => hbase::Mutation::Delete(delete(write)),
        Mutation::Increment(write) => hbase::Mutation::Increment(increment(write)),
        Mutation::Append(write) => hbase::Mutation::Append(append(write)),
    }
}

pub(crate) fn put(put: Put) -> hbase::Put {
    hbase::Put { row: put.row, cells: put.cells, ttl_ms: put.ttl_ms, durability: durability(put.durability) }
}

pub(crate) fn delete(delete: Delete) -> hbase::Delete {
    let target = |target| match target {
        DeleteTarget::Family(family, at) => hbase::DeleteTarget::Family(family, at),
        DeleteTarget::FamilyVersion(family, at) => hbase::DeleteTarget::FamilyVersion(family, at),
        DeleteTarget::Column(family, qualifier, at) => hbase::DeleteTarget::Column(family, qualifier, at),
        DeleteTarget::Version(family, qualifier, at) => hbase::DeleteTarget::Version(family, qualifier, at),
    };
    hbase::Delete {
        row: delete.row,
        targets: delete.targets.into_iter().map(target).collect(),
        timestamp: delete.timestamp,
        durability: durability(delete.durability),
    }
}

pub(crate) fn increment(increment: Increment) -> hbase::Increment {
    hbase::Increment {
        row: increment.row,
        amounts: increment.amounts,
        time_range: time_range(increment.time_range),
        ttl_ms: increment.ttl_ms,
        return_results: increment.return_results,
        durability: durability(increment.durability),
    }
}

pub(crate) fn append(append: Append) -> hbase::Append {
    hbase::Append {
        row: append.row,
        values: append.values,
        time_range: time_range(append.time_range),
        ttl_ms: append.ttl_ms,
        return_results: append.return_results,
        durability: durability(append.durability),
    }
}

pub(crate) fn row_mutations(mutations: RowMutations) -> hbase::RowMutations {
    hbase::RowMutations {
        row: mutations.row,
        mutations: mutations.mutations.into_iter().map(mutation).collect(),
    }
}

pub(crate) fn check_and_mutate(check: CheckAndMutate) -> hbase::CheckAndMutate {
    hbase::CheckAndMutate { condition: condition(check.condition), then: row_mutations(check.then) }
}

fn condition(condition: Condition) -> hbase::Condition {
    match condition {
        Condition::Value { family, qualifier, op, comparator: with, time_range: range } => {
            hbase::Condition::Value {
                family,
                qualifier,
                op: compare_op(op),
                comparator: comparator(&with),
                time_range: time_range(range),
            }
        }
        Condition::Absent { family, qualifier, time_range: range } => {
            hbase::Condition::Absent { family, qualifier, time_range: time_range(range) }
        }
        Condition::Filter { filter: with, time_range: range } => {
            hbase::Condition::Filter { filter: filter(&with), time_range: time_range(range) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_family_is_without_a_name() {
        let table: TableName = "t".parse().unwrap();
        let delete = Delete::row("r").target(DeleteTarget::Column(Bytes::new(), "q".into(), None));
        for (mutation, exception) in [
            (Mutation::Put(Put::new("r").add("", "q", "v")), "IOException"),
            (Mutation::Increment(Increment::new("r", "", "q", 1)), "IOException"),
            (Mutation::Append(Append::new("r", "", "q", "v")), "IllegalArgumentException"),
            (Mutation::Delete(delete), "NoSuchColumnFamilyException"),
        ] {
            let mutations = RowMutations { row: "r".into(), mutations: vec![mutation.clone()] };
            for action in [Action::Mutate(mutation), Action::RowMutations(mutations)] {
                assert_eq!(check_action(&table, &action).unwrap_err().exception(), exception);
            }
        }
        assert!(check_mutation(&table, &Mutation::Delete(Delete::row("r"))).is_ok());
    }
}
