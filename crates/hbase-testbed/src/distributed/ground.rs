//! What HBase stands on: HDFS and ZooKeeper.

use std::net::{Ipv4Addr, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::hdfs::Hdfs;
use super::sites::Shape;
use crate::base::{Base, COMPILE_LITTLE, Program};
use crate::error::Error;
use crate::process::Process;

const ZOOKEEPER_HEAP_MB: u32 = 128;
const START_LIMIT: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The processes that are never killed by a test.
#[derive(Debug)]
pub(super) struct Ground {
    _zookeeper: Process,
    _hdfs: Hdfs,
}

impl Ground {
    /// Starts them, and waits until they listen.
    pub(super) fn start(base: &Base, shape: &Shape) -> Result<Self, Error> {
        let configuration = shape.configure(base, "ground", shape.hbase_site(base))?;
        let zookeeper = base.start(&Program {
            name: "zookeeper",
            configuration: &configuration,
            heap_mb: ZOOKEEPER_HEAP_MB,
            // It has the least to do, so it is the one that cleans up.
            options: &[base.clean_up_option(), COMPILE_LITTLE.to_owned()],
            words: &["org.apache.hadoop.hbase.zookeeper.HQuorumPeer", "start"],
        })?;
        let hdfs = Hdfs::start(base, &configuration)?;
        wait_for_port(&zookeeper, shape.zookeeper_port)?;
        wait_for_port(hdfs.name_node(), shape.name_node_port)?;
        Ok(Self { _zookeeper: zookeeper, _hdfs: hdfs })
    }
}

fn wait_for_port(process: &Process, port: u16) -> Result<(), Error> {
    let begun = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        if process.has_ended() {
            return Err(process.error("has ended".to_owned()));
        }
        if begun.elapsed() > START_LIMIT {
            return Err(process.error(format!("does not listen after {} s", START_LIMIT.as_secs())));
        }
        sleep(LOOK_EVERY);
    }
    Ok(())
}
