//! Filters that choose columns: by name, by count, by place.

use tablesmith_store::filter::{CompareOp, Filter};
use tablesmith_store::{Get, Scan};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, binary, family, scan_all};
use super::table::Table;

fn by(filter: Filter) -> Scan {
    Scan::all().with(filter)
}

async fn columns<'a>(lab: &Lab<'a>) -> Checked<Table<'a>> {
    let table = lab.table([family("f").with_versions(2), family("g")]).await?;
    table.put(&[("r1", "f:ab", 1, "1"), ("r1", "f:ab", 2, "1b"), ("r1", "f:abc", 1, "2")]).await?;
    table.put(&[("r1", "f:b", 1, "3"), ("r1", "f:cd", 1, "4"), ("r1", "g:abz", 1, "5")]).await?;
    table.put(&[("r1", "g:c", 1, "6"), ("r2", "f:x", 1, "7")]).await?;
    Ok(table)
}

pub(super) async fn column_prefix(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    let ab = || Filter::ColumnPrefix("ab".into());
    table.scan(by(ab()), "r1: f:ab@2=1b f:abc@1=2 g:abz@1=5").await?;
    table.scan(scan_all().with(ab()), "r1: f:ab@2=1b f:ab@1=1 f:abc@1=2 g:abz@1=5").await?;
    table.scan(by(ab()).family("g"), "r1: g:abz@1=5").await?;
    table.get(Get::new("r1").with(Filter::ColumnPrefix("c".into())), "f:cd@1=4 g:c@1=6").await
}

pub(super) async fn multiple_column_prefix(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    let filter = Filter::MultipleColumnPrefix(vec!["c".into(), "ab".into()]);
    table.scan(by(filter), "r1: f:ab@2=1b f:abc@1=2 f:cd@1=4 g:abz@1=5 g:c@1=6").await?;
    table.scan(by(Filter::MultipleColumnPrefix(vec!["x".into()])), "r2: f:x@1=7").await
}

/// Of prefixes that begin one another only the greatest that is not after the column counts: `abz` is after `abc`.
pub(super) async fn multiple_column_prefix_of_nested_prefixes(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    let nested = Filter::MultipleColumnPrefix(vec!["ab".into(), "abc".into()]);
    table.scan(by(nested), "r1: f:ab@2=1b f:abc@1=2").await
}

pub(super) async fn column_range(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    let range = |min: Option<&'static str>, min_inclusive, max: Option<&'static str>, max_inclusive| {
        by(Filter::ColumnRange {
            min: min.map(Into::into),
            min_inclusive,
            max: max.map(Into::into),
            max_inclusive,
        })
    };
    table.scan(range(Some("ab"), true, Some("b"), true), "r1: f:ab@2=1b f:abc@1=2 f:b@1=3 g:abz@1=5").await?;
    table.scan(range(Some("ab"), false, Some("b"), false), "r1: f:abc@1=2 g:abz@1=5").await?;
    table.scan(range(None, true, Some("ab"), true), "r1: f:ab@2=1b").await?;
    table.scan(range(Some("c"), true, None, true), "r1: f:cd@1=4 g:c@1=6 | r2: f:x@1=7").await
}

/// Columns are counted over all families of a row.
pub(super) async fn column_pagination(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    let page = |limit, offset| Filter::ColumnPagination { limit, offset };
    table.scan(by(page(2, 1)), "r1: f:abc@1=2 f:b@1=3").await?;
    table.scan(scan_all().with(page(1, 0)), "r1: f:ab@2=1b | r2: f:x@1=7").await?;
    table.scan(by(page(9, 3)), "r1: f:cd@1=4 g:abz@1=5 g:c@1=6").await?;
    table.scan(by(page(0, 0)), "nothing").await?;
    table.scan(by(page(2, 9)), "nothing").await?;
    table.get(Get::new("r1").with(page(1, 4)), "g:abz@1=5").await
}

pub(super) async fn column_pagination_from_a_column(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    let from = |limit, column: &'static str| {
        by(Filter::ColumnPaginationFrom { limit, column: column.into() }).family("f")
    };
    table.scan(from(2, "abc"), "r1: f:abc@1=2 f:b@1=3 | r2: f:x@1=7").await?;
    table.scan(from(1, "c"), "r1: f:cd@1=4 | r2: f:x@1=7").await?;
    table.scan(from(3, "z"), "nothing").await
}

pub(super) async fn column_count_get(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    let count = Filter::ColumnCountGet;
    table.get(Get::new("r1").with(count(2)), "f:ab@2=1b f:abc@1=2").await?;
    table.get(Get::new("r1").versions(2).with(count(2)), "f:ab@2=1b f:abc@1=2").await?;
    table.get(Get::new("r1").with(count(5)), "f:ab@2=1b f:abc@1=2 f:b@1=3 f:cd@1=4 g:abz@1=5").await?;
    table.get(Get::new("r1").with(count(0)), "nothing").await
}

pub(super) async fn first_key_only(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    table.scan(scan_all().with(Filter::FirstKeyOnly), "r1: f:ab@2=1b | r2: f:x@1=7").await?;
    table.scan(by(Filter::FirstKeyOnly).family("g"), "r1: g:abz@1=5").await
}

pub(super) async fn family_and_qualifier(lab: &Lab<'_>) -> Checked {
    let table = columns(lab).await?;
    table.scan(by(Filter::Family(CompareOp::Greater, binary("f"))), "r1: g:abz@1=5 g:c@1=6").await?;
    table.scan(by(Filter::Family(CompareOp::Equal, binary("x"))), "nothing").await?;
    let expected = "r1: f:ab@2=1b f:abc@1=2 g:abz@1=5";
    table.scan(by(Filter::Qualifier(CompareOp::Less, binary("b"))), expected).await?;
    let expected = "r1: f:ab@2=1b f:abc@1=2 f:cd@1=4 g:abz@1=5 g:c@1=6 | r2: f:x@1=7";
    table.scan(by(Filter::Qualifier(CompareOp::NotEqual, binary("b"))), expected).await
}

pub(super) async fn dependent_column(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3), family("g")]).await?;
    table.put(&[("r1", "f:a", 1000, "x"), ("r1", "f:b", 1000, "b1"), ("r1", "f:c", 2000, "c2")]).await?;
    table.put(&[("r1", "g:d", 1000, "d1"), ("r2", "f:a", 2000, "y"), ("r2", "f:c", 2000, "c2")]).await?;
    table.put(&[("r2", "f:b", 1000, "b1"), ("r3", "f:b", 1000, "b1")]).await?;
    let on = |drop_dependent, value| {
        by(Filter::DependentColumn { family: "f".into(), qualifier: "a".into(), drop_dependent, value })
    };
    let expected = "r1: f:a@1000=x f:b@1000=b1 g:d@1000=d1 | r2: f:a@2000=y f:c@2000=c2";
    table.scan(on(false, None), expected).await?;
    table.scan(on(true, None), "r1: f:b@1000=b1 g:d@1000=d1 | r2: f:c@2000=c2").await?;
    let is_x = Some((CompareOp::Equal, binary("x")));
    table.scan(on(true, is_x), "r1: f:b@1000=b1 g:d@1000=d1").await
}
