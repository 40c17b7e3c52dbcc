//! A cluster in one JVM: a master, three region servers and a ZooKeeper on local files.

use std::path::Path;
use std::time::Duration;

use crate::address::Addresses;
use crate::base::{Base, Program};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::members::Members;
use crate::process::Process;
use crate::settings::{Settings, common_site};
use crate::site::Site;

const HEAP_MB: u32 = 2048;
const START_LIMIT: Duration = Duration::from_secs(120);
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

/// A real HBase in one JVM, up in 10 to 20 seconds; stopped on drop and when this process ends, however it ends.
///
/// It keeps its data on local files, which do not survive a killed JVM: [`Distributed`](crate::Distributed) is the one
/// for tests of durability.
#[derive(Debug)]
pub struct OneJvm {
    addresses: Addresses,
    // Dropped in this order: the files go after the servers.
    process: Process,
    base: Base,
}

impl OneJvm {
    /// Starts a cluster, and waits until a master is active, all region servers are online and the system tables can
    /// be read.
    pub fn start(settings: &Settings) -> Result<Self, Error> {
        let mut base = Base::new(settings)?;
        match start_on(&base) {
            Ok((addresses, process)) => Ok(Self { addresses, process, base }),
            Err(error) => {
                base.keep_files();
                Err(error)
            }
        }
    }
}

impl Cluster for OneJvm {
    fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    fn files(&self) -> &Path {
        self.base.path()
    }

    fn members(&self) -> Result<Members, Error> {
        Ok(Members::read(&self.process.ask("servers", ANSWER_LIMIT)?))
    }
}

fn start_on(base: &Base) -> Result<(Addresses, Process), Error> {
    let (master_port, zookeeper_port) = (base.free_port()?, base.free_port()?);
    let configuration = base.configure("hbase", site(base, master_port, zookeeper_port))?;
    let region_servers = base.settings.region_servers;
    let process = base.start(&Program {
        name: "hbase",
        configuration: &configuration,
        heap_mb: HEAP_MB,
        options: &[base.clean_up_option()],
        words: &[
            "org.apache.hadoop.hbase.master.HMaster",
            &format!("--localRegionServers={region_servers}"),
            "start",
        ],
    })?;
    process.ask(&format!("ready {region_servers}"), START_LIMIT)?;
    let addresses = Addresses {
        masters: format!("127.0.0.1:{master_port}"),
        zookeeper: format!("127.0.0.1:{zookeeper_port}"),
    };
    Ok((addresses, process))
}

fn site(base: &Base, master_port: u16, zookeeper_port: u16) -> Site {
    let mut site = common_site();
    site.set("hbase.cluster.distributed", false);
    // A machine that stands still for a moment must not end the cluster: sessions last 10 seconds otherwise.
    site.set("zookeeper.session.timeout.localHBaseCluster", 120_000);
    site.set("hbase.zookeeper.property.tickTime", 6_000);
    site.set("hbase.unsafe.stream.capability.enforce", false);
    site.set("hbase.wal.provider", "filesystem");
    site.set("hbase.rootdir", format!("file://{}", base.data("hbase").display()));
    site.set("hbase.tmp.dir", base.data("tmp").display());
    site.set("hbase.zookeeper.property.dataDir", base.data("zookeeper").display());
    site.set("hbase.zookeeper.property.clientPort", zookeeper_port);
    site.set("hbase.master.port", master_port);
    site.set("hbase.regionserver.port", 0);
    site
}
