//! The numbered servers of one role: each can be killed and started again by its number.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::sites::Shape;
use crate::base::{Base, Program};
use crate::error::Error;
use crate::process::Process;

/// What sets the servers of one role apart from others.
#[derive(Debug)]
pub(super) struct Role {
    pub(super) name: &'static str,
    pub(super) class: &'static str,
    pub(super) port_property: &'static str,
    pub(super) heap_mb: u32,
}

pub(super) const MASTER: Role = Role {
    name: "master",
    class: "org.apache.hadoop.hbase.master.HMaster",
    port_property: "hbase.master.port",
    heap_mb: 384,
};

pub(super) const REGION_SERVER: Role = Role {
    name: "region-server",
    class: "org.apache.hadoop.hbase.regionserver.HRegionServer",
    port_property: "hbase.regionserver.port",
    heap_mb: 512,
};

/// All servers of one role. They keep their ports when they are started again, as real ones do.
#[derive(Debug)]
pub(super) struct Servers {
    role: Role,
    ports: Vec<u16>,
    running: Mutex<Vec<Option<Process>>>,
}

impl Servers {
    /// So many, none of them running yet.
    pub(super) fn new(role: Role, count: usize, base: &Base) -> Result<Self, Error> {
        let ports = (0..count).map(|_| base.free_port()).collect::<Result<_, _>>()?;
        Ok(Self { role, ports, running: Mutex::new((0..count).map(|_| None).collect()) })
    }

    pub(super) fn ports(&self) -> &[u16] {
        &self.ports
    }

    /// How many of them run.
    pub(super) fn running(&self) -> usize {
        self.slots().iter().flatten().count()
    }

    pub(super) fn start(&self, index: usize, base: &Base, shape: &Shape) -> Result<(), Error> {
        let port = self.ports.get(index).ok_or_else(|| self.no_such(index))?;
        self.kill(index)?;
        let name = format!("{}-{index}", self.role.name);
        let mut site = shape.hbase_site(base);
        site.set(self.role.port_property, port);
        let process = base.start(&Program {
            name: &name,
            configuration: &shape.configure(base, &name, site)?,
            heap_mb: self.role.heap_mb,
            options: &[],
            words: &[self.role.class, "start"],
        })?;
        self.put(index, Some(process))
    }

    pub(super) fn start_all(&self, base: &Base, shape: &Shape) -> Result<(), Error> {
        (0..self.ports.len()).try_for_each(|index| self.start(index, base, shape))
    }

    pub(super) fn kill(&self, index: usize) -> Result<(), Error> {
        self.put(index, None)
    }

    /// Asks the first that runs; `None` when none does.
    pub(super) fn ask(&self, command: &str, limit: Duration) -> Option<Result<String, Error>> {
        self.slots().iter().flatten().next().map(|process| process.ask(command, limit))
    }

    fn put(&self, index: usize, process: Option<Process>) -> Result<(), Error> {
        *self.slots().get_mut(index).ok_or_else(|| self.no_such(index))? = process;
        Ok(())
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Option<Process>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn no_such(&self, index: usize) -> Error {
        Error::NoSuchServer { role: self.role.name, index, count: self.ports.len() }
    }
}
