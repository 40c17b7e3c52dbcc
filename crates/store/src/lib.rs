//! What a wide-column store does, apart from who does it.
//!
//! [`Store`] is the trait. Its requests about rows are those of HBase ([`hbase_types`]), and [`atomic`], [`aggregate`] and
//! [`select`]; [`filter`] is what a store evaluates beside its data. [`wrap`] has stores around stores.

pub mod aggregate;
pub mod atomic;
pub mod clock;
pub mod error;
pub mod filter;
pub mod region;
mod row;
pub mod sanity;
mod scan_check;
pub mod select;
pub mod stats;
mod store;
mod within;
pub mod wrap;

pub use aggregate::{Aggregate, Group, GroupKey, KeySlice, Number, Partial, RegionPartials, ValueType};
pub use atomic::{AtomicBatch, RowCheck, RowOfBatch};
pub use clock::{Clock, ManualClock, SystemClock};
pub use error::StoreError;
pub use filter::Filter;
pub use hbase_types::{
    Action, Append, CheckAndMutate, Columns, Condition, Delete, DeleteTarget, Get, Increment, Mutation, Put,
    ReadOptions, RegionLoad, RowBound, RowMutations, Scan,
};
pub use region::{ClusterStatus, RegionInfo, ServerLoad};
pub use row::{ActionAnswer, CheckOutcome, Row};
pub use scan_check::check_scan;
pub use select::{RegionRows, Select, Which};
pub use stats::{Answer, OpStats};
pub use store::{FlushScope, Scanner, Store};
pub use within::within;
