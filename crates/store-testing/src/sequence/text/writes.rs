//! Writes as text.

use tablesmith_model::bytes_text::to_text;
use tablesmith_model::{TimeRange, Timestamp};
use tablesmith_store::{
    Action, Append, CheckAndMutate, Condition, Delete, DeleteTarget, Increment, Mutation, Put, RowMutations,
};

use super::reads::{get, time_range};
use super::{column, joined};

/// `put row f:q@5=value`.
pub(crate) fn put(put: &Put) -> String {
    let cells: Vec<_> = put
        .cells
        .iter()
        .map(|(family, qualifier, timestamp, value)| {
            format!("{}{}={}", column(family, qualifier), at(*timestamp), to_text(value))
        })
        .collect();
    format!("put {} {}{}", to_text(&put.row), cells.join(" "), ttl(put.ttl_ms))
}

/// `delete row column f:q@5`.
pub(crate) fn delete(delete: &Delete) -> String {
    let row = to_text(&delete.row);
    if delete.targets.is_empty() {
        return format!("delete {row} whole row{}", at(delete.timestamp));
    }
    let targets: Vec<_> = delete
        .targets
        .iter()
        .map(|target| match target {
            DeleteTarget::Family(family, time) => format!("family {}{}", to_text(family), at(*time)),
            DeleteTarget::FamilyVersion(family, time) => {
                format!("family version {}{}", to_text(family), at(Some(*time)))
            }
            DeleteTarget::Column(family, qualifier, time) => {
                format!("column {}{}", column(family, qualifier), at(*time))
            }
            DeleteTarget::Version(family, qualifier, time) => {
                format!("version {}{}", column(family, qualifier), at(*time))
            }
        })
        .collect();
    format!("delete {row} {}", targets.join(", "))
}

/// `increment row f:q+1`.
pub(crate) fn increment(increment: &Increment) -> String {
    let amounts: Vec<_> = increment
        .amounts
        .iter()
        .map(|(family, qualifier, amount)| format!("{}{amount:+}", column(family, qualifier)))
        .collect();
    let options = update_options(increment.time_range, increment.ttl_ms, increment.return_results);
    format!("increment {} {}{options}", to_text(&increment.row), amounts.join(" "))
}

/// `append row f:q+value`.
pub(crate) fn append(append: &Append) -> String {
    let values: Vec<_> = append
        .values
        .iter()
        .map(|(family, qualifier, value)| format!("{}+{}", column(family, qualifier), to_text(value)))
        .collect();
    let options = update_options(append.time_range, append.ttl_ms, append.return_results);
    format!("append {} {}{options}", to_text(&append.row), values.join(" "))
}

/// Several mutations of one row.
pub(crate) fn mutations(mutations: &RowMutations) -> String {
    let each: Vec<_> = mutations.mutations.iter().map(mutation).collect();
    format!("atomically on {} [{}]", to_text(&mutations.row), each.join("; "))
}

/// `if condition then …`.
pub(crate) fn check_and_mutate(check: &CheckAndMutate) -> String {
    let condition = match &check.condition {
        Condition::Value { family, qualifier, op, comparator, time_range: range } => {
            format!("{comparator:?} {op:?} {}{}", column(family, qualifier), during(*range))
        }
        Condition::Absent { family, qualifier, time_range: range } => {
            format!("{} is absent{}", column(family, qualifier), during(*range))
        }
        Condition::Filter { filter, time_range: range } => {
            format!("filter {filter:?} leaves something{}", during(*range))
        }
    };
    format!("if {condition} then {}", mutations(&check.then))
}

/// An element of a batch.
pub(crate) fn action(action: &Action) -> String {
    match action {
        Action::Get(request) => get(request),
        Action::Mutate(request) => mutation(request),
        Action::RowMutations(request) => mutations(request),
        Action::CheckAndMutate(request) => check_and_mutate(request),
    }
}

fn mutation(mutation: &Mutation) -> String {
    match mutation {
        Mutation::Put(request) => put(request),
        Mutation::Delete(request) => delete(request),
        Mutation::Increment(request) => increment(request),
        Mutation::Append(request) => append(request),
    }
}

fn at(timestamp: Option<Timestamp>) -> String {
    timestamp.map(|timestamp| format!("@{}", super::timestamp(timestamp))).unwrap_or_default()
}

fn ttl(ttl_ms: Option<i64>) -> String {
    ttl_ms.map(|ms| format!(" {{ttl {ms} ms}}")).unwrap_or_default()
}

fn during(range: TimeRange) -> String {
    let range = time_range(range);
    if range.is_empty() { range } else { format!(" in {range}") }
}

fn update_options(range: TimeRange, ttl_ms: Option<i64>, return_results: bool) -> String {
    let options = joined([
        time_range(range),
        ttl_ms.map(|ms| format!("ttl {ms} ms")).unwrap_or_default(),
        if return_results { String::new() } else { "no results".to_owned() },
    ]);
    if options.is_empty() { options } else { format!(" {{{options}}}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::filter::{Comparator, CompareOp};

    #[test]
    fn writes_print_what_is_asked() {
        let request = Put::new("r").add_at("f", "q", 5, "v").add("f", "", "w");
        assert_eq!(put(&request), "put r f:q@5=v f:=w");
        let hidden = Delete::row("r").target(DeleteTarget::Column("f".into(), "q".into(), Some(7)));
        assert_eq!(delete(&hidden), "delete r column f:q@7");
        assert_eq!(delete(&Delete::row("r")), "delete r whole row");
        assert_eq!(increment(&Increment::new("r", "f", "q", -1)), "increment r f:q-1");
        let check = CheckAndMutate {
            condition: Condition::Value {
                family: "f".into(),
                qualifier: "q".into(),
                op: CompareOp::Less,
                comparator: Comparator::Null,
                time_range: TimeRange::ALL,
            },
            then: RowMutations { row: "r".into(), mutations: vec![Mutation::Put(request)] },
        };
        assert_eq!(check_and_mutate(&check), "if Null Less f:q then atomically on r [put r f:q@5=v f:=w]");
    }
}
