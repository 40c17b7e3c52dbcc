//! A real HDFS: a name node and a data node.

use std::path::Path;

use crate::base::{Base, COMPILE_LITTLE, Program};
use crate::error::Error;
use crate::process::Process;
use crate::site::Site;

const NAME_NODE: &str = "org.apache.hadoop.hdfs.server.namenode.NameNode";
const DATA_NODE: &str = "org.apache.hadoop.hdfs.server.datanode.DataNode";
const HEAP_MB: u32 = 192;

/// The two processes; killed on drop.
#[derive(Debug)]
pub(super) struct Hdfs {
    name_node: Process,
    _data_node: Process,
}

impl Hdfs {
    /// Makes an empty file system and starts it.
    pub(super) fn start(base: &Base, configuration: &Path) -> Result<Self, Error> {
        let options = &[COMPILE_LITTLE.to_owned()];
        let run = |name: &str, words: &[&str]| {
            base.start(&Program { name, configuration, heap_mb: HEAP_MB, options, words })
        };
        run("format", &[NAME_NODE, "-format", "-nonInteractive"])?.wait_for_end()?;
        Ok(Self { name_node: run("name-node", &[NAME_NODE])?, _data_node: run("data-node", &[DATA_NODE])? })
    }

    pub(super) fn name_node(&self) -> &Process {
        &self.name_node
    }
}

/// The properties of HDFS, for its own processes and for all that read and write files.
pub(super) fn site(base: &Base, name_node_port: u16) -> Site {
    let mut site = Site::of(&[
        ("dfs.replication", "1"),
        ("dfs.permissions.enabled", "false"),
        ("dfs.namenode.http-address", "127.0.0.1:0"),
        ("dfs.namenode.rpc-bind-host", "127.0.0.1"),
        ("dfs.namenode.datanode.registration.ip-hostname-check", "false"),
        ("dfs.datanode.address", "127.0.0.1:0"),
        ("dfs.datanode.http.address", "127.0.0.1:0"),
        ("dfs.datanode.ipc.address", "127.0.0.1:0"),
        ("dfs.datanode.hostname", "127.0.0.1"),
        // A fresh file system has nothing to wait for.
        ("dfs.namenode.safemode.extension", "0"),
    ]);
    site.set("fs.defaultFS", format!("hdfs://127.0.0.1:{name_node_port}"));
    site.set("hadoop.tmp.dir", base.data("hadoop").display());
    site.set("dfs.namenode.name.dir", format!("file://{}", base.data("name-node").display()));
    site.set("dfs.datanode.data.dir", format!("file://{}", base.data("data-node").display()));
    site
}
