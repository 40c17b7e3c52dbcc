//! A cluster in one JVM, in a process that is killed.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hbase_testbed::{Addresses, Cluster, Members, OneJvm, Settings};

const IS_CHILD: &str = "TESTBED_TEST_IS_CHILD";

/// Starts itself again as another process, which starts the cluster and is killed with it running: nothing must stay.
#[test]
fn a_cluster_ends_with_a_killed_process() {
    if std::env::var_os(IS_CHILD).is_some() {
        return start_and_wait();
    }
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "one_jvm::a_cluster_ends_with_a_killed_process", "--nocapture"])
        .env(IS_CHILD, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut words = lines.skip_while(|line| !line.starts_with("hbase://")).take(3);
    let addresses: Addresses = words.next().expect("the child starts a cluster").parse().unwrap();
    let (members, files) = (words.next().unwrap(), words.next().unwrap());

    TcpStream::connect(&addresses.masters).unwrap();
    TcpStream::connect(&addresses.zookeeper).unwrap();
    assert_eq!(members.split(' ').count(), 4, "a master and three region servers: {members}");
    assert!(Path::new(&files).is_dir(), "{files}");

    // On Unix this is kill -9.
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("the master is gone", || TcpStream::connect(&addresses.masters).is_err());
    wait_until("the files are gone", || !Path::new(&files).exists());
}

fn start_and_wait() {
    let cluster = OneJvm::start(&Settings::default()).unwrap();
    let members: Members = cluster.members().unwrap();
    println!("\n{}\n{members}\n{}", cluster.addresses(), cluster.files().display());
    sleep(Duration::from_secs(600));
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "not within 20 s: {what}");
        sleep(Duration::from_millis(50));
    }
}
