//! Flushing, compacting, splitting, merging and moving regions.

use hbase::{Admin, Client, Compaction, Delete, Error, FamilySchema, Get, Location, Scan, Table, TableName};

use super::BALANCING;
use crate::support::{FAMILY, connect, create, create_as, drop_table, keys, put, schema, table_name};

/// Files of a table, all regions together.
async fn files(admin: &Admin, table: &TableName) -> u64 {
    admin.region_loads(Some(table)).await.unwrap().iter().map(|(_, region)| region.load.store_files).sum()
}

async fn starts(table: &Table) -> Vec<bytes::Bytes> {
    table.regions().await.unwrap().iter().map(|location| location.region.start.clone()).collect()
}

async fn encoded(table: &Table, row: &str) -> String {
    let regions = table.regions().await.unwrap();
    regions.iter().find(|location| location.region.contains(row.as_bytes())).unwrap().region.encoded_name()
}

/// Three files in the region of row `a`, which the servers do not compact by themselves.
async fn three_files(client: &Client, word: &str) -> Table {
    let mut family = FamilySchema::new(FAMILY);
    family.configuration.insert("hbase.hstore.compaction.min".to_owned(), "100".to_owned());
    let table =
        create_as(client, &schema(word).family(family).family(FamilySchema::new("other")), &["m"]).await;
    for value in ["1", "2", "3"] {
        put(&table, "a", "q", value).await;
        client.admin().flush_table(table.name(), None).await.unwrap();
    }
    table
}

/// A server that answers from `hbase:meta` may stop in the middle and say so; regions after that were forgotten.
#[tokio::test]
async fn regions_are_complete_also_after_many_splits() {
    let client = connect().await;
    let admin = client.admin();
    let splits = [
        "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26",
        "27",
    ];
    let table = create(&client, "many_regions", &splits).await;
    let mut expected: Vec<&str> = std::iter::once("").chain(splits).collect();
    for middle in ["115", "125", "135"] {
        admin.split_region(&encoded(&table, middle).await, Some(middle.into())).await.unwrap();
        expected.push(middle);
        expected.sort();
        assert_eq!(starts(&table).await, expected, "split at {middle}");
    }
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_flush_makes_files_of_what_is_in_memory() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "flushed", &["m"]).await;
    admin.flush_table(table.name(), None).await.unwrap();
    assert_eq!(files(&admin, table.name()).await, 0, "nothing was there to flush");
    put(&table, "a", "q", "v").await;
    put(&table, "z", "q", "v").await;
    admin.flush_region(&encoded(&table, "z").await, None).await.unwrap();
    assert_eq!(files(&admin, table.name()).await, 1);
    admin.flush_table(table.name(), Some(FAMILY.into())).await.unwrap();
    assert_eq!(files(&admin, table.name()).await, 2);
    let unknown = admin.flush_table(table.name(), Some("nope".into())).await.unwrap_err();
    assert_eq!(unknown.exception(), Some("NoSuchColumnFamilyException"), "{unknown}");
    drop_table(&admin, table.name()).await;
}

