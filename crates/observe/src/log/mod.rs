//! Query logs: reads past statements of any number and folds them into templates.
//!
//! ```text
//! file ─▶ format ─▶ reader (plain, json, csv, postgres, mysql) ─▶ collect: templates, counts, slices ─▶ LogProfile
//! ```
//!
//! [`read`] is the way in; [`LogProfile::queries`] makes `[[query]]` entries of the result, [`each_statement`] goes
//! over the statements themselves. Formats are told apart by their content ([`Format`]). Memory is bounded: it grows
//! with the number of different templates up to [`Options::templates_max`], beyond which the rarest are only counted.
//! Each template is resolved once, and keeps a bounded sample of its calls ([`Template::sample`]), from which
//! [`LogProfile::queries_of`] says how many rows a call touches.
//!
//! **Time.** When the first statement of a log has a time, the log has times, and a statement without one has that of
//! the statement before; else the place in the log stands for the time. The log is divided by time into
//! training, validation and test ([`Options::split`], [`Template::parts`]): exactly the first 60 % of the calls, and
//! so on. Calls of the same millisecond are divided in the order of the log, and a log that is not in order is divided
//! as if it were. Totals, as pg_stat_statements has them, have no order: every template is divided by the same
//! shares.
//!
//! **Nothing is dropped in silence.** A line or statement that cannot be understood is counted and shown
//! ([`LogProfile::not_understood_places`]); it never stops the run. A statement of more than 16 MiB, or of more than 4 MiB
//! without its values, is passed over as a whole, counted and shown ([`LogProfile::too_long_places`]).

mod bind;
mod collect;
mod csv;
mod csv_record;
mod draw;
mod error;
mod format;
mod input;
mod json;
mod mysql;
mod plain;
mod postgres;
mod profile;
mod queries;
mod rows;
mod run;
mod sample;
mod sink;
mod slices;
mod time;
mod trail;
mod values;

pub use draw::{Draw, Drawn, DrawnAsks, DrawnCall, draw};
pub use error::LogError;
pub use format::Format;
pub(crate) use input::{FirstLine, Input, RECORD_BYTES_MAX};

pub use profile::{Asked, Call, LogProfile, Place, Template, TimeSlices};
pub use queries::Part;
pub use run::{Options, Progress, each_statement, read, read_from};
pub use sink::About;
pub use slices::SLICES_MAX;
