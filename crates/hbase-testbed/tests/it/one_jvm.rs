//! A cluster in one JVM, in a process that is killed.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hbase_testbed::{Addresses, Cluster, Error, Members, OneJvm, Settings};

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

#[test]
fn a_cluster_that_cannot_start_shows_its_log() {
    let impossible = Settings { logs: None, ..Settings::default() }.with("hbase.zookeeper.quorum", "one,two");
    let error = OneJvm::start(&impossible).unwrap_err();
    assert!(error.to_string().contains("Could not start ZK with 2 ZK servers"), "{error}");
    let Error::Server { log, .. } = error else { panic!("another error: {error}") };
    // It stays for somebody to read; that is the caller here.
    let files = log.parent().and_then(Path::parent).unwrap();
    assert!(files.join("conf/hbase/hbase-site.xml").is_file());
    std::fs::remove_dir_all(files).unwrap();
}

fn start_and_wait() {
    let cluster = OneJvm::start(&Settings::default()).unwrap();
    let members: Members = cluster.members().unwrap();
    println!("\n{}\n{members}\n{}", cluster.addresses(), cluster.files().display());
    sleep(Duration::from_secs(600));
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < deadline, "not within 120 s: {what}");
        sleep(Duration::from_millis(50));
    }
}
