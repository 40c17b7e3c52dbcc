//! The vocabulary of tablesmith. Everything here is a plain value: no I/O, no store.
//!
//! A *table* holds *rows*, sorted by their key. A row has *cells*, grouped by *column family*; inside a family a
//! cell is found by its *qualifier* and *timestamp*. Deleting writes a *marker*, which is a cell of another
//! [`CellType`]. [`cell`] says how cells sort; [`table`] and [`family`] describe a table and what its families keep.
//!
//! [`workload`] says what an application has and asks, [`design`] what was decided for it: which [`value`]s make the row
//! [`key`]s and cells of which table. [`cost`] is what a plan takes, price × operations; [`evidence`] is what was measured. Both files that people edit are
//! read by [`document`], and what is wrong in them is a list of [`problem`]s.

pub mod cell;
pub mod cost;
pub mod design;
pub mod document;
pub mod duration_text;
pub mod evidence;
pub mod family;
pub mod key;
pub mod nearest;
pub mod plan;
pub mod problem;
mod schema;
pub mod series;
pub mod source_row;
pub mod table;
pub mod value;
pub mod varint;
pub mod workload;

pub use cell::{Cell, CellType, Timestamp};
pub use family::{
    BloomFilter, Compression, DataBlockEncoding, FamilyDescriptor, KeepDeletedCells, SettingError,
};
pub use hbase_types::{Durability, NameError, TableName, TimeRange, TimeRangeError, bytes_text, name, row};
pub use table::TableDescriptor;
