//! Descriptions of tables, through HBase and back.

use std::collections::BTreeMap;

use bytes::Bytes;
use hbase::FamilySchema;
use tablesmith_model::{
    BloomFilter, Compression, DataBlockEncoding, FamilyDescriptor, KeepDeletedCells, TableDescriptor,
};
use tablesmith_store::Store;

use crate::support::{client, drop_table, store, table_name};

/// A family in which nothing is as usual.
fn unusual(name: &'static str) -> FamilyDescriptor {
    FamilyDescriptor {
        versions: 7,
        min_versions: 2,
        ttl_s: 86_400,
        keep_deleted_cells: KeepDeletedCells::Ttl,
        bloom_filter: BloomFilter::RowCol,
        block_size_bytes: 8_192,
        compression: Compression::Gz,
        data_block_encoding: DataBlockEncoding::FastDiff,
        in_memory: true,
        block_cache: false,
        replication_scope: 1,
        attributes: BTreeMap::from([
            ("CACHE_DATA_ON_WRITE".to_owned(), "true".to_owned()),
            ("hbase.hstore.engine.note".to_owned(), "kept".to_owned()),
        ]),
        ..FamilyDescriptor::new(name)
    }
}

fn described(name: &str) -> TableDescriptor {
    let families = [unusual("f"), FamilyDescriptor::new("usual")];
    let mut table = TableDescriptor::new(table_name(name), families);
    for (name, value) in [
        ("MAX_FILESIZE", "10737418240"),
        ("DURABILITY", "ASYNC_WAL"),
        ("SPLIT_ENABLED", "false"),
        ("owner", "me"),
        ("hbase.hregion.memstore.note", "kept"),
    ] {
        table.attributes.insert(name.to_owned(), value.to_owned());
    }
    table
}

#[tokio::test]
async fn every_setting_comes_back_as_it_was_given() {
    let store = store().await;
    let mut table = described("settings");
    store.create_table(table.clone(), Vec::new()).await.unwrap();
    assert_eq!(store.describe_table(&table.name).await.unwrap(), table);
    table.put_family(FamilyDescriptor::new("f"));
    table.attributes.remove("SPLIT_ENABLED");
    table.attributes.insert("owner".to_owned(), "you".to_owned());
    store.alter_table(table.clone()).await.unwrap();
    assert_eq!(store.describe_table(&table.name).await.unwrap(), table);
    drop_table(&store, &table.name).await;
}

/// What the model does not tell apart (attributes and configuration, bytes that are no text) stays what it is when a
/// description is read and written back.
#[tokio::test]
async fn what_others_set_is_left_as_it_is() {
    let (store, admin) = (store().await, client().await.admin());
    let name = table_name("foreign");
    let bytes = Bytes::from_static(b"\xff\x00");
    let mut family = FamilySchema::new("f").attribute("bytes", bytes.clone());
    family.configuration.insert("hbase.hstore.note".to_owned(), "kept".to_owned());
    let schema = hbase::TableSchema::new(name.to_string().parse().unwrap())
        .attribute("bytes", bytes.clone())
        .family(family);
    admin.create_table(&schema, &[]).await.unwrap();
    let before = admin.describe_table(&schema.name).await.unwrap();
    let mut table = store.describe_table(&name).await.unwrap();
    table.attributes.insert("owner".to_owned(), "me".to_owned());
    store.alter_table(table).await.unwrap();
    let after = admin.describe_table(&schema.name).await.unwrap();
    assert_eq!(after.families, before.families);
    let mut expected = before.attributes;
    expected.insert("owner".into(), "me".into());
    assert_eq!(after.attributes, expected);
    drop_table(&store, &name).await;
}
