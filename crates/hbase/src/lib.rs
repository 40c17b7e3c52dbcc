//! A native asynchronous client for Apache HBase 2.5 and later: no Java, no Thrift or REST gateway between.
//!
//! ```no_run
//! use hbase::{Client, Get, Put, Scan};
//!
//! # async fn example() -> Result<(), hbase::Error> {
//! // Masters or region servers, no ZooKeeper needed; or hbase+zk://HOST:PORT/hbase.
//! let client = Client::connect("hbase://localhost:16000").await?;
//! let table = client.table("users")?;
//!
//! table.put(Put::new("ann").add("info", "city", "Oslo")).await?;
//! let row = table.get(Get::new("ann").column("info", "city")).await?;
//! assert_eq!(row.value(b"info", b"city"), Some(&b"Oslo"[..]));
//!
//! let mut scanner = table.scan(Scan::range("a", "c").limit(100));
//! while let Some(row) = scanner.next_row().await? {
//!     println!("{:?}: {} cells", row.shared_key(), row.cells.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What it promises
//!
//! - **Deadlines.** Every operation ends within [`Config::operation_timeout`], with all its retries; administrative ones
//!   that change something within [`Config::admin_timeout`]. An answer that cannot be decoded is an error at once.
//!   [`Config::retry_observer`] is told what is tried again, where, how often and until when.
//! - **Exactly once for counters.** Increments and appends carry nonces: a retry after a lost answer does not add twice. A
//!   check-and-mutate whose answer was lost is not repeated but reported as [`Error::Ambiguous`].
//! - **Whole scans.** A split, a merge, a moved region, a dead server or an expired scanner never loses, repeats or
//!   reorders a row.
//! - **Bounded memory.** A scan is at most one portion ahead of its reader; a server's word about lengths is not
//!   trusted; answers, lists in them and rows have limits ([`Config::frame_bytes_max`],
//!   [`Config::answer_entries_max`], [`Config::row_bytes_max`]).
//! - **No waiting for company.** A lone call is on the socket before its future first yields; calls that come while others
//!   are under way go together, as many as there are, without a timer.
//!
//! # Many things at once
//!
//! ```no_run
//! use hbase::{Action, Get, Mutation, Put, Table};
//!
//! # async fn example(table: Table) -> Result<(), hbase::Error> {
//! let actions = vec![
//!     Action::Mutate(Mutation::Put(Put::new("ann").add("info", "city", "Oslo"))),
//!     Action::Get(Get::new("bob")),
//! ];
//! for result in table.batch(actions).await {
//!     println!("{:?}", result?);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Administration
//!
//! ```no_run
//! use hbase::{Client, FamilySchema, TableSchema};
//!
//! # async fn example(client: Client) -> Result<(), hbase::Error> {
//! let schema = TableSchema::new("users".parse()?).family(FamilySchema::new("info"));
//! client.admin().create_table(&schema, &["g".into(), "p".into()]).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Settings, authentication, what happens inside
//!
//! All settings are in [`Config`]. Authentication is by user name ([`Authentication::Simple`]); where Kerberos and TLS
//! would go is said there. Operations make `tracing` spans and events at the debug level; [`Client::metrics`] counts
//! calls, retries and bytes.

mod admin;
mod aggregate;
mod attempts;
mod batch;
mod cell;
mod client;
mod cluster;
mod config;
mod coprocessor;
mod error;
mod filter;
mod metrics;
mod name;
mod nonce;
mod pb;
mod region;
mod registry;
mod request;
mod retry;
mod retry_report;
mod rpc;
mod scan;
mod table;
mod wire;

pub use admin::{
    Admin, Balanced, ClusterStatus, Compaction, Counted, FamilySchema, Namespace, RegionInTransition,
    RegionMetrics, ServerLoad, Snapshot, SnapshotKind, TableSchema,
};
pub use aggregate::{Aggregation, COPROCESSOR as AGGREGATE_COPROCESSOR, Moments};
pub use cell::{Cell, Row};
pub use client::Client;
pub use config::{Authentication, Bootstrap, Config, Translate};
pub use coprocessor::{ServiceAnswer, ServiceMethod};
pub use error::{Error, ServerException};
pub use hbase_types::{
    Action, Append, BitOp, CellType, CheckAndMutate, ColumnCondition, Columns, Comparator, CompareOp,
    Condition, Delete, DeleteTarget, Durability, Filter, Get, Increment, InvalidRequest, ListOp, Mutation,
    NameError, Put, ReadOptions, RegexFlags, RegionLoad, RowBound, RowMutations, RowRange, Scan, TableName,
    TimeRange, TimeRangeError,
};
pub use metrics::Metrics;
pub use name::{HostPort, ServerName};
pub use region::{Location, Region};
pub use request::{ActionReply, Checked};
pub use retry_report::{RetryObserver, RetryReport};
pub use rpc::CallError;
pub use scan::Scanner;
pub use table::Table;
#[doc(hidden)]
pub use wire::fuzzing;
