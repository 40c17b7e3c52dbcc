//! Check and mutate: the value given is compared with the cell, and then the writes happen or not.

use bytes::Bytes;
use tablesmith_model::TimeRange;
use tablesmith_store::filter::{Comparator, CompareOp, Filter};
use tablesmith_store::{
    Append, CheckAndMutate, CheckOutcome, Condition, Delete, Get, Increment, Mutation, Put, RowMutations,
};

use super::check::{Broken, Checked, done, refused, same};
use super::lab::Lab;
use super::requests::{binary, column, family, family_with, get_all, value_is};
use super::table::{Table, as_expected};
use crate::sequence::text;

fn value(op: CompareOp, comparator: Comparator) -> Condition {
    Condition::Value { family: "f".into(), qualifier: "q".into(), op, comparator, time_range: TimeRange::ALL }
}

fn absent(qualifier: &'static str) -> Condition {
    Condition::Absent { family: "f".into(), qualifier: qualifier.into(), time_range: TimeRange::ALL }
}

fn then(mutations: impl IntoIterator<Item = Mutation>) -> RowMutations {
    RowMutations { row: "r".into(), mutations: mutations.into_iter().collect() }
}

fn put(qualifier: &'static str, value: &'static str) -> RowMutations {
    then([Mutation::Put(Put::new("r").add_at("f", qualifier, 9, value))])
}

async fn attempt(table: &Table<'_>, condition: Condition, then: RowMutations) -> Checked<CheckOutcome> {
    let check = CheckAndMutate { condition, then };
    let what = text::check_and_mutate(&check);
    done(what, table.store.check_and_mutate(&table.name, check).await).map(|answer| answer.value)
}

/// Wants a condition to hold or not, and the write to happen with it.
async fn succeeds(table: &Table<'_>, condition: Condition, expected: bool) -> Checked {
    let what = format!("{condition:?} succeeds");
    let before = table.rows(tablesmith_store::Scan::all()).await?;
    let outcome = attempt(table, condition, put("mark", "done")).await?;
    same(&what, &outcome.success, &expected)?;
    let marked = done("get", table.store.exists(&table.name, Get::new("r").column("f", "mark")).await)?.value;
    same(format!("{what}: written"), &marked, &expected)?;
    if marked {
        table.delete("r", column("f:mark", 9)).await?;
        table.flush().await?;
        table.major_compact().await?;
    }
    let after = table.rows(tablesmith_store::Scan::all()).await?;
    as_expected("rows after".to_owned(), &text::rows(&after), &text::rows(&before))
}

/// As in HBase the value given stands on the left: `Less` holds when *given < stored*.
pub(super) async fn compares_the_given_with_the_stored(lab: &Lab<'_>) -> Checked {
    use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "m")]).await?;
    for (op, less, equal, greater) in [
        (Less, true, false, false),
        (LessOrEqual, true, true, false),
        (Equal, false, true, false),
        (NotEqual, true, false, true),
        (GreaterOrEqual, false, true, true),
        (Greater, false, false, true),
    ] {
        for (given, expected) in [("a", less), ("m", equal), ("z", greater)] {
            let outcome = attempt(&table, value(op, binary(given)), put("x", "x")).await?;
            same(format!("{given} {op:?} stored m"), &outcome.success, &expected)?;
        }
    }
    Ok(())
}

pub(super) async fn writes_only_when_it_holds(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "m")]).await?;
    succeeds(&table, value(CompareOp::Equal, binary("m")), true).await?;
    succeeds(&table, value(CompareOp::Equal, binary("n")), false).await
}

pub(super) async fn fails_on_a_missing_column_whatever_the_operator(lab: &Lab<'_>) -> Checked {
    use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:other", 1, "m")]).await?;
    for op in [Less, LessOrEqual, Equal, NotEqual, GreaterOrEqual, Greater] {
        let outcome = attempt(&table, value(op, binary("m")), put("x", "x")).await?;
        same(format!("{op:?} on a missing column"), &outcome.success, &false)?;
    }
    table.get(Get::new("r"), "f:other@1=m").await
}

pub(super) async fn knows_absent_and_empty_values(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:full", 1, "v"), ("r", "f:empty", 1, "")]).await?;
    succeeds(&table, absent("missing"), true).await?;
    succeeds(&table, absent("empty"), true).await?;
    succeeds(&table, absent("full"), false).await?;
    table.delete("r", column("f:full", 1)).await?;
    succeeds(&table, absent("full"), true).await
}

