//! Readings over time, or along another sequence, and the ways to lay them out in a table.
//!
//! A *reading* says what the metrics of an *entity* were at one time. A [`SeriesLayout`] says where the time goes: into the
//! row key, into qualifiers, into versions or into packed cells; how much of it one row holds; and how the key is built.
//! It goes into a design and comes back out of an edited one.
//!
//! What a cell holds is [`packed`] (many readings), an [`entry`] (one reading, all metrics) or a [`single`] value.

pub mod entry;
mod error;
mod keys;
mod layout;
mod limits;
mod of_design;
pub mod offset;
pub mod packed;
mod reading;
mod shape;
pub mod single;
pub mod time;
mod to_design;

pub use error::{ReadingError, SeriesLayoutError};
pub use layout::SeriesLayout;
pub use reading::Reading;
pub use shape::{CellShape, Dimension, KeyOrder, Span};
pub use to_design::{FAMILY, TOGETHER_QUALIFIER};

#[cfg(test)]
mod testing;
