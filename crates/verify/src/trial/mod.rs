//! A trial: designs on a store, with their tables, that can be asked calls.

mod laid;
mod readings;
mod subject;
mod tables;

pub use laid::{Laid, LaidError, LaidReadings};
pub use subject::DesignSubject;
pub use tables::{NAMESPACE, Placed, free_name, make, remove};
