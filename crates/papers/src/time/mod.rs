//! Time in a table (Han, Stroulia: *A Three-Dimensional Data Model in HBase for Large Time-Series Dataset Analysis*): readings of
//! bicycle stations and particles of a simulated universe, each in three schemas of the paper and in one of ours.
//!
//! ```text
//! paper       what the paper measured (tables VI, VII and VIII)
//! schemas     its schemas (tables III and IV) as layouts
//! data        readings, and the table they belong to
//! trial       a schema in a store: made, loaded, cut into regions of one size
//! bixi        averages of stations over days
//! cosmology   queries 1 to 3 on particles
//! measure     all schemas in turn, the median of several rounds
//! run         all of it on a store
//! claims      the paper's claims, each beside what came out
//! ```

pub mod bixi;
pub mod claims;
pub mod cosmology;
pub mod data;
mod generate;
mod json;
mod layout_name;
pub mod measure;
mod ours;
mod page;
pub mod paper;
mod run;
pub mod schemas;
pub mod trial;

pub use run::{Measured, Ours, Outcome, Task, Tried, run};
