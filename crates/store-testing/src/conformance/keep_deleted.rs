//! KEEP_DELETED_CELLS: what was deleted stays readable in the past.

use tablesmith_store::{Delete, DeleteTarget, Get};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, column, family_version, family_with, get_all, scan_all, version, whole_family};

pub(super) async fn true_shows_the_past_before_the_marker(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=5 KEEP_DELETED_CELLS=TRUE")?]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 4000, "v4")]).await?;
    table.delete("r", column("f:q", 3000)).await?;
    table.get(get_all("r"), "f:q@4000=v4").await?;
    table.get(get_all("r").during(0, 3000), "f:q@2000=v2 f:q@1000=v1").await?;
    table.get(get_all("r").during(0, 3001), "nothing").await?;
    table.get(Get::new("r").during(2000, 2001), "f:q@2000=v2").await?;
    table.flush().await?;
    table.major_compact().await?;
    table.get(get_all("r").during(0, 3000), "f:q@2000=v2 f:q@1000=v1").await?;
    table.raw("r: f:q@4000=v4 f:q@3000!DeleteColumn f:q@2000=v2 f:q@1000=v1").await
}

pub(super) async fn false_hides_from_every_time_range(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=5")?]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2")]).await?;
    table.delete("r", column("f:q", 3000)).await?;
    table.get(get_all("r").during(0, 3000), "nothing").await?;
    table.scan(scan_all().during(0, 2500), "nothing").await?;
    table.flush().await?;
    table.get(get_all("r").during(0, 3000), "nothing").await
}

/// A deleted version counts toward VERSIONS when files are written, not when they are read.
pub(super) async fn true_counts_the_deleted_at_a_flush(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=2 KEEP_DELETED_CELLS=TRUE")?]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.delete("r", version("f:q", 3000)).await?;
    table.get(get_all("r"), "f:q@2000=v2 f:q@1000=v1").await?;
    table.flush().await?;
    table.major_compact().await?;
    table.get(get_all("r"), "f:q@2000=v2").await?;
    table.raw("r: f:q@3000!Delete f:q@3000=v3 f:q@2000=v2").await
}

pub(super) async fn true_drops_markers_when_newer_versions_push_them_out(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=2 KEEP_DELETED_CELLS=TRUE")?]).await?;
    table.put(&[("r", "f:q", 1000, "v1")]).await?;
    for target in [column("f:q", 1500), version("f:q", 1200), whole_family("f", 1100)] {
        table.delete("r", target).await?;
    }
    table.flush().await?;
    table.major_compact().await?;
    table.raw("r: f:@1100!DeleteFamily f:q@1500!DeleteColumn f:q@1200!Delete f:q@1000=v1").await?;
    table.put(&[("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.flush().await?;
    table.major_compact().await?;
    table
        .raw("r: f:@1100!DeleteFamily f:q@3000=v3 f:q@2000=v2 f:q@1500!DeleteColumn f:q@1200!Delete")
        .await?;
    table.put(&[("r", "f:q", 4000, "v4")]).await?;
    table.flush().await?;
    table.major_compact().await?;
    table.raw("r: f:q@4000=v4 f:q@3000=v3").await
}

/// Markers of a whole family sort before the time range is looked at: they hide from the past, too.
pub(super) async fn true_lets_family_markers_hide_the_past(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=3 KEEP_DELETED_CELLS=TRUE")?]).await?;
    table.put(&[("r", "f:a", 1000, "a1"), ("r", "f:a", 2000, "a2")]).await?;
    table.put(&[("r", "f:b", 1000, "b1"), ("r", "f:b", 3000, "b3")]).await?;
    table.delete("r", family_version("f", 1000)).await?;
    table.get(get_all("r"), "f:a@2000=a2 f:b@3000=b3").await?;
    table.get(get_all("r").during(0, 1001), "nothing").await?;
    table.delete("r", whole_family("f", 2000)).await?;
    table.get(get_all("r"), "f:b@3000=b3").await?;
    table.get(get_all("r").during(0, 2000), "nothing").await?;
    table.flush().await?;
    table.major_compact().await?;
    table.raw(
        "r: f:@2000!DeleteFamily f:@1000!DeleteFamilyVersion f:a@2000=a2 f:a@1000=a1 f:b@3000=b3 f:b@1000=b1",
    )
    .await
}

pub(super) async fn ttl_keeps_until_it_ends(lab: &Lab<'_>) -> Checked {
    let keep = family_with("f", "VERSIONS=3 KEEP_DELETED_CELLS=TTL")?;
    let drop = family_with("g", "VERSIONS=3 KEEP_DELETED_CELLS=TTL TTL=86400")?;
    let table = lab.table([keep, drop]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "g:q", 1000, "v1")]).await?;
    table.delete("r", version("f:q", 2000)).await?;
    table.delete("r", column("g:q", 2000)).await?;
    table.get(get_all("r"), "f:q@1000=v1").await?;
    table.raw("r: f:q@2000!Delete f:q@2000=v2 f:q@1000=v1 g:q@2000!DeleteColumn g:q@1000=v1").await?;
    table.flush().await?;
    table.raw("r: f:q@2000!Delete f:q@2000=v2 f:q@1000=v1").await?;
    table.major_compact().await?;
    table.raw("r: f:q@2000!Delete f:q@2000=v2 f:q@1000=v1").await
}

pub(super) async fn ttl_keeps_fresh_deletes_over_a_major_compaction(lab: &Lab<'_>) -> Checked {
    let keep = family_with("f", "VERSIONS=3 KEEP_DELETED_CELLS=TTL TTL=86400")?;
    let table = lab.table([keep, family_with("g", "VERSIONS=3 TTL=86400")?]).await?;
    table.put_now("r", "f:q", "v").await?;
    table.put_now("r", "g:q", "v").await?;
    let delete = Delete::row("r")
        .target(DeleteTarget::Column("f".into(), "q".into(), None))
        .target(DeleteTarget::Column("g".into(), "q".into(), None));
    table.erase(delete).await?;
    table.flush().await?;
    table.major_compact().await?;
    table.get(get_all("r"), "nothing").await?;
    table.raw("r: f:q@now!DeleteColumn f:q@now=v").await
}

pub(super) async fn works_with_min_versions(lab: &Lab<'_>) -> Checked {
    let settings = "VERSIONS=5 MIN_VERSIONS=2 TTL=86400 KEEP_DELETED_CELLS=";
    let kept = family_with("f", &format!("{settings}TRUE"))?;
    let table = lab.table([kept, family_with("g", &format!("{settings}TTL"))?]).await?;
    for column in ["f:q", "g:q"] {
        table.put(&[("r", column, 1000, "v1"), ("r", column, 2000, "v2"), ("r", column, 3000, "v3")]).await?;
        table.delete("r", version(column, 3000)).await?;
    }
    table.get(get_all("r"), "f:q@2000=v2 f:q@1000=v1 g:q@2000=v2 g:q@1000=v1").await?;
    table.flush().await?;
    table.get(get_all("r"), "f:q@2000=v2 g:q@2000=v2 g:q@1000=v1").await?;
    table.raw("r: f:q@3000!Delete f:q@3000=v3 f:q@2000=v2 g:q@3000!Delete g:q@2000=v2 g:q@1000=v1").await?;
    table.major_compact().await?;
    table.raw("r: f:q@3000!Delete f:q@3000=v3 f:q@2000=v2 g:q@2000=v2 g:q@1000=v1").await
}
