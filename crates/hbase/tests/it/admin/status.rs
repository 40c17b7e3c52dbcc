//! The cluster's state, loads and the balancer.

use hbase::Get;

use super::BALANCING;
use crate::support::{connect, create, drop_table, put};

#[tokio::test]
async fn the_status_tells_of_every_server_and_region() {
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "status", &["m"]).await;
    let wanted: Vec<_> =
        table.regions().await.unwrap().iter().map(|location| location.region.name.clone()).collect();
    // Servers report every few seconds.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
    let status = loop {
        let status = admin.cluster_status().await.unwrap();
        let known = |name| {
            status.servers.iter().any(|server| server.regions.iter().any(|load| load.region_name == name))
        };
        if wanted.iter().all(known) {
            break status;
        }
        assert!(std::time::Instant::now() < deadline, "{wanted:?} are not in {status:?}");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    };
    assert!(status.master.is_some());
    assert!(status.version.starts_with("2."), "{}", status.version);
    assert_eq!(status.cluster_id, client.cluster_id().await.unwrap());
    assert!(status.servers.iter().all(|server| server.heap_max_mb > 0));
    let live: Vec<_> = status.servers.iter().map(|server| server.server.clone()).collect();
    assert_eq!(live, admin.live_servers().await.unwrap());
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn loads_are_fresh() {
    // A region's counts begin anew where it is moved to.
    let _still = BALANCING.read().await;
    let client = connect().await;
    let admin = client.admin();
    let table = create(&client, "loads", &["m"]).await;
    for row in 0..10 {
        put(&table, &format!("a{row}"), "q", "v").await;
    }
    for _ in 0..5 {
        table.get(Get::new("a0")).await.unwrap();
    }
    let loads = admin.region_loads(Some(table.name())).await.unwrap();
    let places = table.regions().await.unwrap();
    assert_eq!(loads.len(), 2);
    for ((server, load), place) in loads.iter().zip(&places) {
        assert_eq!((&load.region_name, Some(server)), (&place.region.name, place.server.as_ref()));
    }
    let (_, first) = &loads[0];
    assert_eq!((first.load.writes, first.load.reads, first.stores), (10, 5, 1));
    assert!(admin.region_loads(None).await.unwrap().len() > 2, "meta and others are there too");
    drop_table(&admin, table.name()).await;
}

#[tokio::test]
async fn the_balancer_is_switched_and_run() {
    let _alone = BALANCING.write().await;
    let admin = connect().await.admin();
    let was_on = admin.switch_balancer(false).await.unwrap();
    assert!(!admin.is_balancer_on().await.unwrap());
    assert!(!admin.balance().await.unwrap().ran, "it is switched off");
    assert!(!admin.switch_balancer(true).await.unwrap());
    assert!(admin.is_balancer_on().await.unwrap());
    let done = admin.balance().await.unwrap();
    assert!(done.moves_executed <= done.moves_calculated, "{done:?}");
    assert!(admin.switch_balancer(was_on).await.unwrap());
}
