//! Stores around stores.
//!
//! A [`Wrapped`] store forwards every call to another store and lets an [`Intercept`] see it before and after. What
//! the interceptors do differs: [`Counting`] counts, [`Throttled`] makes calls wait as busy region servers would. Wrapped
//! stores are stores, so they stack.

mod bucket;
mod counting;
mod intercept;
mod op;
mod region_cache;
mod throttled;
mod volume;
mod wrapped;

pub use counting::{Counting, Counts};
pub use intercept::{Intercept, Outcome};
pub use op::{Op, OpKind};
pub use throttled::{ServerUse, Throttled};
pub use volume::Volume;
pub use wrapped::Wrapped;