/// A region that is being flushed already takes no second flush, and the master says nothing of it.
#[tokio::test]
async fn a_flush_by_the_master_waits_for_one_that_runs_already() {
    let client = connect().await;
    let admin = client.admin();
    let flush_bytes = (8 << 20).to_string();
    let table =
        create_as(&client, &schema("flushed_twice").attribute("MEMSTORE_FLUSHSIZE", flush_bytes), &[]).await;
    for _ in 0..4 {
        // So many that the server begins to flush by itself, and some more.
        for part in 0..14 {
            put(&table, &part.to_string(), "q", vec![b'v'; 1 << 20]).await;
        }
        admin.flush_table_by_master(table.name(), None).await.unwrap();
        let loads = admin.region_loads(Some(table.name())).await.unwrap();
        let left: u64 = loads.iter().map(|(_, region)| region.load.memstore_bytes).sum();
        assert_eq!(left, 0, "bytes that are in memory still");
    }
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_read_only_table_has_nothing_to_flush() {
    let client = connect().await;
    let admin = client.admin();
    let table = create_as(&client, &schema("readonly").attribute("READONLY", "true"), &[]).await;
    admin.flush_table(table.name(), None).await.unwrap();
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn many_flushes_at_the_same_time_all_end() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "flushes", &["m"]).await;
    let mut tasks = tokio::task::JoinSet::new();
    for writer in 0..8 {
        let (admin, table) = (admin.clone(), table.clone());
        tasks.spawn(async move {
            for round in 0..5 {
                put(&table, &format!("a{writer}-{round}"), "q", "v").await;
                admin.flush_table(table.name(), None).await.unwrap();
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_major_compaction_leaves_one_file_of_each_family() {
    let client = connect().await;
    let admin = client.admin();
    let table = three_files(&client, "major").await;
    assert_eq!(files(&admin, table.name()).await, 3);
    table.delete(Delete::row("a")).await.unwrap();
    admin.flush_table(table.name(), None).await.unwrap();
    admin.compact_table_and_wait(table.name(), Compaction::major()).await.unwrap();
    let left = files(&admin, table.name()).await;
    assert!(left <= 2, "{left} files are left of two families");
    let raw = Scan { raw: true, ..Scan::all() };
    assert_eq!(table.scan(raw).next_row().await.unwrap(), None, "a marker or what it hides is left");
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn one_family_of_one_region_is_compacted() {
    let client = connect().await;
    let admin = client.admin();
    let table = three_files(&client, "onefamily").await;
    let region = encoded(&table, "a").await;
    let before = files(&admin, table.name()).await;
    admin.compact_region_and_wait(&region, Compaction::major().of_family("other")).await.unwrap();
    assert_eq!(files(&admin, table.name()).await, before);
    admin.compact_region_and_wait(&region, Compaction::major().of_family(FAMILY)).await.unwrap();
    assert_eq!(files(&admin, table.name()).await, 1);
    let unknown =
        admin.compact_region_and_wait(&region, Compaction::major().of_family("nope")).await.unwrap_err();
    assert_eq!(unknown.exception(), Some("NoSuchColumnFamilyException"), "{unknown}");
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_major_compaction_gets_its_turn_between_others() {
    let client = connect().await;
    let admin = client.admin();
    let table = three_files(&client, "turns").await;
    let mut tasks = tokio::task::JoinSet::new();
    for round in 0..6 {
        let (admin, name) = (admin.clone(), table.name().clone());
        let compaction = if round % 2 == 0 { Compaction::major() } else { Compaction::minor() };
        tasks.spawn(async move { admin.compact_table_and_wait(&name, compaction).await.unwrap() });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    assert_eq!(files(&admin, table.name()).await, 1);
    admin.compact_table(table.name(), Compaction::minor()).await.unwrap();
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn compactions_that_are_switched_off_are_told() {
    let client = connect().await;
    let admin = client.admin();
    let table = create_as(&client, &schema("off").attribute("COMPACTION_ENABLED", "false"), &[]).await;
    put(&table, "a", "q", "v").await;
    admin.flush_table(table.name(), None).await.unwrap();
    let error = admin.compact_table_and_wait(table.name(), Compaction::major()).await.unwrap_err();
    assert!(error.to_string().contains("switched off"), "{error}");
    assert!(
        matches!(error, hbase::Error::Deadline { attempts: 1..=20, .. }),
        "not after few attempts: {error}"
    );
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn regions_are_split_and_merged_and_no_row_is_lost() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "cut", &[]).await;
    for row in ["a", "c", "e", "g", "i"] {
        put(&table, row, "q", row.to_owned()).await;
    }
    let daughters = admin.split_table(table.name(), Some("e".into())).await.unwrap();
    assert_eq!(daughters.len(), 2);
    let names =
        |regions: &[Location]| regions.iter().map(|found| found.region.encoded_name()).collect::<Vec<_>>();
    let more = admin.split_region(&names(&daughters)[1], Some("g".into())).await.unwrap();
    assert_eq!(starts(&table).await, keys(&["", "e", "g"]));
    let at_its_start = admin.split_table(table.name(), Some("g".into())).await.unwrap_err();
    assert_eq!(at_its_start.exception(), Some("DoNotRetryIOException"), "{at_its_start}");
    let apart = [names(&daughters)[0].clone(), names(&more)[1].clone()];
    let refused = admin.merge_regions(&apart, false).await.unwrap_err();
    assert_eq!(refused.exception(), Some("MergeRegionException"), "{refused}");
    let neighbours = [apart[0].clone(), names(&more)[0].clone()];
    let merged = admin.merge_regions(&neighbours, false).await.unwrap();
    assert_eq!(merged.len(), 1);
    assert_eq!(starts(&table).await, keys(&["", "g"]));
    for row in ["a", "c", "e", "g", "i"] {
        assert_eq!(table.get(Get::new(row)).await.unwrap().value(b"f", b"q").unwrap(), row.as_bytes());
    }
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_table_is_split_where_its_servers_think_best() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "best", &[]).await;
    assert!(admin.split_table(table.name(), None).await.unwrap().is_empty(), "an empty region has no middle");
    for row in 0..200 {
        put(&table, &format!("{row:03}"), "q", vec![b'x'; 2000]).await;
    }
    let daughters = admin.split_table(table.name(), None).await.unwrap();
    assert_eq!(daughters.len(), 2);
    let middle = &daughters[1].region.start;
    assert!(middle > "020" && middle < "180", "{middle:?}");
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_region_moves_where_it_is_told() {
    let _still = BALANCING.read().await;
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "moved", &[]).await;
    put(&table, "a", "q", "v").await;
    let region = encoded(&table, "a").await;
    let before = admin.region(&region).await.unwrap();
    let servers = admin.live_servers().await.unwrap();
    assert!(servers.len() >= 2, "{servers:?}");
    let target = servers.iter().find(|server| Some(*server) != before.server.as_ref()).unwrap();
    let after = admin.move_region(&region, Some(target)).await.unwrap();
    assert_eq!(after.server.as_ref(), Some(target));
    assert_eq!(table.get(Get::new("a")).await.unwrap().cells.len(), 1);
    let elsewhere = admin.move_region(&region, None).await.unwrap();
    assert_ne!(elsewhere.server.as_ref(), Some(target));
    let nobody = "nowhere,1,1".parse().unwrap();
    let refused = admin.move_region(&region, Some(&nobody)).await.unwrap_err();
    assert!(matches!(refused, Error::InvalidArgument(_) | Error::Server(_)), "{refused}");
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn a_region_that_does_not_exist_is_told() {
    let admin = connect().await.admin();
    let name = "0123456789abcdef0123456789abcdef";
    for result in [
        admin.flush_region(name, None).await,
        admin.compact_region(name, Compaction::minor()).await,
        admin.split_region("t,,1.0123456789abcdef0123456789abcdef.", None).await.map(drop),
        admin.move_region(name, None).await.map(drop),
        admin.merge_regions(&[name.to_owned(), "x".to_owned()], true).await.map(drop),
    ] {
        let error = result.unwrap_err();
        assert_eq!(error.exception(), Some("UnknownRegionException"), "{error}");
    }
    let nowhere = admin.flush_table(&table_name("nowhere"), None).await.unwrap_err();
    assert!(matches!(nowhere, Error::TableNotFound(_)), "{nowhere}");
}

#[tokio::test]
async fn a_disabled_table_is_not_flushed() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "asleep", &["m"]).await;
    admin.disable_table(table.name()).await.unwrap();
    let refused = admin.flush_table(table.name(), None).await.unwrap_err();
    assert!(matches!(refused, Error::TableNotEnabled(_)), "{refused}");
    let refused = admin.compact_table_and_wait(table.name(), Compaction::major()).await.unwrap_err();
    assert!(matches!(refused, Error::TableNotEnabled(_)), "{refused}");
    drop_table(&admin, table.name()).await;
}
