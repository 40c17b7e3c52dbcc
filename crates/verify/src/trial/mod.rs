//! A trial: designs on a store, each with tables of its own, on which the same statements are executed.
//!
//! [`TrialDesign`] creates and loads the tables, [`DesignSubject`] executes statements through the planner, the executor and
//! the writer that `query` uses, and [`Digest`] makes their answers comparable.

mod design;
mod digest;
mod restore;
mod subject;
mod tables;

pub use design::{TrialDesign, TrialError, TrialRows};
pub use digest::Digest;
pub use subject::DesignSubject;
pub use tables::{NAMESPACE, free_name, remove};
