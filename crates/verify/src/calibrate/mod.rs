//! Finds out what operations take on a store: does known amounts of them, measures, and fits prices.
//!
//! ```text
//! shape.rs, experiment.rs  what is done, and how many operations that is ◀── plan.rs decides on all of them
//! tables.rs                makes and fills small tables, and removes them whatever happens
//! run.rs                   does every experiment again and again, in another order each time ─▶ times
//! fit.rs ◀── least_squares.rs   times ─▶ prices, and how well they explain them
//! ```
//!
//! Prices describe reads whose blocks are not in the store's cache, since data that deserve a design are larger than it:
//! the tables ask not to be cached, rows are picked at random over all of them, and everything is in files before the
//! first read. The command line opens an embedded store with a small cache for the same reason.

mod experiment;
mod fit;
mod least_squares;
mod plan;
mod run;
mod shape;
mod stopwatch;
mod tables;

use std::time::Duration;

use tablesmith_model::cost::{Fit, Operations};
use tablesmith_store::{Store, StoreError};

pub(crate) use self::least_squares::non_negative;
use self::run::Run;
pub use self::stopwatch::{RealTime, Stopwatch};
use self::tables::Tables;

/// How to calibrate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// About how long it may take.
    pub time: Duration,
    /// What everything random is made from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), seed: 1 }
    }
}

/// What hears how far it is, and may stop it.
pub trait Observer: Send {
    /// So much is done, from 0 to 1, and this is what happens now. False: stop, and remove the tables.
    fn goes_on(&mut self, share: f64, what: &'static str) -> bool;
}

/// What was found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Milliseconds that one operation of each kind takes.
    pub each_ms: Operations,
    /// How well they explain what was measured.
    pub fit: Fit,
    /// Different experiments.
    pub experiments: usize,
    /// Times that each was done, at least.
    pub repeats: usize,
}

/// Why there is no calibration.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The observer stopped it.
    #[error("the calibration was stopped; its tables are removed")]
    Stopped,
}

/// Calibrates a store. The tables that it makes for that are removed whatever happens.
pub async fn calibrate(
    store: &dyn Store,
    options: Options,
    stopwatch: &dyn Stopwatch,
    observer: &mut dyn Observer,
) -> Result<Found, CalibrateError> {
    let tables = Tables { store };
    // What an earlier run left that was killed.
    tables.remove().await?;
    let measured = measure(tables, options, stopwatch, observer).await;
    let removed = tables.remove().await;
    let (samples, repeats) = measured?;
    removed?;
    let (each_ms, fit) = fit::fit(&samples);
    Ok(Found { each_ms, fit, experiments: samples.len(), repeats })
}

async fn measure(
    tables: Tables<'_>,
    options: Options,
    stopwatch: &dyn Stopwatch,
    observer: &mut dyn Observer,
) -> Result<(Vec<fit::Sample>, usize), CalibrateError> {
    let begun = stopwatch.now();
    let plan = plan::plan(options.time);
    tables.fill(&plan.shapes, observer).await?;
    let run = Run { store: tables.store, stopwatch, begun, options };
    run.all(&plan.experiments, observer).await
}
