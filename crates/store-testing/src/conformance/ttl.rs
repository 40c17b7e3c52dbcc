//! Time to live: of a family, of a cell, and what MIN_VERSIONS saves from it.

use tablesmith_store::{Get, Put, Scan};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, column, family, family_with, get_all, newest, version};

/// Longer than any check: cells of the present stay, those of 1970 are expired.
const DAY: &str = "VERSIONS=4 TTL=86400";

pub(super) async fn of_a_family_ends_its_cells(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", DAY)?, family("g")]).await?;
    table.put(&[("r", "f:q", 1000, "gone"), ("r", "g:q", 1000, "stays")]).await?;
    table.put_now("s", "f:q", "fresh").await?;
    table.get(Get::new("r"), "g:q@1000=stays").await?;
    table.get(Get::new("r").during(1000, 1001).family("f"), "nothing").await?;
    table.scan(Scan::all(), "r: g:q@1000=stays | s: f:q@now=fresh").await?;
    table.raw("r: f:q@1000=gone g:q@1000=stays | s: f:q@now=fresh").await?;
    table.flush().await?;
    table.raw("r: g:q@1000=stays | s: f:q@now=fresh").await
}

pub(super) async fn of_a_family_spares_the_future(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=3 TTL=1")?]).await?;
    table.put(&[("r", "f:q", 99_999_999_999_999, "future"), ("r", "f:q", 1000, "past")]).await?;
    table.get(get_all("r"), "f:q@now=future").await?;
    table.flush().await?;
    table.get(get_all("r"), "f:q@now=future").await
}

pub(super) async fn of_a_family_ends_markers_at_a_flush(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", DAY)?]).await?;
    table.put_now("r", "f:q", "v").await?;
    table.delete("r", column("f:q", 5000)).await?;
    table.get(get_all("r"), "f:q@now=v").await?;
    table.raw("r: f:q@now=v f:q@5000!DeleteColumn").await?;
    table.flush().await?;
    table.raw("r: f:q@now=v").await
}

pub(super) async fn of_a_cell_ends_it(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=3")?]).await?;
    table.put(&[("r", "f:q", 500, "base")]).await?;
    table.write(Put { ttl_ms: Some(1000), ..Put::new("r").add_at("f", "q", 1000, "short") }).await?;
    let long = Put { ttl_ms: Some(9_000_000_000_000), ..Put::new("r").add_at("f", "p", 1000, "long") };
    table.write(long).await?;
    table.get(get_all("r"), "f:p@1000=long f:q@500=base").await?;
    table.raw("r: f:p@1000=long f:q@500=base").await?;
    table.flush().await?;
    table.major_compact().await?;
    table.raw("r: f:p@1000=long f:q@500=base").await
}

pub(super) async fn of_a_cell_cannot_outlive_its_family(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", DAY)?]).await?;
    let put = Put::new("r").add_at("f", "q", 1000, "old");
    table.write(Put { ttl_ms: Some(9_000_000_000_000), ..put }).await?;
    table.get(get_all("r"), "nothing").await
}

pub(super) async fn spares_the_newest_of_min_versions(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=4 MIN_VERSIONS=2 TTL=86400")?]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.put(&[("r", "f:p", 1000, "p1")]).await?;
    table.get(get_all("r"), "f:p@1000=p1 f:q@3000=v3 f:q@2000=v2").await?;
    table.get(get_all("r").during(0, 2001), "f:p@1000=p1 f:q@2000=v2 f:q@1000=v1").await?;
    table.put_now("r", "f:q", "fresh").await?;
    table.get(get_all("r"), "f:p@1000=p1 f:q@now=fresh f:q@3000=v3").await?;
    table.flush().await?;
    table.raw("r: f:p@1000=p1 f:q@now=fresh f:q@3000=v3").await
}

pub(super) async fn counts_no_deleted_version_as_spared(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=4 MIN_VERSIONS=1 TTL=86400")?]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.delete("r", version("f:q", 3000)).await?;
    table.get(get_all("r"), "f:q@2000=v2").await?;
    table.flush().await?;
    table.raw("r: f:q@3000!Delete f:q@2000=v2").await?;
    table.delete("r", column("f:q", 2500)).await?;
    table.get(get_all("r"), "nothing").await?;
    table.flush().await?;
    table.major_compact().await?;
    table.raw("nothing").await
}

pub(super) async fn of_a_cell_is_not_spared_by_min_versions(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=3 MIN_VERSIONS=1 TTL=86400")?]).await?;
    table.write(Put { ttl_ms: Some(1000), ..Put::new("r").add_at("f", "q", 1000, "short") }).await?;
    table.put(&[("r", "f:q", 900, "older")]).await?;
    table.get(get_all("r"), "f:q@900=older").await?;
    table.delete("r", newest("f:q")).await?;
    table.get(get_all("r"), "nothing").await
}
