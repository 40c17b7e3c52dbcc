//! Tables and namespaces.

use hbase::{Error, FamilySchema, Get, Namespace, TableName, TableSchema};

use crate::support::{FAMILY, connect, create, drop_table, keys, put, schema, table_name, unique_name};

#[tokio::test]
async fn a_table_is_made_with_its_regions() {
    let client = connect().await;
    let admin = client.admin();
    let schema = schema("made");
    assert!(!admin.table_exists(&schema.name).await.unwrap());
    admin.create_table(&schema, &keys(&["t", "g"])).await.unwrap();
    assert!(admin.table_exists(&schema.name).await.unwrap());
    assert!(admin.is_table_enabled(&schema.name).await.unwrap());
    assert!(admin.table_names(None).await.unwrap().contains(&schema.name));
    let regions = client.table_named(schema.name.clone()).regions().await.unwrap();
    let starts: Vec<_> = regions.iter().map(|location| location.region.start.clone()).collect();
    assert_eq!(starts, keys(&["", "g", "t"]));
    drop_table(&admin, &schema.name).await;
    assert!(!admin.table_exists(&schema.name).await.unwrap());
}

#[tokio::test]
async fn a_table_is_made_once() {
    let client = connect().await;
    let admin = client.admin();
    let schema = schema("once");
    admin.create_table(&schema, &[]).await.unwrap();
    let again = admin.create_table(&schema, &[]).await.unwrap_err();
    assert_eq!(again.exception(), Some("TableExistsException"), "{again}");
    drop_table(&admin, &schema.name).await;
}

#[tokio::test]
async fn a_schema_keeps_every_attribute() {
    let client = connect().await;
    let admin = client.admin();
    let mut family =
        FamilySchema::new("a").versions(3).ttl_seconds(86400).bloom_filter("ROWCOL").attribute("OURS", "x");
    family.configuration.insert("hbase.hstore.compaction.min".to_owned(), "5".to_owned());
    let schema =
        TableSchema::new(table_name("kept")).family(family).family(FamilySchema::new("b").in_memory(true));
    let schema = schema.attribute("MAX_FILESIZE", "123456789");
    admin.create_table(&schema, &[]).await.unwrap();
    let found = admin.describe_table(&schema.name).await.unwrap();
    for wanted in &schema.families {
        let family = found.get_family(&wanted.name).unwrap();
        for (name, value) in &wanted.attributes {
            assert_eq!(family.attributes.get(name), Some(value), "{name:?}");
        }
        assert_eq!(family.configuration, wanted.configuration);
    }
    assert_eq!(found.get("MAX_FILESIZE"), Some("123456789"));
    assert!(admin.describe_tables(None).await.unwrap().contains(&found));
    drop_table(&admin, &schema.name).await;
}

#[tokio::test]
async fn a_table_in_service_is_altered() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "altered", &["m"]).await;
    put(&table, "r", "q", "v").await;
    let mut schema = admin.describe_table(table.name()).await.unwrap();
    schema = schema.family(FamilySchema::new("new").versions(7));
    admin.modify_table(&schema).await.unwrap();
    let found = admin.describe_table(table.name()).await.unwrap();
    assert_eq!(found.get_family(b"new").unwrap().get("VERSIONS"), Some("7"));
    assert_eq!(table.get(Get::new("r")).await.unwrap().cells.len(), 1);
    let without = TableSchema { families: vec![FamilySchema::new("new")], ..found };
    admin.modify_table(&without).await.unwrap();
    assert!(admin.describe_table(table.name()).await.unwrap().get_family(FAMILY.as_bytes()).is_none());
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_disabled_table_says_so() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "disabled", &[]).await;
    put(&table, "r", "q", "v").await;
    let refused = admin.delete_table(table.name()).await.unwrap_err();
    assert_eq!(refused.exception(), Some("TableNotDisabledException"), "{refused}");
    admin.disable_table(table.name()).await.unwrap();
    assert!(!admin.is_table_enabled(table.name()).await.unwrap());
    let refused = table.get(Get::new("r")).await.unwrap_err();
    assert!(matches!(refused, Error::TableNotEnabled(_)), "{refused}");
    let refused = admin.disable_table(table.name()).await.unwrap_err();
    assert!(matches!(refused, Error::TableNotEnabled(_)), "{refused}");
    admin.enable_table(table.name()).await.unwrap();
    assert_eq!(table.get(Get::new("r")).await.unwrap().cells.len(), 1);
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_truncated_table_is_empty_and_keeps_its_regions_if_wanted() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "truncated", &["m"]).await;
    for (preserve_splits, regions) in [(true, 2), (false, 1)] {
        put(&table, "r", "q", "v").await;
        admin.disable_table(table.name()).await.unwrap();
        admin.truncate_table(table.name(), preserve_splits).await.unwrap();
        assert!(table.get(Get::new("r")).await.unwrap().cells.is_empty());
        assert_eq!(table.regions().await.unwrap().len(), regions);
    }
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn what_does_not_exist_is_told() {
    let admin = connect().await.admin();
    let nowhere = table_name("nowhere");
    for result in [
        admin.disable_table(&nowhere).await,
        admin.enable_table(&nowhere).await,
        admin.delete_table(&nowhere).await,
        admin.truncate_table(&nowhere, false).await,
        admin.describe_table(&nowhere).await.map(drop),
        admin.is_table_enabled(&nowhere).await.map(drop),
        admin.modify_table(&TableSchema::new(nowhere.clone()).family(FamilySchema::new("f"))).await,
    ] {
        let error = result.unwrap_err();
        assert!(matches!(&error, Error::TableNotFound(name) if *name == nowhere), "{error}");
    }
}

