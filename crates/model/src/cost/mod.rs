//! What a plan costs: price × operations.
//!
//! A decider counts [`Operations`]; [`Prices`] turn them into milliseconds. So families, keys, time and tables share one
//! evaluator, and calibrating a store only replaces the prices.

mod operations;
mod prices;
mod prices_text;

pub use operations::Operations;
pub use prices::Prices;
pub use prices_text::PricesError;
