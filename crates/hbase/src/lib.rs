//! A native asynchronous client for Apache HBase: no Java, no Thrift or REST gateway between.

mod admin;
mod attempts;
mod batch;
mod cell;
mod client;
mod cluster;
mod config;
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
mod rpc;
mod scan;
mod table;
mod wire;

pub use admin::{Admin, FamilySchema, Namespace, TableSchema};
pub use cell::{Cell, CellType, Row};
pub use client::Client;
pub use config::{Authentication, Bootstrap, Config, Translate};
pub use error::{Error, ServerException};
pub use filter::{
    BitOp, ColumnCondition, Comparator, CompareOp, Filter, ListOp, RegexFlags, RowRange,
};
pub use metrics::Metrics;
pub use name::{HostPort, ServerName, TableName};
pub use region::{Location, Region};
pub use request::{
    Action, ActionReply, Append, CheckAndMutate, Checked, Columns, Condition, Delete, DeleteTarget, Durability, Get,
    Increment, Mutation, Put, ReadOptions, RowBound, RowMutations, Scan, TimeRange,
};
pub use rpc::CallError;
pub use scan::Scanner;
pub use table::Table;
#[doc(hidden)]
pub use wire::fuzzing;
