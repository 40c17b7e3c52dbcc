//! Altered tables: families come, change and go.

use tablesmith_model::TableDescriptor;
use tablesmith_store::{Get, Scan};

use super::check::{Checked, done, same};
use super::lab::Lab;
use super::requests::{Read, family, family_with, get_all};

pub(super) async fn families_come_and_go_with_their_data(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f"), family("g")]).await?;
    table.put(&[("r", "f:q", 1, "f"), ("r", "g:q", 1, "g")]).await?;
    table.alter([family("f"), family("g"), family("h")]).await?;
    table.put(&[("r", "h:q", 1, "h")]).await?;
    table.get(Get::new("r"), "f:q@1=f g:q@1=g h:q@1=h").await?;
    table.alter([family("f"), family("h")]).await?;
    table.get(Get::new("r"), "f:q@1=f h:q@1=h").await?;
    table.alter([family("f"), family("g"), family("h")]).await?;
    table.raw("r: f:q@1=f h:q@1=h").await
}

pub(super) async fn a_table_may_change_while_disabled(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "f")]).await?;
    table.disable().await?;
    table.alter([family("f").with_versions(3), family("g")]).await?;
    table.enable().await?;
    table.put(&[("r", "g:q", 1, "g"), ("r", "f:q", 2, "f2")]).await?;
    table.get(get_all("r"), "f:q@2=f2 f:q@1=f g:q@1=g").await
}

/// An alteration opens the regions anew, which flushes them: what was past the limit is gone.
pub(super) async fn more_versions_show_what_is_still_stored(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2")]).await?;
    table.raw("r: f:q@2000=v2 f:q@1000=v1").await?;
    table.alter([family("f").with_versions(3)]).await?;
    table.get(get_all("r"), "f:q@2000=v2").await?;
    table.put(&[("r", "f:q", 3000, "v3"), ("r", "f:q", 500, "v0")]).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:q@2000=v2 f:q@500=v0").await
}

pub(super) async fn fewer_versions_hide_until_a_compaction(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.flush().await?;
    table.alter([family("f")]).await?;
    table.get(get_all("r"), "f:q@3000=v3").await?;
    table.get(get_all("r").during(0, 2500), "f:q@2000=v2").await?;
    table.alter([family("f").with_versions(3)]).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:q@2000=v2 f:q@1000=v1").await?;
    table.alter([family("f")]).await?;
    table.major_compact().await?;
    table.alter([family("f").with_versions(3)]).await?;
    table.get(get_all("r"), "f:q@3000=v3").await
}

pub(super) async fn a_ttl_hides_and_shows_again(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:q", 1000, "v1")]).await?;
    table.alter([family_with("f", "VERSIONS=3 TTL=86400")?]).await?;
    table.scan(Scan::all(), "nothing").await?;
    table.alter([family("f").with_versions(3)]).await?;
    table.scan(Scan::all(), "r: f:q@1000=v1").await
}

pub(super) async fn attributes_are_kept(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let mut descriptor = TableDescriptor::new(table.name.clone(), [family("f")]);
    descriptor.attributes.insert("MAX_FILESIZE".to_owned(), "134217728".to_owned());
    descriptor.attributes.insert("owner".to_owned(), "someone".to_owned());
    done("alter", lab.store.alter_table(descriptor).await)?;
    let described = done("describe", lab.store.describe_table(&table.name).await)?;
    same("MAX_FILESIZE", &described.number_attribute("MAX_FILESIZE"), &Some(134_217_728))?;
    same("owner", &described.attributes.get("owner").map(String::as_str), &Some("someone"))
}
