//! Clusters that no desk has: a write stream on servers of limited capacity.
//!
//! ```text
//!   Stream ──batches: rows per cell──▶ run ──▶ Simulated: load time, rows per region, requests per server over time
//!                                       │
//!     Clients   read, send, wait for the slowest server of a batch
//!     Layout    cells of the key space ─▶ regions ─▶ servers; splits, moves
//!     Cluster   capacity of a server, growth
//! ```
//!
//! A *cell* is the finest stretch of the key space that the stream tells apart. A table that is pre-split and stays so has
//! one cell a region; one that splits by itself needs many, since a split lies between two cells.
//!
//! The same seed gives the same result. Rows per region and server are exact; times follow from the token buckets of the
//! servers, whose arithmetic is that of the throttled store.

mod balance;
mod binomial;
mod bucket;
mod clients;
mod cluster;
mod drawn;
mod error;
mod layout;
mod outcome;
mod rows;
mod run;
mod server;
mod slices;
mod stream;

pub use clients::Clients;
pub use cluster::{Added, Capacity, Cluster, Cores, Growth};
pub use drawn::{Drawn, Law};
pub use error::SimulateError;
pub use layout::Layout;
pub use outcome::{ServerOutcome, Simulated};
pub use rows::{Rows, region_of};
pub use run::simulate;
pub use slices::Slices;
pub use stream::{Batch, Stream};
