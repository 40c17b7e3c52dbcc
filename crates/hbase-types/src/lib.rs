//! Requests, filters and cells of Apache HBase, as plain values: no I/O and no wire format.
//!
//! A client sends these values and a store evaluates them: [`read`] has gets and scans, [`write`] puts, deletes and the
//! other mutations, [`check`] check-and-mutate, [`filter`] what runs beside the data. [`name`] and
//! [`row`] say what names and row keys may be, [`bytes_text`] how HBase prints bytes.

pub mod bytes_text;
mod cell;
pub mod check;
mod durability;
mod error;
pub mod filter;
pub mod name;
pub mod read;
mod region_load;
pub mod row;
mod time_range;
pub mod write;

pub use cell::{CellType, LATEST_TIMESTAMP, Timestamp};
pub use check::{CheckAndMutate, Condition};
pub use durability::Durability;
pub use error::InvalidRequest;
pub use filter::{BitOp, ColumnCondition, Comparator, CompareOp, Filter, ListOp, RegexFlags, RowRange};
pub use name::{NameError, TableName};
pub use read::{Columns, Get, ReadOptions, RowBound, Scan};
pub use region_load::RegionLoad;
pub use time_range::{TimeRange, TimeRangeError};
pub use write::{Action, Append, Delete, DeleteTarget, Increment, Mutation, Put, RowMutations};
