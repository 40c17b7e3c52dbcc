//! Making, changing and removing tables and namespaces.

use super::*;

fn descriptor(name: &str, families: impl IntoIterator<Item = FamilyDescriptor>) -> TableDescriptor {
    TableDescriptor::new(name.parse().unwrap(), families)
}

async fn create(lab: &Lab, table: TableDescriptor, splits: &[&'static str]) -> Result<(), StoreError> {
    lab.store.create_table(table, splits.iter().map(|&key| Bytes::from(key)).collect()).await
}

#[tokio::test]
async fn a_table_needs_a_family_a_namespace_and_a_name_of_its_own() {
    let lab = Lab::new([family("f", 1)]).await;
    assert_eq!(refused(create(&lab, descriptor("t", [family("f", 1)]), &[]).await), "TableExistsException");
    assert_eq!(refused(create(&lab, descriptor("u", []), &[]).await), "DoNotRetryIOException");
    let elsewhere = descriptor("n:u", [family("f", 1)]);
    assert_eq!(refused(create(&lab, elsewhere, &[]).await), "NamespaceNotFoundException");
    assert_eq!(
        refused(create(&lab, descriptor("u", [family(".f", 1)]), &[]).await),
        "IllegalArgumentException"
    );
}

#[tokio::test]
async fn settings_that_make_no_sense_are_refused() {
    let lab = Lab::new([family("f", 1)]).await;
    let with = |change: fn(&mut FamilyDescriptor)| {
        let mut family = family("f", 3);
        change(&mut family);
        descriptor("u", [family])
    };
    let senseless: [fn(&mut FamilyDescriptor); 5] = [
        |family| family.min_versions = 4,
        |family| family.ttl_s = 0,
        |family| family.block_size_bytes = 1000,
        |family| family.block_size_bytes = 16 * 1024 * 1024 + 1,
        |family| family.replication_scope = 2,
    ];
    for change in senseless {
        assert_eq!(refused(create(&lab, with(change), &[]).await), "DoNotRetryIOException");
    }
    let none = with(|family| family.versions = 0);
    assert_eq!(refused(create(&lab, none, &[]).await), "IllegalArgumentException");
    create(&lab, with(|family| family.min_versions = 3), &[]).await.unwrap();
}

#[tokio::test]
async fn split_keys_are_brought_into_order_and_must_differ() {
    let lab = Lab::new([family("f", 1)]).await;
    let table = || descriptor("u", [family("f", 1)]);
    assert_eq!(refused(create(&lab, table(), &["b", "a", "b"]).await), "IllegalArgumentException");
    assert_eq!(refused(create(&lab, table(), &["", "a"]).await), "IllegalArgumentException");
    create(&lab, table(), &["m", "c"]).await.unwrap();
    let regions = lab.store.regions(&"u".parse().unwrap()).await.unwrap();
    assert_eq!(regions.iter().map(|region| region.start.clone()).collect::<Vec<_>>(), ["", "c", "m"]);
}

#[tokio::test]
async fn a_disabled_table_answers_nothing_and_has_been_flushed() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    lab.store.disable_table(&lab.table).await.unwrap();
    assert!(!lab.store.is_enabled(&lab.table).await.unwrap());
    assert_eq!(refused(lab.store.disable_table(&lab.table).await), "TableNotEnabledException");
    assert_eq!(refused(lab.store.get(&lab.table, Get::new("r")).await), "TableNotEnabledException");
    assert_eq!(refused(lab.store.scan_all(&lab.table, Scan::all()).await), "TableNotEnabledException");
    let flush = lab.store.flush(FlushScope::Table(lab.table.clone(), None)).await;
    assert_eq!(refused(flush), "TableNotEnabledException");
    lab.major_compact().await;
    lab.store.enable_table(&lab.table).await.unwrap();
    assert_eq!(refused(lab.store.enable_table(&lab.table).await), "TableNotDisabledException");
    assert_eq!(lab.raw().await, "r[f:q@2=v2]");
}

