//! A cluster of separate processes.

use std::net::TcpStream;
use std::time::Duration;

use hbase_testbed::{Cluster, Distributed, Settings};

#[test]
fn servers_are_killed_and_started_again() {
    let cluster = Distributed::start(&Settings::default()).unwrap();
    let members = cluster.members().unwrap();
    assert_eq!(members.region_servers.len(), 3);
    cluster.kill_region_server(1).unwrap();
    let after = cluster.wait_for_region_servers(2, Duration::from_secs(120)).unwrap();
    let gone: Vec<_> =
        members.region_servers.iter().filter(|name| !after.region_servers.contains(name)).collect();
    assert_eq!(gone.len(), 1);
    assert_eq!(cluster.region_server_named(gone[0]), Some(1));
    cluster.start_region_server(1).unwrap();
    let back = cluster.wait_for_region_servers(3, Duration::from_secs(120)).unwrap();
    assert!(!back.region_servers.contains(gone[0]));

    let (addresses, files) = (cluster.addresses().clone(), cluster.files().to_owned());
    TcpStream::connect(&addresses.zookeeper).unwrap();
    drop(cluster);
    for address in [&addresses.masters, &addresses.zookeeper] {
        assert!(TcpStream::connect(address).is_err(), "{address} still listens");
    }
    assert!(!files.exists());
}
