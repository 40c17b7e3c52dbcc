//! HBase's own Java client as a rival: a JVM that does what it is told and says how long it took. It stays up between
//! rounds, so that what is measured is a warm JVM.
//!
//! ```no_run
//! use hbase_testbed::java_client::{JavaClient, Way, Work};
//!
//! let java = JavaClient::start(hbase_testbed::shared()?, &[])?;
//! let table = "bench".to_owned();
//! java.run(&Work::Create { table: table.clone(), regions: 6 })?;
//! let work = Work::Put { table, first: 0, count: 10_000, in_flight: 64, value_bytes: 100, way: Way::Async };
//! let measured = java.run(&work)?;
//! println!("{:?} for {} puts, p99 {:?}", measured.wall, measured.operations, measured.p99);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod measured;
pub mod rows;
mod work;

use std::time::Duration;

pub use self::measured::Measured;
pub use self::work::{ScannedColumn, Way, Work};
use crate::address::Addresses;
use crate::base::{Base, Program};
use crate::error::Error;
use crate::process::Process;
use crate::settings::Settings;
use crate::site::Site;

const HEAP_MB: u32 = 1024;
const LIMIT: Duration = Duration::from_secs(1800);

/// A JVM with the Java client; ends on drop and with this process.
#[derive(Debug)]
pub struct JavaClient {
    // Dropped in this order: the files go after the process.
    process: Process,
    _base: Base,
}

impl JavaClient {
    /// Starts the client. It has HBase's own defaults except for `properties`, which go into its `hbase-site.xml`.
    pub fn start(addresses: &Addresses, properties: &[(&str, &str)]) -> Result<Self, Error> {
        let base = Base::new(&Settings { log_level: "WARN".to_owned(), ..Settings::default() })?;
        let mut site = Site::of(&[("hbase.zookeeper.quorum", &addresses.zookeeper)]);
        for (name, value) in properties {
            site.set(name, value);
        }
        let process = base.start_unwatched(&Program {
            name: "java-client",
            configuration: &base.configure("java-client", site)?,
            heap_mb: HEAP_MB,
            options: &[base.clean_up_option()],
            words: &["testbed.Client"],
        })?;
        Ok(Self { process, _base: base })
    }

    /// Does the work, and says what was measured.
    pub fn run(&self, work: &Work) -> Result<Measured, Error> {
        self.begin(work).finish()
    }

    /// Begins the work; meanwhile the caller can do something else, such as kill a server.
    pub fn begin(&self, work: &Work) -> Running<'_> {
        let command = work.to_string();
        self.process.tell(&command);
        let word = command.split(' ').next().unwrap_or_default().to_owned();
        Running { client: self, word }
    }
}

/// Work that has begun.
#[derive(Debug)]
#[must_use = "the answer must be waited for before other work can begin"]
pub struct Running<'a> {
    client: &'a JavaClient,
    word: String,
}

impl Running<'_> {
    /// Waits until so many operations of [`Work::Stall`] are acknowledged. It hears of every hundredth part of them.
    pub fn wait_for_progress(&self, operations: u64) -> Result<(), Error> {
        loop {
            let count = self.client.process.wait_for("progress", LIMIT)?;
            if count.parse().is_ok_and(|count: u64| count >= operations) {
                return Ok(());
            }
        }
    }

    /// Waits until it is done.
    pub fn finish(self) -> Result<Measured, Error> {
        self.client.process.wait_for(&self.word, LIMIT).map(|answer| Measured::read(&answer))
    }
}
