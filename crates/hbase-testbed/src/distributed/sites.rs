//! The configuration of the separate processes.

use std::path::PathBuf;

use super::hdfs;
use crate::base::Base;
use crate::error::Error;
use crate::settings::common_site;
use crate::site::Site;

/// What every process must know of the others: where the name node and ZooKeeper are.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) name_node_port: u16,
    pub(super) zookeeper_port: u16,
}

impl Shape {
    pub(super) fn find(base: &Base) -> Result<Self, Error> {
        Ok(Self { name_node_port: base.free_port()?, zookeeper_port: base.free_port()? })
    }

    /// Writes the configuration files of one process; gives their directory.
    pub(super) fn configure(&self, base: &Base, name: &str, site: Site) -> Result<PathBuf, Error> {
        let directory = base.configure(name, site)?;
        // Twice: Hadoop lets HDFS's defaults win over core-site.xml, and wants the default file system before it looks
        // into hdfs-site.xml.
        let hdfs = hdfs::site(base, self.name_node_port);
        hdfs.write(&directory.join("core-site.xml"))?;
        hdfs.write(&directory.join("hdfs-site.xml"))?;
        Ok(directory)
    }

    /// The properties of `hbase-site.xml` that all servers share.
    pub(super) fn hbase_site(&self, base: &Base) -> Site {
        let mut site = common_site();
        site.set("hbase.cluster.distributed", true);
        site.set("hbase.rootdir", format!("hdfs://127.0.0.1:{}/hbase", self.name_node_port));
        site.set("hbase.tmp.dir", base.data("tmp").display());
        site.set("hbase.zookeeper.property.dataDir", base.data("zookeeper").display());
        site.set("hbase.zookeeper.property.clientPort", self.zookeeper_port);
        // A dead server is noticed when its session has run out: 6 seconds, where production has 90.
        site.set("zookeeper.session.timeout", 6000);
        site.set("hbase.zookeeper.property.tickTime", 1000);
        site
    }
}
