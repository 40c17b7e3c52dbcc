//! Readings in every layout against a plain list of them.

mod bad_input;
mod layouts;
mod list;
mod meeting;
mod same_answers;
mod workload;
