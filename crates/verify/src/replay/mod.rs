//! Replay: the same calls on all designs, turn by turn.
//!
//! [`Script`] is what is asked and [`Subject`] who is asked; [`Schedule`] and [`Pace`] decide the order and the time, and
//! [`replay`] makes the calls. What comes out is [`Measured`].

mod measured;
mod pace;
mod round;
mod run;
mod schedule;
mod script;
mod store_time;
mod subject;

pub use measured::{DesignAnswer, Difference, Measured, Stop, Timed};
pub use pace::{CLIENTS_MAX, Pace};
pub use run::{Replay, replay};
pub use schedule::{QUERIES, REPEATS, Schedule, Turn, WARM_UP};
pub use script::{Entry, Script};
pub use store_time::{StoreTime, StoreUsage};
pub use subject::{Outcome, Prepared, Subject, Subjects};
