//! The logical layer: creates the tables of a design, loads rows into them, plans and executes statements.
//!
//! ```text
//!  Workload, Design ──▶ Database: how the design stores every table: keys, families, cells, time series
//!                          │
//!  Steps: create, alter ◀──┤
//!  Writer: load, repair ◀──┤
//!                          │
//!  SQL ──sql::executable──▶ Statement ──plan──▶ PlannedStatement ──execute──▶ Execution
//! ```
//!
//! Planning is pure; only [`Steps::make`], [`Writer::load`], [`repair()`] and [`Database::execute`](answer::Database::execute)
//! talk to a store. What a statement answers does not depend on the design. A scan in the order of ids over keys that spread
//! their rows is a [`FanOut`]. Time series have layouts of their own: [`series`].

pub mod answer;
mod apply;
mod error;
mod fan_out;
mod layout;
mod load;
mod moves;
mod plan;
mod records;
mod repair;
mod row_writes;
pub mod series;
mod state;
mod stopwatch;
mod view;
mod write;

pub use apply::{ApplyError, FamilyName, Living, LivingTable, Step, Steps, falls_short};
pub use error::{AccessError, LayoutError, PlanError, WriterError};
pub use fan_out::{Begin, FanOut, FanOutBounds, FanOutScan, Order};
pub use layout::{LaidColumn, LaidFamily, Layout};
pub use load::{LoadOptions, LoadRows, LoadSource, LoadWatch, LoadedFile};
pub use moves::{ReadView, read_view, unfinished_moves};
pub use plan::strands;
pub use records::{RecordRead, RecordStats, RecordStream, Wanted, records};
pub use repair::{Repair, Repaired, repair};
pub use state::OTHER_LAYOUT;
pub use stopwatch::{Lap, Stopwatch};
pub use write::{SetTo, Writer, Written};
