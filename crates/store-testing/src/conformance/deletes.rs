//! Deletes: what each kind of marker hides, and for how long.

use tablesmith_store::{Delete, DeleteTarget, Get, Scan};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{column, family, family_version, get_all, newest, scan_all, version, whole_family};

pub(super) async fn of_a_version_hide_exactly_it(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.delete("r", version("f:q", 1500)).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:q@2000=v2 f:q@1000=v1").await?;
    table.delete("r", version("f:q", 2000)).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:q@1000=v1").await?;
    table.put(&[("r", "f:q", 1500, "v15")]).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:q@1000=v1").await
}

pub(super) async fn of_a_column_hide_it_up_to_a_time(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.put(&[("r", "f:qq", 1000, "other")]).await?;
    table.delete("r", column("f:q", 2000)).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:qq@1000=other").await?;
    table.put(&[("r", "f:q", 2000, "late"), ("r", "f:q", 2001, "seen")]).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:q@2001=seen f:qq@1000=other").await
}

pub(super) async fn of_a_family_hide_it_up_to_a_time(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5), family("g")]).await?;
    table.put(&[("r", "f:a", 1000, "a1"), ("r", "f:a", 2000, "a2"), ("r", "f:b", 3000, "b3")]).await?;
    table.put(&[("r", "g:a", 1000, "g1")]).await?;
    table.delete("r", whole_family("f", 2000)).await?;
    table.get(get_all("r"), "f:b@3000=b3 g:a@1000=g1").await?;
    table.get(Get::new("r").column("f", "a").versions(5), "nothing").await?;
    table.erase(Delete::row("r").target(DeleteTarget::Family("f".into(), None))).await?;
    table.get(get_all("r"), "g:a@1000=g1").await
}

pub(super) async fn of_a_family_version_hide_all_columns_of_a_time(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5), family("g")]).await?;
    table.put(&[("r", "f:a", 1000, "a1"), ("r", "f:a", 2000, "a2"), ("r", "f:b", 1000, "b1")]).await?;
    table.put(&[("r", "g:a", 1000, "g1")]).await?;
    table.delete("r", family_version("f", 1000)).await?;
    table.get(get_all("r"), "f:a@2000=a2 g:a@1000=g1").await?;
    table.put(&[("r", "f:new", 1000, "n"), ("r", "f:new", 999, "m")]).await?;
    table.get(get_all("r"), "f:a@2000=a2 f:new@999=m g:a@1000=g1").await?;
    table.flush().await?;
    table.raw("r: f:@1000!DeleteFamilyVersion f:a@2000=a2 f:new@999=m g:a@1000=g1").await
}

pub(super) async fn of_a_row_hide_all_families(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5), family("g").with_versions(5)]).await?;
    table.put(&[("r", "f:a", 1000, "a1"), ("r", "f:a", 3000, "a3"), ("r", "g:a", 1000, "g1")]).await?;
    table.put(&[("r", "g:b", 2000, "g2"), ("s", "f:a", 1000, "other")]).await?;
    table.erase(Delete { timestamp: Some(2000), ..Delete::row("r") }).await?;
    table.get(get_all("r"), "f:a@3000=a3").await?;
    table.raw("r: f:@2000!DeleteFamily f:a@3000=a3 f:a@1000=a1 g:@2000!DeleteFamily g:a@1000=g1 g:b@2000=g2 | s: f:a@1000=other").await?;
    table.erase(Delete::row("r")).await?;
    table.scan(scan_all(), "s: f:a@1000=other").await
}

pub(super) async fn of_the_newest_version_read_first(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2")]).await?;
    table.flush().await?;
    table.put(&[("r", "f:q", 3000, "v3")]).await?;
    table.delete("r", newest("f:q")).await?;
    table.get(get_all("r"), "f:q@2000=v2 f:q@1000=v1").await?;
    table.delete("r", newest("f:q")).await?;
    table.get(get_all("r"), "f:q@1000=v1").await?;
    table.raw("r: f:q@3000!Delete f:q@3000=v3 f:q@2000!Delete f:q@2000=v2 f:q@1000=v1").await
}