#[tokio::test]
async fn a_table_is_dropped_or_truncated_only_when_disabled() {
    let lab = Lab::with_splits([family("f", 1)], &["k"]).await;
    lab.put("r", "f:q", 1, "v").await;
    assert_eq!(refused(lab.store.truncate_table(&lab.table, true).await), "TableNotDisabledException");
    assert_eq!(refused(lab.store.drop_table(&lab.table).await), "TableNotDisabledException");
    lab.store.disable_table(&lab.table).await.unwrap();
    lab.store.truncate_table(&lab.table, true).await.unwrap();
    assert_eq!((lab.raw().await, lab.store.regions(&lab.table).await.unwrap().len()), (String::new(), 2));
    lab.store.disable_table(&lab.table).await.unwrap();
    lab.store.truncate_table(&lab.table, false).await.unwrap();
    assert_eq!(lab.store.regions(&lab.table).await.unwrap().len(), 1);
    lab.store.disable_table(&lab.table).await.unwrap();
    lab.store.drop_table(&lab.table).await.unwrap();
    assert!(!lab.store.table_exists(&lab.table).await.unwrap());
    assert_eq!(refused(lab.store.drop_table(&lab.table).await), "TableNotFoundException");
}

#[tokio::test]
async fn alter_flushes_under_the_old_description_and_removes_families_with_their_cells() {
    let lab = Lab::new([family("f", 1), family("g", 1)]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    lab.versions("r", "g:q", &[1]).await;
    lab.store.alter_table(descriptor("t", [family("f", 3)])).await.unwrap();
    assert_eq!(lab.raw().await, "r[f:q@2=v2]");
    let gone = lab.store.put(&lab.table, Put::new("r").add("g", "q", "v")).await;
    assert_eq!(refused(gone), "NoSuchColumnFamilyException");
    lab.store.alter_table(descriptor("t", [family("f", 3), family("g", 1)])).await.unwrap();
    assert_eq!(lab.all("r").await, "f:q@2=v2");
    assert_eq!(refused(lab.store.alter_table(descriptor("t", [])).await), "DoNotRetryIOException");
    let missing = descriptor("u", [family("f", 3)]);
    assert_eq!(refused(lab.store.alter_table(missing).await), "TableNotFoundException");
}

#[tokio::test]
async fn a_read_only_table_refuses_writes_before_it_looks_at_families() {
    let lab = Lab::new([family("f", 1)]).await;
    let mut table = descriptor("t", [family("f", 1)]);
    table.attributes.insert("READONLY".into(), "true".into());
    lab.store.alter_table(table).await.unwrap();
    for family in ["f", "x"] {
        let put = lab.store.put(&lab.table, Put::new("r").add(family, "q", "v")).await;
        assert_eq!(refused(put), "DoNotRetryIOException");
    }
    assert_eq!(lab.all("r").await, "");
}

#[tokio::test]
async fn namespaces_are_made_and_dropped_when_empty() {
    let lab = Lab::new([family("f", 1)]).await;
    assert_eq!(refused(lab.store.create_namespace("a b").await), "IOException");
    assert_eq!(refused(lab.store.create_namespace("hbase").await), "NamespaceExistException");
    lab.store.create_namespace("n").await.unwrap();
    create(&lab, descriptor("n:u", [family("f", 1)]), &[]).await.unwrap();
    assert_eq!(lab.store.list_namespaces().await.unwrap(), ["default", "hbase", "n"]);
    assert_eq!(refused(lab.store.drop_namespace("n").await), "ConstraintException");
    assert_eq!(refused(lab.store.drop_namespace("default").await), "ConstraintException");
    assert_eq!(refused(lab.store.drop_namespace("m").await), "NamespaceNotFoundException");
    let table: TableName = "n:u".parse().unwrap();
    lab.store.disable_table(&table).await.unwrap();
    lab.store.drop_table(&table).await.unwrap();
    lab.store.drop_namespace("n").await.unwrap();
    assert_eq!(lab.store.list_namespaces().await.unwrap(), ["default", "hbase"]);
}
