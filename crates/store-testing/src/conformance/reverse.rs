//! Reversed scans: rows from high keys to low ones, everything inside a row as always.

use tablesmith_store::filter::Filter;
use tablesmith_store::{RowBound, Scan};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, family};
use super::scans::with_rows;

fn down_from(start: &'static str, stop: &'static str) -> Scan {
    Scan::range(start, stop).reversed()
}

pub(super) async fn take_their_start_and_leave_their_stop(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "bb", "c", "d"], []).await?;
    for (start, stop, expected) in [
        ("c", "", "c bb b a"),
        ("ca", "", "c bb b a"),
        ("", "b", "d c bb"),
        ("c", "b", "c bb"),
        ("c", "c", "c"),
        ("0", "", ""),
        ("", "", "d c bb b a"),
        ("a", "c", ""),
    ] {
        table.keys(down_from(start, stop), expected).await?;
    }
    Ok(())
}

pub(super) async fn have_bounds_that_belong_to_them_or_not(lab: &Lab<'_>) -> Checked {
    use RowBound::{Excluded, Included, Open};
    let table = with_rows(lab, ["a", "b", "c", "d"], ["c"]).await?;
    for (start, stop, expected) in [
        (Excluded("d".into()), Included("b".into()), "c b"),
        (Included("c".into()), Excluded("a".into()), "c b"),
        (Excluded("c".into()), Open, "b a"),
        (Open, Included("a".into()), "d c b a"),
        (Included("b".into()), Included("b".into()), "b"),
    ] {
        table.keys(Scan { start, stop, ..Scan::all().reversed() }, expected).await?;
    }
    Ok(())
}

pub(super) async fn cross_region_borders(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "c", "d", "e", "f"], ["c", "e"]).await?;
    table.keys(Scan::all().reversed(), "f e d c b a").await?;
    table.keys(down_from("e", "").limit(3), "e d c").await?;
    table.keys(down_from("d", "b"), "d c").await?;
    table.keys(down_from("c", ""), "c b a").await?;
    table.flush().await?;
    table.keys(down_from("dd", ""), "d c b a").await
}

pub(super) async fn keep_the_order_of_columns_and_versions(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3), family("g")]).await?;
    table.put(&[("r1", "f:a", 1, "a1"), ("r1", "f:a", 2, "a2"), ("r1", "f:b", 1, "b1")]).await?;
    table.put(&[("r1", "g:a", 1, "g1"), ("r2", "f:a", 1, "x1")]).await?;
    table.flush().await?;
    table.put(&[("r2", "f:a", 2, "x2"), ("r3", "g:b", 1, "y1")]).await?;
    let scan = Scan::all().versions(3).reversed();
    let r1 = "r1: f:a@2=a2 f:a@1=a1 f:b@1=b1 g:a@1=g1";
    table.scan(scan, &format!("r3: g:b@1=y1 | r2: f:a@2=x2 f:a@1=x1 | {r1}")).await?;
    table.scan(Scan::all().reversed().family("g"), "r3: g:b@1=y1 | r1: g:a@1=g1").await?;
    table.scan(Scan::all().reversed().during(2, 3), "r2: f:a@2=x2 | r1: f:a@2=a2").await
}

pub(super) async fn take_filters(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["ab1", "ab2", "ac1", "b"], ["ab2"]).await?;
    table.keys(Scan::all().reversed().with(Filter::Prefix("ab".into())), "ab2 ab1").await?;
    table.keys(Scan::all().reversed().with(Filter::Page(1)), "b ab1").await?;
    let inclusive = Filter::InclusiveStop("ab2".into());
    table.keys(Scan::all().reversed().with(inclusive), "b ac1 ab2").await
}
