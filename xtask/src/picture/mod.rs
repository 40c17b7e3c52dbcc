//! From a terminal's output to a picture: [`ansi`] reads it, [`svg`] draws it.

pub mod ansi;
pub mod svg;
