//! What can be chosen about a cluster.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::site::Site;

/// What can be chosen about a cluster; the default is right for most tests.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many region servers.
    pub region_servers: usize,
    /// How many masters; all but one wait for their turn. Only [`Distributed`](crate::Distributed) has more than one.
    pub masters: usize,
    /// How much the servers write to their logs: `WARN`, `INFO`, `DEBUG`.
    pub log_level: String,
    /// A directory for the logs that stays; without it they go with the cluster, except when a test fails.
    /// The default is a new one inside `TABLESMITH_HBASE_LOGS`, if that is set.
    pub logs: Option<PathBuf>,
    /// Further properties of `hbase-site.xml`; they win over the testbed's own.
    pub properties: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            region_servers: 3,
            masters: 1,
            log_level: "INFO".to_owned(),
            logs: logs_from_environment(),
            properties: Vec::new(),
        }
    }
}

fn logs_from_environment() -> Option<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let directory = PathBuf::from(std::env::var_os("TABLESMITH_HBASE_LOGS")?);
    let name = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    Some(directory.join(name))
}

impl Settings {
    /// The same with a further property of `hbase-site.xml`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.properties.push((name.to_owned(), value.to_string()));
        self
    }

    /// Writes the configuration files that every server reads.
    pub(crate) fn write(&self, mut site: Site, directory: &Path) -> Result<(), Error> {
        for (name, value) in &self.properties {
            site.set(name, value);
        }
        site.write(&directory.join("hbase-site.xml"))?;
        let path = directory.join("log4j.properties");
        std::fs::write(&path, self.logging()).map_err(Error::file(&path))
    }

    /// Everything to standard error, which is a file. ZooKeeper's part is long and seldom of use.
    fn logging(&self) -> String {
        format!(
            "log4j.rootLogger={},console\n\
             log4j.appender.console=org.apache.log4j.ConsoleAppender\n\
             log4j.appender.console.target=System.err\n\
             log4j.appender.console.layout=org.apache.log4j.PatternLayout\n\
             log4j.appender.console.layout.ConversionPattern=%d{{ISO8601}} %p [%t] %c{{1}}: %m%n\n\
             log4j.logger.org.apache.zookeeper=WARN\n",
            self.log_level
        )
    }
}

/// Properties that every kind of cluster has: all on loopback, nothing that happens by the clock, short waits.
pub(crate) fn common_site() -> Site {
    Site::of(&[
        ("hbase.zookeeper.quorum", "127.0.0.1"),
        ("hbase.zookeeper.property.clientPortAddress", "127.0.0.1"),
        ("hbase.master.hostname", "localhost"),
        ("hbase.unsafe.regionserver.hostname", "localhost"),
        ("hbase.master.ipc.address", "127.0.0.1"),
        ("hbase.regionserver.ipc.address", "127.0.0.1"),
        ("hbase.master.info.port", "-1"),
        ("hbase.regionserver.info.port", "-1"),
        ("hbase.regionserver.handler.count", "16"),
        (
            "hbase.coprocessor.user.region.classes",
            "org.apache.hadoop.hbase.coprocessor.AggregateImplementation",
        ),
        // A region moves, splits or is compacted when a test says so.
        ("hbase.balancer.period", "2000000000"),
        ("hbase.catalogjanitor.interval", "2000000000"),
        ("hbase.hregion.majorcompaction", "0"),
        ("hbase.server.compactchecker.interval.multiplier", "100000"),
        // A region can be split or merged again when the files that a compaction replaced are put away: every 2 minutes
        // otherwise.
        ("hbase.hfile.compaction.discharger.interval", "500"),
        // The master flushes one table at a time otherwise.
        ("hbase.flush.procedure.master.threads", "16"),
        // Procedures wait 150 ms for company otherwise: creating a table takes half a second less.
        ("hbase.procedure.remote.dispatcher.delay.msec", "1"),
        ("hbase.master.wait.on.regionservers.interval", "200"),
        ("hbase.master.wait.on.regionservers.timeout", "500"),
        // Also how long a region server waits before it tries again to find a master that is not there yet.
        ("hbase.regionserver.msginterval", "500"),
        // Somebody's environment is not for a log.
        ("hbase.envvars.logging.disabled", "true"),
        ("hbase.client.pause", "10"),
        ("hbase.client.retries.number", "9"),
    ])
}
