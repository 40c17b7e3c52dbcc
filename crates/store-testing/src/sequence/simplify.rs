//! Plainer forms of a step, to be tried when a sequence is shrunk.

use tablesmith_model::{FamilyDescriptor, TimeRange};
use tablesmith_store::filter::Filter;
use tablesmith_store::{Columns, Get, ReadOptions, RowBound, RowMutations, Scan};

use super::step::{Operation, Step};

/// Steps a little plainer than this one; none when it is as plain as can be.
pub(super) fn simpler(step: &Step) -> Vec<Step> {
    match step {
        Step::Advance(ms) if *ms > 1 => vec![Step::Advance(1)],
        Step::Advance(_) => Vec::new(),
        Step::On(table, operation) => {
            simpler_operations(operation).into_iter().map(|plain| Step::On(*table, plain)).collect()
        }
    }
}

fn simpler_operations(operation: &Operation) -> Vec<Operation> {
    match operation {
        Operation::Create(families, splits) => {
            let mut plain: Vec<_> = without_one(splits)
                .into_iter()
                .map(|splits| Operation::Create(families.clone(), splits))
                .collect();
            plain.extend(
                simpler_families(families)
                    .into_iter()
                    .map(|families| Operation::Create(families, splits.clone())),
            );
            plain
        }
        Operation::Alter(families) => simpler_families(families).into_iter().map(Operation::Alter).collect(),
        Operation::Put(put) => {
            let fewer = without_one(&put.cells).into_iter().filter(|cells| !cells.is_empty());
            let mut plain: Vec<_> =
                fewer.map(|cells| Operation::Put(tablesmith_store::Put { cells, ..put.clone() })).collect();
            if put.ttl_ms.is_some() {
                plain.push(Operation::Put(tablesmith_store::Put { ttl_ms: None, ..put.clone() }));
            }
            plain
        }
        Operation::Delete(delete) => {
            let fewer = without_one(&delete.targets).into_iter().filter(|targets| !targets.is_empty());
            fewer
                .map(|targets| Operation::Delete(tablesmith_store::Delete { targets, ..delete.clone() }))
                .collect()
        }
        Operation::MutateRow(mutations) => {
            simpler_mutations(mutations).into_iter().map(Operation::MutateRow).collect()
        }
        Operation::CheckAndMutate(check) => simpler_mutations(&check.then)
            .into_iter()
            .map(|then| Operation::CheckAndMutate(tablesmith_store::CheckAndMutate { then, ..check.clone() }))
            .collect(),
        Operation::Batch(actions) => {
            let fewer = without_one(actions).into_iter().filter(|actions| !actions.is_empty());
            fewer.map(Operation::Batch).collect()
        }
        Operation::Get(get) => simpler_gets(get).into_iter().map(Operation::Get).collect(),
        Operation::Exists(get) => simpler_gets(get).into_iter().map(Operation::Exists).collect(),
        Operation::Scan(scan) => simpler_scans(scan).into_iter().map(Operation::Scan).collect(),
        Operation::Aggregate(aggregate) => simpler_scans(&aggregate.scan)
            .into_iter()
            .map(|scan| Operation::Aggregate(tablesmith_store::Aggregate { scan, ..aggregate.clone() }))
            .collect(),
        _ => Vec::new(),
    }
}

/// The list without its first element, without its second, …
fn without_one<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    (0..list.len())
        .map(|out| list.iter().enumerate().filter(|(at, _)| *at != out).map(|(_, one)| one.clone()).collect())
        .collect()
}

/// Without one of the families, or with one that has no settings.
fn simpler_families(families: &[FamilyDescriptor]) -> Vec<Vec<FamilyDescriptor>> {
    let mut plain: Vec<_> = without_one(families).into_iter().filter(|fewer| !fewer.is_empty()).collect();
    for (place, family) in families.iter().enumerate() {
        let unset = FamilyDescriptor::new(family.name.clone());
        for candidate in [unset.clone().with_versions(family.versions), unset] {
            let mut changed = families.to_vec();
            if candidate != *family
                && let Some(place) = changed.get_mut(place)
            {
                *place = candidate;
                plain.push(changed);
            }
        }
    }
    plain
}

