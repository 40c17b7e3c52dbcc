//! Measures designs side by side: replay, statistics, calibration.
//!
//! [`trial`] makes and loads the tables of designs, [`statements`] says what they are asked, [`replay`] asks them turn by turn,
//! [`statistics`] says what differs and how sure that is, and [`evidence`] puts it together. [`calibrate`] finds out what
//! operations take on a store; [`time`] measures layouts of readings.

pub mod calibrate;
pub mod evidence;
pub mod prediction;
pub mod replay;
pub mod statements;
pub mod statistics;
pub mod time;
pub mod trial;
