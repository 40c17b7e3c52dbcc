//! A real HBase for tests, from its Maven jars: started in seconds, stopped whatever happens. Development only.
//!
//! | to have | use |
//! |---|---|
//! | a cluster for most tests, shared by all of them | [`shared()`] |
//! | a cluster in one JVM, with settings of its own | [`OneJvm`] |
//! | separate processes on a real HDFS, to kill some | [`Distributed`] |
//! | bad connections to any of them | [`proxy::ProxySet`] |
//! | a server that lies, without Java | [`fake::FakeServer`] |
//! | HBase's Java client to compare with | [`java_client::JavaClient`] |
//! | a cluster in the background, for a person | `cargo xtask hbase up`, [`keeper`] |
//!
//! # One cluster for all tests
//!
//! ```no_run
//! let cluster = hbase_testbed::shared().unwrap();
//! println!("{} or {}", cluster.by_masters(), cluster.by_zookeeper());
//! ```
//!
//! The first call of a process starts a cluster in one JVM, which ends with the process; `cargo xtask test` starts one for all
//! test programs. Tests tell their tables apart by name.
//!
//! # Killing servers
//!
//! ```no_run
//! use std::time::Duration;
//! use hbase_testbed::{Cluster, Distributed, Settings};
//!
//! let cluster = Distributed::start(&Settings { masters: 2, ..Settings::default() }.with("hbase.quota.enabled", true))?;
//! println!("{}", cluster.addresses().by_masters());
//! cluster.kill_region_server(1)?;
//! cluster.wait_for_region_servers(2, Duration::from_secs(30))?;
//! cluster.start_region_server(1)?;
//! cluster.kill_master(0)?; // the other one takes over
//! # Ok::<(), hbase_testbed::Error>(())
//! ```
//!
//! # What is needed, and what can be set
//!
//! Java 17 or later and Maven; without them the error says what to install. The jars are fetched once, into the user's cache
//! directory.
//!
//! | variable | means |
//! |---|---|
//! | `TABLESMITH_HBASE` | the cluster that [`shared()`] gives: `hbase://HOST:PORT;zk=HOST:PORT` |
//! | `TABLESMITH_HBASE_JARS` | a directory with the jars, instead of Maven |
//! | `TABLESMITH_HBASE_LOGS` | a directory in which the logs of all servers stay; else only those of failed tests do |
//!
//! # How it stops
//!
//! Every JVM has a pipe from the process that started it as its standard input, and ends when the pipe does: also after a
//! panic or `kill -9`. Dropping a cluster kills its JVMs and removes their files, unless the thread is panicking.

mod address;
mod base;
mod cache;
mod cluster;
mod distributed;
mod error;
pub mod fake;
mod java;
pub mod java_client;
pub mod keeper;
mod members;
mod one_jvm;
mod ports;
mod process;
pub mod proxy;
pub mod requirements;
mod scratch;
mod settings;
mod shared;
mod site;

pub use address::Addresses;
pub use cluster::Cluster;
pub use distributed::Distributed;
pub use error::Error;
pub use members::{Members, ServerName};
pub use one_jvm::OneJvm;
pub use settings::Settings;
pub use shared::{VARIABLE, shared};
