//! Layouts of readings: recommended ones are as fast as the best there are.

mod proof;
mod workloads;
