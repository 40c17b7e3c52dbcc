//! What a step is expected to take.

use tablesmith_model::cost::{Operations, Prices};

/// Figures of a step: expected, or counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Calls to the store.
    pub calls: f64,
    /// Rows that the store goes through.
    pub rows: f64,
    /// Regions in which something is read.
    pub regions: f64,
    /// Records that come out.
    pub records: f64,
}

impl Figures {
    /// The figures of a read that stops early after this share of its rows, with at least so many calls.
    pub fn share(self, share: f64, least_calls: f64) -> Self {
        let part = self.times(share);
        Self {
            calls: part.calls.max(self.calls.min(least_calls)),
            regions: part.regions.max(self.regions.min(1.0)),
            ..part
        }
    }

    /// The same so many times.
    pub fn times(self, factor: f64) -> Self {
        let Self { calls, rows, regions, records } = self;
        Self {
            calls: calls * factor,
            rows: rows * factor,
            regions: regions * factor,
            records: records * factor,
        }
    }
}

/// What one read of a layout takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadCost {
    /// The figures that are shown.
    pub figures: Figures,
    /// Its price in milliseconds.
    pub cost_ms: f64,
}

/// A portion of a scan has about so many rows.
const ROWS_OF_A_CALL: f64 = 1_000.0;

impl ReadCost {
    /// Of so many gets and scans in so many regions, which go through rows of so many bytes.
    pub fn new(
        prices: &Prices,
        gets: f64,
        scans: f64,
        regions: f64,
        rows: f64,
        records: f64,
        row_bytes: f64,
    ) -> Self {
        let calls = if gets > 0.0 { 1.0 } else { (rows / ROWS_OF_A_CALL).ceil().max(scans.max(1.0)) };
        let operations = Operations {
            calls,
            regions: if gets > 0.0 { 0.0 } else { regions.max(scans) },
            seeks: gets + if gets > 0.0 { 0.0 } else { regions.max(scans) },
            rows,
            family_rows: rows,
            cells: rows,
            bytes: rows * row_bytes,
            cells_returned: records,
            bytes_returned: records * row_bytes,
            ..Operations::NONE
        };
        let figures = Figures { calls, rows, regions: regions.max(1.0), records };
        Self { figures, cost_ms: prices.cost(&operations) }
    }
}
