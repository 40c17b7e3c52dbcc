//! What a wide-column store does, apart from who does it.
//!
//! [`Store`] is the trait; [`read`], [`write`], [`check`], [`atomic`], [`aggregate`] and [`select`] are the requests; [`filter`] is what a
//! store evaluates beside its data. [`wrap`] has stores around stores.

pub mod aggregate;
pub mod atomic;
pub mod check;
pub mod clock;
pub mod error;
pub mod filter;
pub mod read;
pub mod region;
pub mod sanity;
pub mod select;
pub mod stats;
mod store;
mod within;
pub mod wrap;
pub mod write;

pub use aggregate::{Aggregate, Group, GroupKey, KeySlice, Number, Partial, RegionPartials, ValueType};
pub use atomic::{AtomicBatch, RowCheck, RowOfBatch};
pub use check::{CheckAndMutate, CheckOutcome, Condition};
pub use clock::{Clock, ManualClock, SystemClock};
pub use error::StoreError;
pub use filter::Filter;
pub use read::{Columns, Get, ReadOptions, Row, RowBound, Scan};
pub use region::{ClusterStatus, RegionInfo, RegionLoad, ServerLoad};
pub use select::{RegionRows, Select, Which};
pub use stats::{Answer, OpStats};
pub use store::{FlushScope, Scanner, Store};
pub use within::within;
pub use write::{Action, ActionAnswer, Append, Delete, DeleteTarget, Increment, Mutation, Put, RowMutations};
