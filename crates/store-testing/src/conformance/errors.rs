//! What a store refuses, and under which name.

use bytes::Bytes;
use tablesmith_model::row::MAX_ROW_BYTES;
use tablesmith_model::{FamilyDescriptor, TableDescriptor};
use tablesmith_store::{
    Action, Aggregate, Append, Delete, DeleteTarget, Get, Increment, Mutation, Put, RowMutations, Scan,
    ValueType,
};

use super::check::{Checked, refused};
use super::lab::Lab;
use super::requests::{column, family, get_all};
use super::table::Table;

/// Every call about rows, with this family, is refused with this exception.
async fn all_refused(table: &Table<'_>, family: &'static str, exception: &str) -> Checked {
    let (store, name) = (table.store, &table.name);
    let put = Put::new("r").add_at(family, "q", 1, "v");
    let mutations = RowMutations { row: "r".into(), mutations: vec![Mutation::Put(put.clone())] };
    let delete = Delete::row("r").target(DeleteTarget::Column(family.into(), "q".into(), Some(1)));
    let aggregate = Aggregate::new(Scan::all().family(family), ValueType::None);
    refused("get", store.get(name, Get::new("r").family(family)).await, exception)?;
    refused("get of a column", store.get(name, Get::new("r").column(family, "q")).await, exception)?;
    refused("exists", store.exists(name, Get::new("r").family(family)).await, exception)?;
    refused("put", store.put(name, put).await, exception)?;
    refused("delete", store.delete(name, delete).await, exception)?;
    refused("append", store.append(name, Append::new("r", family, "q", "v")).await, exception)?;
    refused("increment", store.increment(name, Increment::new("r", family, "q", 1)).await, exception)?;
    refused("mutate_row", store.mutate_row(name, mutations).await, exception)?;
    refused("scan", store.scan_all(name, Scan::all().family(family)).await, exception)?;
    refused("aggregate", store.aggregate(name, aggregate).await, exception)
}

pub(super) async fn unknown_family(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "v")]).await?;
    all_refused(&table, "nope", "NoSuchColumnFamilyException").await?;
    let both = Get::new("r").family("f").column("nope", "q");
    refused("get of both", table.store.get(&table.name, both).await, "NoSuchColumnFamilyException")?;
    let half = Put::new("r").add_at("f", "new", 1, "v").add_at("nope", "q", 1, "v");
    refused("put to both", table.store.put(&table.name, half).await, "NoSuchColumnFamilyException")?;
    table.raw("r: f:q@1=v").await
}

pub(super) async fn unknown_table(lab: &Lab<'_>) -> Checked {
    let table = Table { store: lab.store, name: lab.name()? };
    let exception = "TableNotFoundException";
    all_refused(&table, "f", exception).await?;
    let (store, name) = (table.store, &table.name);
    refused("describe", store.describe_table(name).await, exception)?;
    refused("regions", store.regions(name).await, exception)?;
    refused("disable", store.disable_table(name).await, exception)?;
    refused("enable", store.enable_table(name).await, exception)?;
    refused("drop", store.drop_table(name).await, exception)?;
    refused("truncate", store.truncate_table(name, true).await, exception)?;
    refused("flush", store.flush(table.all()).await, exception)?;
    refused("is_enabled", store.is_enabled(name).await, exception)?;
    refused("alter", store.alter_table(TableDescriptor::new(name.clone(), [family("f")])).await, exception)
}

pub(super) async fn disabled_table(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "v")]).await?;
    table.disable().await?;
    all_refused(&table, "f", "TableNotEnabledException").await?;
    table.enable().await?;
    table.raw("r: f:q@1=v").await
}

pub(super) async fn senseless_writes(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let long = Bytes::from(vec![b'x'; MAX_ROW_BYTES + 1]);
    for (what, put) in [
        ("put without cells", Put::new("r")),
        ("put to an empty row", Put::new("").add_at("f", "q", 1, "v")),
        ("put to a row that is too long", Put::new(long.clone()).add_at("f", "q", 1, "v")),
        ("put with a negative time", Put::new("r").add_at("f", "q", -1, "v")),
    ] {
        refused(what, table.store.put(&table.name, put).await, "IllegalArgumentException")?;
    }
    let delete = Delete::row("r").target(column("f:q", -2));
    refused("delete", table.store.delete(&table.name, delete).await, "IllegalArgumentException")?;
    let delete = Delete::row("");
    refused(
        "delete of an empty row",
        table.store.delete(&table.name, delete).await,
        "IllegalArgumentException",
    )?;
    refused(
        "get of an empty row",
        table.store.get(&table.name, Get::new("")).await,
        "IllegalArgumentException",
    )?;
    refused(
        "get of a long row",
        table.store.get(&table.name, Get::new(long)).await,
        "IllegalArgumentException",
    )?;
    table.raw("nothing").await
}

/// The very longest keys are of no use in HBase: with the table's name in front they are too long to be looked up.
pub(super) async fn long_row_keys_are_fine(lab: &Lab<'_>) -> Checked {
    const ROOM_FOR_NAMES_BYTES: usize = 767;
    let table = lab.table([family("f")]).await?;
    let long = Bytes::from(vec![b'x'; MAX_ROW_BYTES - ROOM_FOR_NAMES_BYTES]);
    table.write(Put::new(long.clone()).add_at("f", "q", 1, "v")).await?;
    table.get(Get::new(long), "f:q@1=v").await
}

pub(super) async fn read_only_table(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "v")]).await?;
    let mut descriptor = TableDescriptor::new(table.name.clone(), [family("f")]);
    descriptor.attributes.insert("READONLY".to_owned(), "true".to_owned());
    super::check::done("alter", table.store.alter_table(descriptor).await)?;
    let exception = "DoNotRetryIOException";
    let put = Put::new("r").add_at("f", "q", 2, "w");
    refused("put", table.store.put(&table.name, put.clone()).await, exception)?;
    refused("delete", table.store.delete(&table.name, Delete::row("r")).await, exception)?;
    let answer = table.store.increment(&table.name, Increment::new("r", "f", "c", 1)).await;
    refused("increment", answer, exception)?;
    let mutations = RowMutations { row: "r".into(), mutations: vec![Mutation::Put(put.clone())] };
    refused("mutate_row", table.store.mutate_row(&table.name, mutations).await, exception)?;
    let batch = super::check::done(
        "batch",
        table.store.batch(&table.name, vec![Action::Mutate(Mutation::Put(put))]).await,
    )?;
    for answer in batch.value {
        refused("put in a batch", answer, exception)?;
    }
    table.get(get_all("r"), "f:q@1=v").await
}

pub(super) async fn senseless_tables(lab: &Lab<'_>) -> Checked {
    let name = lab.name()?;
    let create = |families: Vec<FamilyDescriptor>| {
        lab.store.create_table(TableDescriptor::new(name.clone(), families), Vec::new())
    };
    refused("a table without families", create(Vec::new()).await, "DoNotRetryIOException")?;
    for bad in ["", ".f", "a:b"] {
        refused(format!("family {bad:?}"), create(vec![family(bad)]).await, "IllegalArgumentException")?;
    }
    super::check::same("the table is there", &lab.store.table_exists(&name).await.ok(), &Some(false))
}
