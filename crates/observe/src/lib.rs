//! Looks at what an application has and asks: data files and query logs become a workload.
//!
//! [`profile`] reads the data of a table and measures its columns; [`log`] reads past queries and folds them into
//! templates; [`rows`] hands out the rows of a data file with typed values; [`dump`] takes the dump of a relational database
//! apart. All read files of any size with bounded
//! memory, and none knows a store.

pub mod dump;
pub mod log;
pub mod profile;
pub mod rows;
mod size_text;
