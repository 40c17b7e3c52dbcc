//! Markers as cells: how they sort, where they live, what a raw scan shows of them.

use tablesmith_store::filter::Filter;
use tablesmith_store::{Delete, Get, Scan};

use super::check::{Checked, refused};
use super::lab::Lab;
use super::requests::{Read, column, family, family_version, get_all, scan_all, version, whole_family};

pub(super) async fn sort_before_puts_by_kind(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:a", 1000, "a1"), ("r", "f:a", 2000, "a2"), ("r", "f:a", 3000, "a3")]).await?;
    table.put(&[("r", "f:b", 1000, "b1"), ("r", "f:", 1000, "e1")]).await?;
    for target in [version("f:a", 3000), column("f:a", 2000), column("f:", 900)] {
        table.delete("r", target).await?;
    }
    table.delete("r", family_version("f", 1000)).await?;
    table.delete("r", whole_family("f", 500)).await?;
    table.raw(
        "r: f:@1000!DeleteFamilyVersion f:@1000=e1 f:@900!DeleteColumn f:@500!DeleteFamily f:a@3000!Delete \
         f:a@3000=a3 f:a@2000!DeleteColumn f:a@2000=a2 f:a@1000=a1 f:b@1000=b1",
    )
    .await?;
    table.scan(scan_all(), "nothing").await?;
    table.flush().await?;
    table
        .raw(
            "r: f:@1000!DeleteFamilyVersion f:@900!DeleteColumn f:@500!DeleteFamily f:a@3000!Delete \
         f:a@2000!DeleteColumn",
        )
        .await?;
    table.major_compact().await?;
    table.raw("nothing").await
}

pub(super) async fn of_one_timestamp_sort_by_kind(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:", 7, "e"), ("r", "f:q", 7, "v")]).await?;
    let delete = Delete::row("r")
        .target(whole_family("f", 7))
        .target(version("f:", 7))
        .target(column("f:", 7))
        .target(family_version("f", 7))
        .target(version("f:q", 7))
        .target(column("f:q", 7));
    table.erase(delete).await?;
    table.raw(
        "r: f:@7!DeleteFamily f:@7!DeleteColumn f:@7!DeleteFamilyVersion f:@7!Delete f:@7=e f:q@7!DeleteColumn \
         f:q@7!Delete f:q@7=v",
    )
    .await?;
    table.get(get_all("r"), "nothing").await
}

/// Family markers have an empty qualifier, and so may puts.
pub(super) async fn of_families_live_beside_the_empty_qualifier(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:", 1000, "e1"), ("r", "f:", 2000, "e2"), ("r", "f:a", 1000, "a1")]).await?;
    table.delete("r", column("f:", 1000)).await?;
    table.get(get_all("r"), "f:@2000=e2 f:a@1000=a1").await?;
    table.get(Get::new("r").column("f", ""), "f:@2000=e2").await?;
    table.delete("r", version("f:", 2000)).await?;
    table.get(get_all("r"), "f:a@1000=a1").await?;
    table.put(&[("s", "f:", 1000, "x1"), ("s", "f:b", 1000, "x2"), ("s", "f:", 1001, "x3")]).await?;
    table.delete("s", whole_family("f", 1000)).await?;
    table.get(get_all("s"), "f:@1001=x3").await?;
    table.get(Get::new("s").column("f", "").column("f", "b"), "f:@1001=x3").await
}

pub(super) async fn of_families_work_with_those_of_columns(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.delete("r", whole_family("f", 2000)).await?;
    table.put(&[("r", "f:a", 1000, "a1"), ("r", "f:a", 2000, "a2"), ("r", "f:a", 3000, "a3")]).await?;
    table.put(&[("r", "f:a", 4000, "a4"), ("r", "f:b", 2000, "b2"), ("r", "f:b", 3000, "b3")]).await?;
    table.delete("r", version("f:a", 4000)).await?;
    table.delete("r", column("f:b", 2500)).await?;
    table.get(get_all("r"), "f:a@3000=a3 f:b@3000=b3").await?;
    table.get(get_all("r").column("f", "a"), "f:a@3000=a3").await?;
    table.flush().await?;
    table.get(get_all("r").column("f", "b"), "f:b@3000=b3").await?;
    table.raw("r: f:@2000!DeleteFamily f:a@4000!Delete f:a@3000=a3 f:b@3000=b3 f:b@2500!DeleteColumn").await
}