fn simpler_mutations(mutations: &RowMutations) -> Vec<RowMutations> {
    without_one(&mutations.mutations)
        .into_iter()
        .filter(|fewer| !fewer.is_empty())
        .map(|fewer| RowMutations { row: mutations.row.clone(), mutations: fewer })
        .collect()
}

fn simpler_gets(get: &Get) -> Vec<Get> {
    simpler_reads(&get.read).into_iter().map(|read| Get { read, ..get.clone() }).collect()
}

fn simpler_scans(scan: &Scan) -> Vec<Scan> {
    let candidates = [
        Scan { start: RowBound::Open, ..scan.clone() },
        Scan { stop: RowBound::Open, ..scan.clone() },
        Scan { limit: None, ..scan.clone() },
        Scan { batch: None, ..scan.clone() },
        Scan { caching: None, ..scan.clone() },
        Scan { reversed: false, ..scan.clone() },
    ];
    let mut plain: Vec<_> = candidates.into_iter().filter(|candidate| candidate != scan).collect();
    plain.extend(simpler_reads(&scan.read).into_iter().map(|read| Scan { read, ..scan.clone() }));
    plain
}

fn simpler_reads(read: &ReadOptions) -> Vec<ReadOptions> {
    let candidates = [
        ReadOptions { filter: None, ..read.clone() },
        ReadOptions { columns: Columns::all(), ..read.clone() },
        ReadOptions { time_range: TimeRange::ALL, ..read.clone() },
        ReadOptions { family_time_ranges: Default::default(), ..read.clone() },
        ReadOptions { max_results_per_family: None, ..read.clone() },
        ReadOptions { row_offset_per_family: 0, ..read.clone() },
        ReadOptions { versions: 1, ..read.clone() },
    ];
    let mut plain: Vec<_> = candidates.into_iter().filter(|candidate| candidate != read).collect();
    let inner = read.filter.as_ref().map(simpler_filters).unwrap_or_default();
    plain.extend(inner.into_iter().map(|filter| ReadOptions { filter: Some(filter), ..read.clone() }));
    plain
}

/// The parts of a filter, and the filter with plainer parts.
fn simpler_filters(filter: &Filter) -> Vec<Filter> {
    match filter {
        Filter::Skip(inner) => {
            let mut plain = vec![(**inner).clone()];
            plain.extend(simpler_filters(inner).into_iter().map(|inner| Filter::Skip(Box::new(inner))));
            plain
        }
        Filter::While(inner) => {
            let mut plain = vec![(**inner).clone()];
            plain.extend(simpler_filters(inner).into_iter().map(|inner| Filter::While(Box::new(inner))));
            plain
        }
        Filter::List(op, filters) => {
            let mut plain = filters.clone();
            plain.extend(without_one(filters).into_iter().map(|fewer| Filter::List(*op, fewer)));
            for (place, part) in filters.iter().enumerate() {
                for simpler in simpler_filters(part) {
                    let mut changed = filters.clone();
                    if let Some(place) = changed.get_mut(place) {
                        *place = simpler;
                    }
                    plain.push(Filter::List(*op, changed));
                }
            }
            plain
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::filter::ListOp;

    /// Shrinking ends because every candidate differs and becomes plain at last.
    #[test]
    fn candidates_become_plainer_until_none_is_left() {
        let filter =
            Filter::List(ListOp::All, vec![Filter::Skip(Box::new(Filter::FirstKeyOnly)), Filter::Page(1)]);
        let mut scan = Scan::range("a", "c").limit(2).reversed().versions(3).column("f", "q").filter(filter);
        scan.read.row_offset_per_family = 1;
        let mut step = Step::On(0, Operation::Scan(scan));
        let mut rounds = 0;
        while let Some(plainer) = simpler(&step).pop() {
            assert_ne!(plainer, step);
            step = plainer;
            rounds += 1;
            assert!(rounds < 100, "{step}");
        }
        assert_eq!(step, Step::On(0, Operation::Scan(Scan::all())));
    }
}