pub(super) async fn of_the_newest_twice_at_once_hide_two(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.put(&[("r", "f:other", 1000, "o1"), ("r", "f:other", 2000, "o2")]).await?;
    let delete = Delete::row("r").target(newest("f:q")).target(newest("f:other")).target(newest("f:q"));
    table.erase(delete).await?;
    table.get(get_all("r"), "f:other@1000=o1 f:q@1000=v1").await
}

pub(super) async fn of_the_newest_of_nothing_mark_the_present(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.delete("r", newest("f:q")).await?;
    table.put(&[("r", "f:q", 1000, "v1")]).await?;
    table.get(Get::new("r"), "f:q@1000=v1").await?;
    table.raw("r: f:q@now!Delete f:q@1000=v1").await
}

pub(super) async fn without_a_time_hide_up_to_now(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put_now("r", "f:q", "v").await?;
    table.put(&[("r", "f:q", 1000, "old")]).await?;
    table.put(&[("r", "f:p", 99_999_999_999_999, "future")]).await?;
    table.delete("r", DeleteTarget::Column("f".into(), "q".into(), None)).await?;
    table.delete("r", DeleteTarget::Column("f".into(), "p".into(), None)).await?;
    table.get(get_all("r"), "f:p@now=future").await?;
    table.delete("r", newest("f:p")).await?;
    table.get(get_all("r"), "nothing").await
}

pub(super) async fn beat_a_put_of_the_same_timestamp(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:q", 1000, "before")]).await?;
    table.delete("r", version("f:q", 1000)).await?;
    table.put(&[("r", "f:q", 1000, "again")]).await?;
    table.get(Get::new("r"), "nothing").await?;
    table.flush().await?;
    table.major_compact().await?;
    table.get(Get::new("r"), "nothing").await?;
    table.put(&[("r", "f:q", 1000, "after")]).await?;
    table.get(Get::new("r"), "f:q@1000=after").await
}

pub(super) async fn hide_older_puts_that_come_later_until_a_major_compaction(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.delete("r", column("f:q", 5000)).await?;
    table.put(&[("r", "f:q", 2000, "v2")]).await?;
    table.get(get_all("r"), "nothing").await?;
    table.flush().await?;
    table.put(&[("r", "f:q", 3000, "v3")]).await?;
    table.get(get_all("r"), "nothing").await?;
    table.put(&[("r", "f:q", 6000, "v6")]).await?;
    table.get(get_all("r"), "f:q@6000=v6").await?;
    table.raw("r: f:q@6000=v6 f:q@5000!DeleteColumn f:q@3000=v3").await?;
    table.flush().await?;
    table.major_compact().await?;
    table.put(&[("r", "f:q", 4000, "v4")]).await?;
    table.get(get_all("r"), "f:q@6000=v6 f:q@4000=v4").await
}

pub(super) async fn of_several_things_at_once_work_together(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5), family("g").with_versions(5)]).await?;
    table.put(&[("r", "f:a", 1000, "a1"), ("r", "f:a", 2000, "a2"), ("r", "f:b", 1000, "b1")]).await?;
    table.put(&[("r", "g:a", 1000, "g1"), ("r", "g:a", 3000, "g3")]).await?;
    let delete = Delete::row("r")
        .target(version("f:a", 2000))
        .target(column("f:b", 1000))
        .target(whole_family("g", 1000));
    table.erase(delete).await?;
    table.scan(scan_all(), "r: f:a@1000=a1 g:a@3000=g3").await
}

pub(super) async fn of_the_present_stay_in_a_scan_over_regions(lab: &Lab<'_>) -> Checked {
    let table = lab.table_split([family("f")], ["c", "e"]).await?;
    for row in ["a", "c", "d", "f"] {
        table.put(&[(row, "f:q", 1, "v")]).await?;
    }
    table.erase(Delete::row("c")).await?;
    table.erase(Delete::row("f")).await?;
    table.keys(Scan::all(), "a d").await?;
    table.keys(Scan::all().reversed(), "d a").await
}