pub(super) async fn older_than_a_put_hide_nothing(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:q", 3000, "v3")]).await?;
    table.delete("r", column("f:q", 2000)).await?;
    table.delete("r", whole_family("f", 1000)).await?;
    table.get(get_all("r"), "f:q@3000=v3").await?;
    table.flush().await?;
    table.raw("r: f:@1000!DeleteFamily f:q@3000=v3 f:q@2000!DeleteColumn").await?;
    table.major_compact().await?;
    table.raw("r: f:q@3000=v3").await
}

pub(super) async fn of_rows_without_values_show_in_raw_scans_only(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.delete("r", column("f:q", 1000)).await?;
    table.put(&[("s", "f:q", 1000, "v")]).await?;
    table.scan(Scan::all(), "s: f:q@1000=v").await?;
    table.raw("r: f:q@1000!DeleteColumn | s: f:q@1000=v").await
}

pub(super) async fn show_in_raw_scans_with_every_option(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2), family("g").with_versions(2)]).await?;
    table.put(&[("r1", "f:a", 1000, "a1"), ("r1", "f:a", 2000, "a2"), ("r1", "f:a", 3000, "a3")]).await?;
    table.put(&[("r1", "g:a", 1000, "g1"), ("r2", "f:b", 1000, "b1"), ("r3", "g:c", 1000, "c1")]).await?;
    table.delete("r1", column("g:a", 1500)).await?;
    table.erase(Delete { timestamp: Some(4000), ..Delete::row("r2") }).await?;
    let r2 = "r2: f:@4000!DeleteFamily f:b@1000=b1 g:@4000!DeleteFamily";
    let expected = format!("r1: f:a@3000=a3 g:a@1500!DeleteColumn g:a@1000=g1 | {r2} | r3: g:c@1000=c1");
    table.scan(Scan::all().raw(), &expected).await?;
    let expected = "r1: f:a@1000=a1 g:a@1500!DeleteColumn g:a@1000=g1 | r2: f:b@1000=b1 | r3: g:c@1000=c1";
    table.scan(scan_all().raw().during(1000, 2000), expected).await?;
    let expected = "r2: f:@4000!DeleteFamily g:@4000!DeleteFamily";
    table.scan(scan_all().raw().during(4000, 4001), expected).await?;
    let expected = format!("r3: g:c@1000=c1 | {r2}");
    table.scan(scan_all().raw().reversed().limit(2), &expected).await?;
    let expected = "r1: g:a@1500!DeleteColumn g:a@1000=g1 | r2: g:@4000!DeleteFamily | r3: g:c@1000=c1";
    table.scan(scan_all().raw().family("g"), expected).await
}

pub(super) async fn pass_filters_of_raw_scans_as_empty_cells(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r1", "f:a", 1000, "a1"), ("r1", "f:a", 2000, "a2"), ("r2", "f:b", 1000, "b1")]).await?;
    table.delete("r1", column("f:a", 1500)).await?;
    table.delete("r1", whole_family("f", 500)).await?;
    table.delete("r2", version("f:b", 1000)).await?;
    let expected = "r1: f:@500!DeleteFamily | r2: f:b@1000!Delete";
    table.scan(scan_all().raw().with(Filter::FirstKeyOnly), expected).await?;
    let expected = "r1: f:a@2000=a2 f:a@1500!DeleteColumn f:a@1000=a1";
    table.scan(scan_all().raw().with(Filter::ColumnPrefix("a".into())), expected).await?;
    let expected = "r2: f:b@1000!Delete f:b@1000=b1";
    table.scan(scan_all().raw().with(Filter::Prefix("r2".into())), expected).await
}

pub(super) async fn of_named_columns_cannot_be_asked_for(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "v")]).await?;
    let scan = Scan::all().raw().column("f", "q");
    refused("raw scan of a column", table.store.scan_all(&table.name, scan).await, "DoNotRetryIOException")
}
