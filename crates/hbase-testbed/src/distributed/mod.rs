//! A cluster of separate processes on a real HDFS, for tests that kill some of them.

mod ground;
mod hdfs;
mod servers;
mod sites;

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use self::ground::Ground;
use self::servers::{MASTER, REGION_SERVER, Servers};
use self::sites::Shape;
use crate::address::Addresses;
use crate::base::Base;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::members::{Members, ServerName};
use crate::settings::Settings;

const START_LIMIT: Duration = Duration::from_secs(180);
const ANSWER_LIMIT: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A real HBase as separate processes on a real HDFS: name node, data node, ZooKeeper, masters, region servers. Up in
/// about 40 seconds; an acknowledged write survives a killed region server. All is stopped on drop and when this process
/// ends, however it ends.
///
/// Region servers and masters are numbered from 0. The methods take `&self`, so that one thread can kill servers while
/// others use the cluster.
#[derive(Debug)]
pub struct Distributed {
    addresses: Addresses,
    shape: Shape,
    // Dropped in this order: the files go after the servers.
    region_servers: Servers,
    masters: Servers,
    _ground: Ground,
    base: Base,
}

impl Distributed {
    /// Starts a cluster, and waits until a master is active, all region servers are online and the system tables can
    /// be read.
    pub fn start(settings: &Settings) -> Result<Self, Error> {
        let mut base = Base::new(settings)?;
        let shape = Shape::find(&base)?;
        let region_servers = Servers::new(REGION_SERVER, settings.region_servers, &base)?;
        let masters = Servers::new(MASTER, settings.masters.max(1), &base)?;
        let started = Ground::start(&base, &shape).and_then(|ground| {
            masters.start_all(&base, &shape)?;
            region_servers.start_all(&base, &shape)?;
            wait_until_ready(&masters, settings.region_servers)?;
            Ok(ground)
        });
        match started {
            Ok(ground) => {
                let addresses = addresses(masters.ports(), &shape);
                Ok(Self { addresses, shape, region_servers, masters, _ground: ground, base })
            }
            Err(error) => {
                base.keep_files();
                Err(error)
            }
        }
    }

    /// Kills a region server as `kill -9` does. The cluster notices when its ZooKeeper session has run out.
    pub fn kill_region_server(&self, index: usize) -> Result<(), Error> {
        self.region_servers.kill(index)
    }

    /// Starts a region server on its old port; returns without waiting for it. One that runs is killed.
    pub fn start_region_server(&self, index: usize) -> Result<(), Error> {
        self.region_servers.start(index, &self.base, &self.shape)
    }

    /// Which of our processes has this name: the number for [`kill_region_server`](Self::kill_region_server).
    pub fn region_server_named(&self, name: &ServerName) -> Option<usize> {
        self.region_servers.ports().iter().position(|port| *port == name.port)
    }

    /// Waits until exactly `count` region servers are online: after a kill, until the cluster has noticed.
    pub fn wait_for_region_servers(&self, count: usize, limit: Duration) -> Result<Members, Error> {
        let begun = Instant::now();
        loop {
            let members = self.members()?;
            if members.master.is_some() && members.region_servers.len() == count {
                return Ok(members);
            }
            if begun.elapsed() > limit {
                let found = members.to_string();
                return Err(Error::Members { wanted: count, found, waited_s: limit.as_secs() });
            }
            sleep(LOOK_EVERY);
        }
    }

    /// Kills a master as `kill -9` does. Another one takes over if there is one.
    pub fn kill_master(&self, index: usize) -> Result<(), Error> {
        self.masters.kill(index)
    }

    /// Starts a master on its old port; returns without waiting for it. One that runs is killed.
    pub fn start_master(&self, index: usize) -> Result<(), Error> {
        self.masters.start(index, &self.base, &self.shape)
    }

    /// Kills the first master, starts it again, and waits until a master is active and knows all region servers that
    /// run.
    pub fn restart_master(&self) -> Result<(), Error> {
        self.start_master(0)?;
        wait_until_ready(&self.masters, self.region_servers.running())
    }
}

impl Cluster for Distributed {
    fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    fn files(&self) -> &Path {
        self.base.path()
    }

    fn members(&self) -> Result<Members, Error> {
        match self.masters.ask("servers", ANSWER_LIMIT) {
            Some(answer) => Ok(Members::read(&answer?)),
            None => Ok(Members::default()),
        }
    }
}

fn addresses(master_ports: &[u16], shape: &Shape) -> Addresses {
    let masters: Vec<_> = master_ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    Addresses { masters: masters.join(","), zookeeper: format!("127.0.0.1:{}", shape.zookeeper_port) }
}

fn wait_until_ready(masters: &Servers, region_servers: usize) -> Result<(), Error> {
    match masters.ask(&format!("ready {region_servers}"), START_LIMIT) {
        Some(answer) => answer.map(|_| ()),
        None => Ok(()),
    }
}
