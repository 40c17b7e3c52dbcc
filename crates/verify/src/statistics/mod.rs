//! Statistics of response times: what is typical, whether two designs differ, and what is out of line.
//!
//! Plain functions of numbers. The t distribution comes from `statrs`; the rest is short enough to be read here.

mod moments;
mod outliers;
mod paired;
mod quantile;
mod rank;

pub use moments::{mean, variance};
pub use outliers::far_off;
pub use paired::Paired;
pub use quantile::{percentiles, quantile, sorted};
pub use rank::{ranks, spearman};
