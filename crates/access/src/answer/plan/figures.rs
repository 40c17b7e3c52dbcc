//! What a step of a plan takes: estimated, or counted.

use tablesmith_plan::ReadEstimate;

/// Figures of a step: estimated, or counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepFigures {
    /// Calls to the store.
    pub calls: f64,
    /// Rows that the store hands out.
    pub rows: f64,
    /// Regions in which something is read.
    pub regions: f64,
    /// Bytes of the cells that the store reads; none where it does not count them.
    pub bytes: Option<f64>,
    /// Records that come out.
    pub records: f64,
    /// Milliseconds in the store; none where it does not say.
    pub ms: Option<f64>,
}

impl StepFigures {
    /// What an estimated read takes, with its cost.
    pub fn of(read: &ReadEstimate, cost_ms: f64) -> Self {
        let operations = &read.operations;
        Self {
            calls: operations.calls,
            rows: read.rows_returned,
            regions: operations.regions.max(1.0),
            bytes: Some(operations.bytes),
            records: read.records,
            ms: Some(cost_ms),
        }
    }

    /// The figures of a read that stops early after this share of its rows, but at least `least_calls` calls.
    pub fn share(self, share: f64, least_calls: f64) -> Self {
        Self {
            calls: (self.calls * share).max(self.calls.min(least_calls)),
            rows: self.rows * share,
            regions: (self.regions * share).max(self.regions.min(1.0)),
            bytes: self.bytes.map(|bytes| bytes * share),
            records: self.records * share,
            ms: self.ms.map(|ms| ms * share),
        }
    }
}