#[tokio::test]
async fn what_the_master_refuses_fails_at_once() {
    let client = connect().await;
    let admin = client.admin();
    let no_family = admin.create_table(&TableSchema::new(table_name("bare")), &[]).await.unwrap_err();
    assert_eq!(no_family.exception(), Some("DoNotRetryIOException"), "{no_family}");
    let elsewhere = TableName::new(&unique_name("no_ns"), "t").unwrap();
    let elsewhere = TableSchema::new(elsewhere).family(FamilySchema::new("f"));
    let no_namespace = admin.create_table(&elsewhere, &[]).await.unwrap_err();
    assert_eq!(no_namespace.exception(), Some("NamespaceNotFoundException"), "{no_namespace}");
    let wrong =
        TableSchema::new(table_name("wrong")).family(FamilySchema::new("f").attribute("VERSIONS", "many"));
    let wrong = admin.create_table(&wrong, &[]).await.unwrap_err();
    assert!(matches!(wrong, Error::Server(_)), "{wrong}");
    let twice = admin.create_table(&schema("twice"), &keys(&["a", "a"])).await.unwrap_err();
    assert!(matches!(twice, Error::InvalidArgument(_)), "{twice}");
    let retries = client.metrics().retries;
    assert!(retries <= 10, "what is refused is not tried again for long: {retries} times");
}

#[tokio::test]
async fn namespaces_hold_tables() {
    let client = connect().await;
    let admin = client.admin();
    let mut namespace = Namespace::new(unique_name("ns"));
    admin.create_namespace(&namespace).await.unwrap();
    namespace.configuration.insert("colour".to_owned(), "blue".to_owned());
    admin.modify_namespace(&namespace).await.unwrap();
    let found = admin.namespaces().await.unwrap();
    assert!(found.contains(&namespace) && found.iter().any(|other| other.name == "default"), "{found:?}");
    let schema =
        TableSchema::new(TableName::new(&namespace.name, "t").unwrap()).family(FamilySchema::new(FAMILY));
    admin.create_table(&schema, &[]).await.unwrap();
    assert_eq!(admin.table_names(Some(&namespace.name)).await.unwrap(), vec![schema.name.clone()]);
    put(&client.table_named(schema.name.clone()), "r", "q", "v").await;
    let full = admin.delete_namespace(&namespace.name).await.unwrap_err();
    assert_eq!(full.exception(), Some("ConstraintException"), "{full}");
    drop_table(&admin, &schema.name).await;
    admin.delete_namespace(&namespace.name).await.unwrap();
    let gone = admin.table_names(Some(&namespace.name)).await.unwrap_err();
    assert_eq!(gone.exception(), Some("NamespaceNotFoundException"), "{gone}");
    let twice = admin.create_namespace(&Namespace::new("default")).await.unwrap_err();
    assert_eq!(twice.exception(), Some("NamespaceExistException"), "{twice}");
}
