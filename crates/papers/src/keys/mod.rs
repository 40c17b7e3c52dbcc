//! Row keys and pre-splits (Zdravevski, Lameski, Kulakov: *Row key designs of NoSQL database tables and their impact on
//! write performance*, PDP 2016): the histogram of MD5, and the loads of the four designs and the plain key.
//!
//! ```text
//! histogram   how evenly MD5 modulo m spreads ids
//! designs     the five keys, their split points
//! tasks       input files ─▶ map tasks (table I)
//! placed      rows ─▶ regions, from real keys
//! simulated   loads in the simulator, at full size
//! measured    loads on a store
//! check       both side by side: are the simulator's predictions true?
//! cluster     the store that is loaded
//! run         all of it
//! claims      the paper's claims, each beside what came out
//! ```

pub mod check;
pub mod claims;
mod cluster;
pub mod designs;
pub mod hash_cost;
pub mod histogram;
mod json;
pub mod measured;
mod page;
pub mod placed;
pub mod point;
mod run;
mod samples;
pub mod simulated;
pub mod tasks;

pub use cluster::{Place, PlaceKind};
pub use run::{Outcome, Task, run};
