//! Column families found by an evolutionary algorithm (Yang, Cao and Milosevic, section V): five schemas on tracking data
//! of advertisements, ours beside them, and others to test predictions on.

mod claims;
mod dear;
mod json;
mod run;
mod schemas;

pub use claims::claims;
pub use run::{Outcome, Task, Tried, run};
pub use schemas::{Problems, Schema, Search, schemas};
