//! Tables: made, described, listed, disabled, emptied, removed.

use tablesmith_model::{TableDescriptor, TableName};
use tablesmith_store::{Scan, StoreError};

use super::check::{Checked, done, holds, refused, same};
use super::lab::Lab;
use super::requests::{family, family_with};
use super::scans::with_rows;

pub(super) async fn tables_are_described_as_they_were_made(lab: &Lab<'_>) -> Checked {
    let name = lab.name()?;
    let settings = "VERSIONS=3 MIN_VERSIONS=1 TTL=86400 KEEP_DELETED_CELLS=TTL BLOOMFILTER=ROWCOL \
                    BLOCKSIZE=4096 IN_MEMORY=true BLOCKCACHE=false DATA_BLOCK_ENCODING=FAST_DIFF";
    let descriptor = TableDescriptor::new(name.clone(), [family("b"), family_with("a", settings)?]);
    done("create", lab.store.create_table(descriptor.clone(), Vec::new()).await)?;
    let described = done("describe", lab.store.describe_table(&name).await)?;
    same("name", &described.name, &name)?;
    same("families", &described.families.len(), &2)?;
    for (described, made) in described.families.iter().zip(&descriptor.families) {
        same(format!("settings of {:?}", made.name), &described.settings(), &made.settings())?;
    }
    Ok(())
}

pub(super) async fn tables_are_listed_while_they_exist(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let listed = done("list", lab.store.list_tables().await)?;
    holds("the table is listed", listed.contains(&table.name))?;
    holds("the list is sorted", listed.is_sorted())?;
    same("exists", &done("exists", lab.store.table_exists(&table.name).await)?, &true)?;
    table.disable().await?;
    same("exists", &done("exists", lab.store.table_exists(&table.name).await)?, &true)?;
    done("drop", lab.store.drop_table(&table.name).await)?;
    same("exists", &done("exists", lab.store.table_exists(&table.name).await)?, &false)?;
    let listed = done("list", lab.store.list_tables().await)?;
    holds("the table is not listed", !listed.contains(&table.name))
}

pub(super) async fn tables_are_made_once(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let again = TableDescriptor::new(table.name.clone(), [family("g")]);
    let answer = lab.store.create_table(again.clone(), Vec::new()).await;
    refused("create again", answer, "TableExistsException")?;
    table.disable().await?;
    let answer = lab.store.create_table(again, Vec::new()).await;
    refused("create again", answer, "TableExistsException")?;
    // Where regions are is in a table, too, which is there from the beginning.
    let meta: TableName = done("name", "hbase:meta".parse::<TableName>().map_err(StoreError::from))?;
    let answer = lab.store.create_table(TableDescriptor::new(meta, [family("f")]), Vec::new()).await;
    refused("create hbase:meta", answer, "TableExistsException")
}

pub(super) async fn tables_are_disabled_and_enabled(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "z"], ["m"]).await?;
    let (store, name) = (lab.store, &table.name);
    same("enabled", &done("is_enabled", store.is_enabled(name).await)?, &true)?;
    refused("enable twice", store.enable_table(name).await, "TableNotDisabledException")?;
    table.disable().await?;
    same("enabled", &done("is_enabled", store.is_enabled(name).await)?, &false)?;
    refused("disable twice", store.disable_table(name).await, "TableNotEnabledException")?;
    table.enable().await?;
    table.keys(Scan::all(), "a z").await
}

pub(super) async fn tables_are_removed_when_disabled(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a"], []).await?;
    refused("drop", lab.store.drop_table(&table.name).await, "TableNotDisabledException")?;
    table.keys(Scan::all(), "a").await?;
    table.disable().await?;
    done("drop", lab.store.drop_table(&table.name).await)?;
    let anew = TableDescriptor::new(table.name.clone(), [family("f")]);
    done("create anew", lab.store.create_table(anew, Vec::new()).await)?;
    table.raw("nothing").await
}

pub(super) async fn tables_are_emptied(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "n", "z"], ["m", "t"]).await?;
    table.flush().await?;
    table.put(&[("b", "f:q", 1, "in memory")]).await?;
    let answer = lab.store.truncate_table(&table.name, true).await;
    refused("truncate an enabled table", answer, "TableNotDisabledException")?;
    table.disable().await?;
    done("truncate", lab.store.truncate_table(&table.name, true).await)?;
    same("enabled", &done("is_enabled", lab.store.is_enabled(&table.name).await)?, &true)?;
    table.raw("nothing").await?;
    same("regions that stay", &table.regions().await?.len(), &3)?;
    table.put(&[("n", "f:q", 1, "new")]).await?;
    table.disable().await?;
    done("truncate", lab.store.truncate_table(&table.name, false).await)?;
    table.raw("nothing").await?;
    same("regions without splits", &table.regions().await?.len(), &1)
}
