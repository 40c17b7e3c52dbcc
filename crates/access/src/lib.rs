//! The logical layer: makes the tables of a design, loads rows into them, plans and answers queries.
//!
//! ```text
//!  Workload, Design ──Layout::of──▶ Layout   how rows of a table lie in the design: key, families, cells
//!                                     │
//!                     apply, load ◀───┤      the table is made, rows go into it
//!                                     │
//!  SQL or columns ──▶ Question ──bind─▶ Call ──plan──▶ Plan ──carry_out──▶ Outcome
//! ```
//!
//! A [`Question`] is resolved once, bound to the values of each call, and planned on each layout: deciders are pure, and
//! only [`apply`], [`load`] and [`carry_out`] talk to a store. What a call answers does not depend on the layout: see
//! [`Outcome`]. A scan in the order of ids over keys that spread their rows is a [`FanOut`]. Readings over time have layouts of their own:
//! [`series`].

pub mod answer;
mod apply;
mod call;
mod carry_out;
mod error;
mod fan_out;
mod layout;
mod load;
mod moves;
mod plan;
mod question;
mod records;
mod repair;
mod row_writes;
pub mod series;
mod stopwatch;
mod view;
mod write;

pub use apply::{ApplyError, FamilyName, Living, LivingTable, Step, Steps, apply, falls_short};
pub use call::{Ask, Call, KeyedRow};
pub use carry_out::{Outcome, Planned, Several, carry_out};
pub use error::{AccessError, BindError, LayoutError, PlanError, QuestionError, WriterError};
pub use fan_out::{Begin, Bounds, FanOut, FanOutScan, Order};
pub use layout::{LaidColumn, LaidFamily, Layout};
pub use load::{LAID_OTHERWISE, LoadRows, LoadSource, LoadWatch, LoadedFile, load};
pub use moves::{ReadView, read_view, unfinished_moves};
pub use plan::{plan, strands};
pub use question::{AskError, Question, Questions, Slot};
pub use records::{RecordRead, RecordStats, RecordStream, Wanted, records};
pub use repair::{Repair, Repaired, repair};
pub use stopwatch::{Lap, Stopwatch};
pub use write::{SetTo, Writer, Written};
