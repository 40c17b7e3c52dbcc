//! Parts of rows: so many cells at a time, so many of each family.

use tablesmith_store::filter::{ColumnCondition, CompareOp, Filter};
use tablesmith_store::{Get, Scan};

use super::check::{Checked, refused};
use super::lab::Lab;
use super::requests::{Read, all_of, binary, family, scan_all, value_is};
use super::table::Table;

async fn wide<'a>(lab: &Lab<'a>) -> Checked<Table<'a>> {
    let table = lab.table([family("f").with_versions(2), family("g")]).await?;
    table.put(&[("r1", "f:a", 1, "1"), ("r1", "f:a", 2, "1b"), ("r1", "f:b", 1, "2")]).await?;
    table.put(&[("r1", "f:c", 1, "3"), ("r1", "g:a", 1, "4"), ("r1", "g:b", 1, "5")]).await?;
    table.put(&[("r2", "f:a", 1, "6")]).await?;
    Ok(table)
}

fn parts(cells: u32) -> Scan {
    Scan { batch: Some(cells), ..Scan::all() }
}

pub(super) async fn batch_cuts_rows_into_parts(lab: &Lab<'_>) -> Checked {
    let table = wide(lab).await?;
    let expected = "r1: f:a@2=1b f:b@1=2 | r1: f:c@1=3 g:a@1=4 | r1: g:b@1=5 | r2: f:a@1=6";
    table.scan(parts(2), expected).await?;
    let expected = "r1: f:a@2=1b f:b@1=2 f:c@1=3 g:a@1=4 g:b@1=5 | r2: f:a@1=6";
    table.scan(parts(5), expected).await?;
    let expected = "r1: f:a@2=1b f:a@1=1 | r1: f:b@1=2 f:c@1=3 | r1: g:a@1=4 g:b@1=5 | r2: f:a@1=6";
    table.scan(parts(2).versions(2), expected).await?;
    let expected = "r1: f:b@1=2 g:a@1=4 g:b@1=5";
    table.scan(parts(3).column("f", "b").family("g"), expected).await
}

pub(super) async fn batch_cuts_reversed_and_raw_rows(lab: &Lab<'_>) -> Checked {
    let table = wide(lab).await?;
    let expected = "r2: f:a@1=6 | r1: f:a@2=1b f:b@1=2 | r1: f:c@1=3 g:a@1=4 | r1: g:b@1=5";
    table.scan(parts(2).reversed(), expected).await?;
    let expected = "r1: f:a@2=1b f:a@1=1 f:b@1=2 f:c@1=3 | r1: g:a@1=4 g:b@1=5 | r2: f:a@1=6";
    table.scan(parts(4).raw().versions(9), expected).await
}

pub(super) async fn limit_counts_rows_not_parts(lab: &Lab<'_>) -> Checked {
    let table = wide(lab).await?;
    let expected = "r1: f:a@2=1b f:b@1=2 | r1: f:c@1=3 g:a@1=4 | r1: g:b@1=5";
    table.scan(parts(2).limit(1), expected).await?;
    let scan = Scan { caching: Some(1), ..parts(2).limit(2) };
    table.scan(scan, &format!("{expected} | r2: f:a@1=6")).await
}

pub(super) async fn batch_counts_what_the_filter_leaves(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r1", "f:a", 1, "1"), ("r1", "f:b", 1, "2"), ("r1", "f:c", 1, "1")]).await?;
    table.put(&[("r1", "f:d", 1, "1"), ("r2", "f:a", 1, "1")]).await?;
    let expected = "r1: f:a@1=1 f:c@1=1 | r1: f:d@1=1 | r2: f:a@1=1";
    table.scan(parts(2).with(value_is("1")), expected).await?;
    table.scan(parts(1).with(Filter::FirstKeyOnly), "r1: f:a@1=1 | r2: f:a@1=1").await?;
    let page = Filter::ColumnPagination { limit: 3, offset: 1 };
    table.scan(parts(2).with(page), "r1: f:b@1=2 f:c@1=1 | r1: f:d@1=1").await
}

/// A filter that decides about whole rows cannot work on parts of them.
pub(super) async fn batch_refuses_filters_of_whole_rows(lab: &Lab<'_>) -> Checked {
    let table = wide(lab).await?;
    let single = Filter::SingleColumnValue(ColumnCondition {
        family: "f".into(),
        qualifier: "a".into(),
        op: CompareOp::Equal,
        comparator: binary("6"),
        filter_if_missing: true,
        latest_version_only: true,
    });
    let filters = [
        Filter::Page(1),
        single.clone(),
        all_of([value_is("1"), single]),
        Filter::Skip(Box::new(value_is("1"))),
    ];
    for filter in filters {
        let what = format!("batch with {filter:?}");
        let answer = table.store.scan_all(&table.name, parts(2).with(filter)).await;
        refused(what, answer, "IncompatibleFilterException")?;
    }
    Ok(())
}

pub(super) async fn each_family_gives_so_many_cells(lab: &Lab<'_>) -> Checked {
    let table = wide(lab).await?;
    let expected = "r1: f:a@2=1b f:b@1=2 g:a@1=4 g:b@1=5 | r2: f:a@1=6";
    table.scan(Scan::all().per_family(2, 0), expected).await?;
    let expected = "r1: f:a@2=1b f:a@1=1 g:a@1=4 g:b@1=5 | r2: f:a@1=6";
    table.scan(scan_all().per_family(2, 0), expected).await?;
    table.scan(Scan::all().per_family(1, 1), "r1: f:b@1=2 g:b@1=5").await?;
    table.get(Get::new("r1").per_family(2, 1), "f:b@1=2 f:c@1=3 g:b@1=5").await?;
    let expected = "r1: f:b@1=2 g:a@1=4";
    table.scan(Scan::all().per_family(1, 0).column("f", "b").column("f", "c").family("g"), expected).await
}

pub(super) async fn each_family_is_cut_after_the_filter(lab: &Lab<'_>) -> Checked {
    let table = wide(lab).await?;
    let filter = || Filter::Qualifier(CompareOp::Greater, binary("a"));
    table.scan(Scan::all().per_family(1, 0).with(filter()), "r1: f:b@1=2 g:b@1=5").await?;
    table.scan(Scan::all().per_family(1, 1).with(filter()), "r1: f:c@1=3").await
}
