//! Makes the tables of a design, or brings those that are there to what the design says.
//!
//! ```text
//!  design ─┐
//!          ├─ steps.rs decides ──▶ Steps ──▶ make.rs carries them out
//!  store ──living.rs looks ─┘
//! ```

mod living;
mod make;
mod steps;

pub use living::{Living, LivingTable};
pub use steps::{ApplyError, FamilyName, Step, Steps, falls_short};
