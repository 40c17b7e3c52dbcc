//! Several writes to one row: all or none.

use tablesmith_store::{Append, Delete, Increment, Mutation, Put, Row, RowMutations};

use super::check::{Checked, done, refused};
use super::lab::Lab;
use super::requests::{column, family, get_all, version, whole_family};
use super::table::{Table, as_expected};
use crate::sequence::text;

fn of_row(mutations: impl IntoIterator<Item = Mutation>) -> RowMutations {
    RowMutations { row: "r".into(), mutations: mutations.into_iter().collect() }
}

fn put(column: &'static str, timestamp: i64, value: &'static str) -> Mutation {
    let (family, qualifier) = super::requests::split(column);
    Mutation::Put(Put::new("r").add_at(family, qualifier, timestamp, value))
}

async fn mutate(table: &Table<'_>, mutations: RowMutations) -> Checked<Row> {
    let what = text::mutations(&mutations);
    done(what, table.store.mutate_row(&table.name, mutations).await).map(|answer| answer.value)
}

pub(super) async fn happen_together(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3), family("g").with_versions(3)]).await?;
    table.put(&[("r", "f:old", 1000, "o"), ("r", "g:a", 1000, "g1"), ("r", "g:a", 2000, "g2")]).await?;
    let delete = Delete::row("r").target(column("f:old", 1000)).target(version("g:a", 2000));
    let mutations = of_row([put("f:new", 5, "n"), Mutation::Delete(delete), put("g:b", 6, "b")]);
    let row = mutate(&table, mutations).await?;
    as_expected("values of the answer".to_owned(), &text::cells(&row.cells), "nothing")?;
    table.get(get_all("r"), "f:new@5=n g:a@1000=g1 g:b@6=b").await
}

pub(super) async fn happen_not_at_all_when_one_is_refused(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "v")]).await?;
    let mutations = of_row([put("f:new", 5, "n"), put("nope:new", 5, "n")]);
    let answer = table.store.mutate_row(&table.name, mutations).await;
    refused("a write to an unknown family", answer, "NoSuchColumnFamilyException")?;
    let mutations = of_row([put("f:new", 5, "n"), Mutation::Increment(Increment::new("r", "f", "q", 1))]);
    let answer = table.store.mutate_row(&table.name, mutations).await;
    refused("an increment of a value that is no number", answer, "DoNotRetryIOException")?;
    table.raw("r: f:q@1=v").await
}

/// A delete hides a put of the same time, wherever it stands in the list.
pub(super) async fn do_not_depend_on_order_at_one_timestamp(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    let hide = || Mutation::Delete(Delete::row("r").target(whole_family("f", 7)));
    mutate(&table, of_row([put("f:a", 7, "x"), hide(), put("f:b", 7, "x"), put("f:c", 8, "seen")])).await?;
    table.get(get_all("r"), "f:c@8=seen").await
}

pub(super) async fn answer_the_new_values(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:tail", 1, "a")]).await?;
    let row = mutate(
        &table,
        of_row([
            put("f:put", 5, "p"),
            Mutation::Increment(Increment::new("r", "f", "count", 7)),
            Mutation::Append(Append::new("r", "f", "tail", "b")),
        ]),
    )
    .await?;
    let expected = r"f:count@now=\x00\x00\x00\x00\x00\x00\x00\x07 f:tail@now=ab";
    as_expected("values of the answer".to_owned(), &text::cells(&row.cells), expected)
}

pub(super) async fn are_of_one_row_and_not_empty(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let other = of_row([put("f:a", 1, "v"), Mutation::Put(Put::new("s").add_at("f", "a", 1, "v"))]);
    refused("two rows", table.store.mutate_row(&table.name, other).await, "DoNotRetryIOException")?;
    let answer = table.store.mutate_row(&table.name, of_row([])).await;
    refused("no mutations", answer, "IllegalArgumentException")?;
    table.raw("nothing").await
}
