//! What a plan costs: price × operations.
//!
//! A decider counts [`Operations`]; [`Prices`] turn them into milliseconds. So families, keys, time and tables share one
//! evaluator, and calibrating a store only replaces the prices: a [`Calibration`] keeps what was measured.

mod calibration;
mod calibration_text;
mod operations;
mod prices;

/// Bytes that a stored cell has besides row key, names and value: lengths, timestamp and kind, as HBase writes them.
pub const CELL_OVERHEAD_BYTES: f64 = 20.0;

pub use calibration::{Calibration, Experiment, Fit};
pub use calibration_text::CalibrationError;
pub use operations::Operations;
pub use prices::Prices;
