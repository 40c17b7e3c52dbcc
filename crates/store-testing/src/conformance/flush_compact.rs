//! Flushes and compactions: what goes for good, and what stays readable.

use tablesmith_store::{FlushScope, Get};

use super::check::{Broken, Checked, done};
use super::lab::Lab;
use super::requests::{column, family, get_all, version};

pub(super) async fn a_flush_drops_the_hidden_of_its_memory_alone(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:q", 1000, "v1")]).await?;
    table.flush().await?;
    table.put(&[("r", "f:q", 2000, "v2"), ("r", "f:q", 2400, "v24")]).await?;
    table.delete("r", column("f:q", 2500)).await?;
    table.raw("r: f:q@2500!DeleteColumn f:q@2400=v24 f:q@2000=v2 f:q@1000=v1").await?;
    table.flush().await?;
    table.raw("r: f:q@2500!DeleteColumn f:q@1000=v1").await?;
    table.major_compact().await?;
    table.raw("nothing").await
}

pub(super) async fn a_flush_drops_versions_past_the_limit(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2)]).await?;
    table.put(&[("r1", "f:q", 1000, "v1"), ("r1", "f:q", 2000, "v2"), ("r1", "f:q", 3000, "v3")]).await?;
    table.delete("r1", column("f:q", 1500)).await?;
    table.put(&[("r2", "f:q", 1000, "w1")]).await?;
    table.delete("r2", version("f:q", 1000)).await?;
    table.flush().await?;
    table.raw("r1: f:q@3000=v3 f:q@2000=v2 f:q@1500!DeleteColumn | r2: f:q@1000!Delete").await?;
    table.delete("r1", version("f:q", 3000)).await?;
    table.flush().await?;
    table
        .raw("r1: f:q@3000!Delete f:q@3000=v3 f:q@2000=v2 f:q@1500!DeleteColumn | r2: f:q@1000!Delete")
        .await?;
    table.major_compact().await?;
    table.raw("r1: f:q@2000=v2").await
}

pub(super) async fn a_flush_of_a_family_leaves_the_others(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f"), family("g")]).await?;
    for column in ["f:q", "g:q"] {
        table.put(&[("r", column, 1000, "v1"), ("r", column, 2000, "v2")]).await?;
    }
    done("flush f", lab.store.flush(FlushScope::Table(table.name.clone(), Some("f".into()))).await)?;
    table.raw("r: f:q@2000=v2 g:q@2000=v2 g:q@1000=v1").await
}

pub(super) async fn a_flush_of_a_region_leaves_the_others(lab: &Lab<'_>) -> Checked {
    let table = lab.table_split([family("f")], ["m"]).await?;
    for row in ["a", "z"] {
        table.put(&[(row, "f:q", 1000, "v1"), (row, "f:q", 2000, "v2")]).await?;
    }
    let regions = table.regions().await?;
    let region = regions.first().ok_or_else(|| Broken("the table has no regions".to_owned()))?;
    done("flush of a region", lab.store.flush(FlushScope::Region(region.name(), None)).await)?;
    table.raw("a: f:q@2000=v2 | z: f:q@2000=v2 f:q@1000=v1").await?;
    let region = regions.last().ok_or_else(|| Broken("the table has no regions".to_owned()))?;
    let by_encoded_name = FlushScope::Region(region.encoded_name(), None);
    done("flush of a region by its encoded name", lab.store.flush(by_encoded_name).await)?;
    table.raw("a: f:q@2000=v2 | z: f:q@2000=v2").await
}

pub(super) async fn a_major_compaction_does_not_flush(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2")]).await?;
    table.flush().await?;
    table.delete("r", version("f:q", 2000)).await?;
    table.major_compact().await?;
    table.get(get_all("r"), "f:q@1000=v1").await?;
    table.raw("r: f:q@2000!Delete f:q@2000=v2 f:q@1000=v1").await?;
    table.flush().await?;
    table.raw("r: f:q@2000!Delete f:q@2000=v2 f:q@1000=v1").await?;
    table.major_compact().await?;
    table.raw("r: f:q@1000=v1").await?;
    table.put(&[("r", "f:q", 2000, "again")]).await?;
    table.get(get_all("r"), "f:q@2000=again f:q@1000=v1").await
}

pub(super) async fn a_compaction_leaves_two_files_alone(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r1", "f:q", 1000, "v1")]).await?;
    table.flush().await?;
    table.put(&[("r1", "f:q", 2000, "v2")]).await?;
    table.delete("r2", version("f:q", 500)).await?;
    table.flush().await?;
    table.compact().await?;
    table.raw("r1: f:q@2000=v2 f:q@1000=v1 | r2: f:q@500!Delete").await?;
    table.put(&[("r2", "f:q", 500, "hidden")]).await?;
    table.get(Get::new("r2"), "nothing").await?;
    table.major_compact().await?;
    table.raw("r1: f:q@2000=v2 | r2: f:q@500=hidden").await
}

/// Three small files are all the files there are, so that the compaction drops markers like a major one.
pub(super) async fn a_compaction_merges_three_files(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:p", 1000, "p1")]).await?;
    table.flush().await?;
    table.put(&[("r", "f:q", 2000, "v2")]).await?;
    table.flush().await?;
    table.put(&[("r", "f:q", 3000, "v3")]).await?;
    table.delete("r", column("f:p", 1500)).await?;
    table.flush().await?;
    table.raw("r: f:p@1500!DeleteColumn f:p@1000=p1 f:q@3000=v3 f:q@2000=v2 f:q@1000=v1").await?;
    table.compact().await?;
    table.raw("r: f:q@3000=v3 f:q@2000=v2").await
}

pub(super) async fn of_an_empty_table_change_nothing(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.flush().await?;
    table.compact().await?;
    table.major_compact().await?;
    table.raw("nothing").await
}
