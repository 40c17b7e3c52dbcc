//! The vocabulary of tablesmith. Everything here is a plain value: no I/O, no store.
//!
//! A *table* holds *rows*, sorted by their key. A row has *cells*, grouped by *column family*; inside a family a
//! cell is found by its *qualifier* and *timestamp*. Deleting writes a *marker*, which is a cell of another
//! [`CellKind`]. [`cell`] says how cells sort; [`table`] and [`family`] describe a table and what its families keep.

pub mod bytes_text;
pub mod cell;
pub mod family;
pub mod name;
pub mod row;
pub mod table;
pub mod time_range;

pub use cell::{Cell, CellKind, Timestamp};
pub use family::{
    BloomFilter, Compression, DataBlockEncoding, FamilyDescriptor, KeepDeletedCells, SettingError,
};
pub use name::{NameError, TableName};
pub use table::{Durability, TableDescriptor};
pub use time_range::{TimeRange, TimeRangeError};
