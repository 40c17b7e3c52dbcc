//! Snapshots.

use hbase::{Get, SnapshotKind};

use crate::support::{connect, create, drop_table, put, table_name, unique_name};

#[tokio::test]
async fn a_table_comes_back_as_it_was() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "snapped", &["m"]).await;
    put(&table, "a", "q", "old").await;
    let name = unique_name("snapshot");
    admin.create_snapshot(&name, table.name(), SnapshotKind::Flush).await.unwrap();
    let known = admin.snapshots().await.unwrap();
    let snapshot = known.iter().find(|snapshot| snapshot.name == name).unwrap();
    assert_eq!((&snapshot.table, snapshot.kind), (table.name(), SnapshotKind::Flush));
    assert!(snapshot.created_ms > 0);
    let twice = admin.create_snapshot(&name, table.name(), SnapshotKind::Flush).await.unwrap_err();
    assert_eq!(twice.exception(), Some("SnapshotExistsException"), "{twice}");

    put(&table, "a", "q", "new").await;
    put(&table, "z", "q", "new").await;
    assert!(admin.restore_snapshot(&name).await.is_err(), "the table is in service");
    admin.disable_table(table.name()).await.unwrap();
    admin.restore_snapshot(&name).await.unwrap();
    admin.enable_table(table.name()).await.unwrap();
    assert_eq!(table.get(Get::new("a")).await.unwrap().value(b"f", b"q").unwrap(), b"old");
    assert!(table.get(Get::new("z")).await.unwrap().cells.is_empty());

    let copy = table_name("copy");
    admin.clone_snapshot(&name, &copy).await.unwrap();
    let there = admin.clone_snapshot(&name, &copy).await.unwrap_err();
    assert_eq!(there.exception(), Some("TableExistsException"), "{there}");
    let copied = client.table_named(copy.clone());
    assert_eq!(copied.get(Get::new("a")).await.unwrap().value(b"f", b"q").unwrap(), b"old");
    assert_eq!(copied.regions().await.unwrap().len(), 2);

    drop_table(&admin, &copy).await;
    drop_table(&admin, table.name()).await;
    admin.delete_snapshot(&name).await.unwrap();
    for gone in [admin.delete_snapshot(&name).await, admin.restore_snapshot(&name).await] {
        assert_eq!(gone.unwrap_err().exception(), Some("SnapshotDoesNotExistException"));
    }
}

#[tokio::test]
async fn a_table_that_is_gone_comes_back() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "gone", &[]).await;
    put(&table, "a", "q", "v").await;
    admin.disable_table(table.name()).await.unwrap();
    let name = unique_name("snapshot");
    admin.create_snapshot(&name, table.name(), SnapshotKind::Disabled).await.unwrap();
    drop_table(&admin, table.name()).await;
    admin.restore_snapshot(&name).await.unwrap();
    assert_eq!(table.get(Get::new("a")).await.unwrap().value(b"f", b"q").unwrap(), b"v");
    drop_table(&admin, table.name()).await;
    admin.delete_snapshot(&name).await.unwrap();
}