/// An empty value that is given means "absent", with every operator but `NotEqual`, which means the opposite.
pub(super) async fn takes_an_empty_given_value_for_absent(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    succeeds(&table, value(CompareOp::Equal, binary("")), true).await?;
    succeeds(&table, value(CompareOp::Greater, binary("")), true).await?;
    succeeds(&table, value(CompareOp::NotEqual, binary("")), false).await?;
    table.put(&[("r", "f:q", 1, "v")]).await?;
    succeeds(&table, value(CompareOp::Equal, binary("")), false).await?;
    succeeds(&table, value(CompareOp::NotEqual, binary("")), true).await
}

pub(super) async fn looks_at_the_newest_version_in_a_time_range(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:q", 1000, "old"), ("r", "f:q", 2000, "new")]).await?;
    succeeds(&table, value(CompareOp::Equal, binary("old")), false).await?;
    let past = TimeRange::new(0, 2000).map_err(|error| Broken(error.to_string()))?;
    let with_range = |given| Condition::Value {
        family: "f".into(),
        qualifier: "q".into(),
        op: CompareOp::Equal,
        comparator: binary(given),
        time_range: past,
    };
    succeeds(&table, with_range("old"), true).await?;
    succeeds(&table, with_range("new"), false).await
}

pub(super) async fn takes_filters(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:a", 1, "x"), ("r", "f:b", 1, "y")]).await?;
    let filter = |filter| Condition::Filter { filter, time_range: TimeRange::ALL };
    succeeds(&table, filter(value_is("y")), true).await?;
    succeeds(&table, filter(value_is("z")), false).await?;
    succeeds(&table, filter(Filter::ColumnPrefix("b".into())), true).await?;
    let outside = TimeRange::new(2, 9).map_err(|error| Broken(error.to_string()))?;
    succeeds(&table, Condition::Filter { filter: value_is("y"), time_range: outside }, false).await
}

pub(super) async fn does_every_kind_of_mutation(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=3")?, family("g")]).await?;
    table.put(&[("r", "f:q", 1000, "m"), ("r", "f:gone", 1000, "v"), ("r", "f:tail", 1000, "a")]).await?;
    let mutations = then([
        Mutation::Put(Put::new("r").add_at("g", "new", 5, "n")),
        Mutation::Delete(Delete::row("r").target(column("f:gone", 1000))),
        Mutation::Increment(Increment::new("r", "f", "count", 2)),
        Mutation::Append(Append::new("r", "f", "tail", "b")),
    ]);
    let outcome = attempt(&table, value(CompareOp::Equal, binary("m")), mutations).await?;
    same("success", &outcome.success, &true)?;
    let row = outcome.row.ok_or_else(|| Broken("the new values are missing in the answer".to_owned()))?;
    let count = r"f:count@now=\x00\x00\x00\x00\x00\x00\x00\x02";
    as_expected("the answer".to_owned(), &text::cells(&row.cells), &format!("{count} f:tail@now=ab"))?;
    table.get(Get::new("r"), &format!("{count} f:q@1000=m f:tail@now=ab g:new@5=n")).await
}

pub(super) async fn does_all_or_nothing(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "m")]).await?;
    let mutations = then([
        Mutation::Put(Put::new("r").add_at("f", "a", 5, "n")),
        Mutation::Put(Put::new("r").add_at("nope", "a", 5, "n")),
    ]);
    let check = CheckAndMutate { condition: value(CompareOp::Equal, binary("m")), then: mutations };
    let answer = table.store.check_and_mutate(&table.name, check).await;
    refused("a write to an unknown family", answer, "NoSuchColumnFamilyException")?;
    table.get(get_all("r"), "f:q@1=m").await
}

pub(super) async fn refuses_unknown_families_and_other_rows(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let condition =
        Condition::Absent { family: "nope".into(), qualifier: "q".into(), time_range: TimeRange::ALL };
    let check = CheckAndMutate { condition, then: put("x", "x") };
    let answer = table.store.check_and_mutate(&table.name, check).await;
    refused("a check of an unknown family", answer, "NoSuchColumnFamilyException")?;
    let other = then([Mutation::Put(Put::new(Bytes::from("s")).add("f", "q", "v"))]);
    let answer = table
        .store
        .check_and_mutate(&table.name, CheckAndMutate { condition: absent("q"), then: other })
        .await;
    refused("a write to another row", answer, "DoNotRetryIOException")
}
