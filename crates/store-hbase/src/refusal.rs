//! What HBase's own client refuses before it sends a request.

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::filter::eval::{FilterError, FilterRun};
use tablesmith_store::{
    Action, CheckAndMutate, Condition, Filter, Get, Mutation, ReadOptions, RowMutations, Scan, StoreError,
};

/// A get that makes no sense.
pub(crate) fn check_get(get: &Get) -> Result<(), StoreError> {
    get.check()?;
    check_read(&get.read, false)
}

/// A scan that makes no sense.
pub(crate) fn check_scan(scan: &Scan) -> Result<(), StoreError> {
    tablesmith_store::check_scan(scan)?;
    check_read(&scan.read, scan.reversed)
}

fn check_read(read: &ReadOptions, reversed: bool) -> Result<(), StoreError> {
    if read.versions == 0 {
        return Err(StoreError::IllegalArgument("a read takes at least 1 version".to_owned()));
    }
    read.filter.as_ref().map_or(Ok(()), |filter| check_filter(filter, reversed))
}

/// A filter that HBase alone can evaluate is left to it.
fn check_filter(filter: &Filter, reversed: bool) -> Result<(), StoreError> {
    match FilterRun::new(filter, reversed) {
        Ok(_) | Err(FilterError::Unsupported { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// An action that makes no sense.
pub(crate) fn check_action(table: &TableName, action: &Action) -> Result<(), StoreError> {
    match action {
        Action::Get(get) => check_get(get),
        Action::Mutate(mutation) => check_mutation(table, mutation),
        Action::RowMutations(mutations) => check_row_mutations(table, mutations),
        Action::CheckAndMutate(check) => check_condition(table, check),
    }
}

/// A check-and-mutate that makes no sense.
pub(crate) fn check_condition(table: &TableName, check: &CheckAndMutate) -> Result<(), StoreError> {
    check_row_mutations(table, &check.then)?;
    if let Condition::Filter { filter, .. } = &check.condition {
        check_filter(filter, false)?;
    }
    Ok(())
}

/// Atomic writes that make no sense.
pub(crate) fn check_row_mutations(table: &TableName, mutations: &RowMutations) -> Result<(), StoreError> {
    mutations.check()?;
    mutations.mutations.iter().try_for_each(|mutation| check_mutation(table, mutation))
}

/// A write that makes no sense. No table has a family without a name; HBase takes writes to one for a failure that
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

#[cfg(test)]
mod tests {
    use tablesmith_store::{Append, Delete, DeleteTarget, Increment, Put};

    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused_before_it_is_sent() {
        let no_patterns = Scan::all().filter(Filter::FuzzyRow(Vec::new()));
        for scan in [Scan::all().versions(0), no_patterns] {
            assert_eq!(check_scan(&scan).unwrap_err().exception(), "IllegalArgumentException");
        }
        assert_eq!(check_get(&Get::new("")).unwrap_err().exception(), "IllegalArgumentException");
    }

    #[test]
    fn a_filter_of_the_clusters_own_is_left_to_it() {
        let filter = Filter::Other { class: "com.example.F".to_owned(), serialized: Bytes::new() };
        assert!(check_scan(&Scan::all().filter(filter)).is_ok());
    }

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
