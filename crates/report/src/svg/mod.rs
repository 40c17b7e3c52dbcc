//! A small layer to draw with: shapes and text, scales with ticks, axes, and the colours of both themes.

pub mod axis;
pub mod legend;
pub mod scale;
pub mod sketch;
pub mod text;
pub mod theme;
pub mod ticks;

pub use scale::Scale;
pub use sketch::{Anchor, Sketch};
