//! Measures layouts of readings on a sample: the same calls on all of them, turn by turn, and the answers compared.
//!
//! [`Sampler`] keeps a part of the readings, [`script`] draws calls from it by seed, [`measure`] makes the tables, loads them
//! and asks; [`recommend`] puts predicting, measuring and choosing together.

mod ask;
mod measure;
mod recommend;
mod sample;
mod script;
mod tables;
mod tune;

pub use measure::{LayoutTimes, Measured, Options, measure};
pub use recommend::{Recommendation, Terms, predicted, recommend};
pub use sample::{Sample, Sampler};
pub use script::{Asks, Call, script};
pub use tables::TimeError;
