//! Stores around stores.
//!
//! A [`Wrapped`] store forwards every call to another store and lets an [`Intercept`] see it before and after. What
//! the interceptors do differs: [`Counting`] counts, [`Throttled`] makes calls wait as busy region servers would,
//! `Faulty` (feature `testing`) fails by rules. Wrapped stores are stores, so they stack.

mod bucket;
mod counting;
#[cfg(feature = "testing")]
mod faulty;
mod intercept;
mod op;
mod region_cache;
#[cfg(feature = "testing")]
mod rule;
mod throttled;
mod volume;
mod wrapped;

pub use counting::{Counting, Counts};
#[cfg(feature = "testing")]
pub use faulty::{Faulty, Injected};
pub use intercept::{Intercept, Outcome};
pub use op::{Op, OpKind};
#[cfg(feature = "testing")]
pub use rule::{Condition, Fault, Reaction, Rule, Turn};
pub use throttled::{ServerUse, Throttled};
pub use volume::Volume;
pub use wrapped::Wrapped;
