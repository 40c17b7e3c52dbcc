//! What the tests of stores and of their callers share; product crates use it as a dev-dependency only.
//!
//! [`conformance`] is the suite that every store passes. [`memory`] is a store in plain maps, written to be read: it is
//! the oracle of the property tests. [`sequence`] finds where two stores differ, and [`faulty`] wraps a store so that it
//! fails by rules.

pub mod conformance;
pub mod faulty;
pub mod memory;
pub mod sequence;
