//! Who writes: the readers of input files, each with a buffer that it sends when it is full.

use super::SimulateError;

/// How every client works: it reads a batch, sends it, and goes on when few enough batches are on their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clients {
    /// Batches of a client that may be on their way when it reads the next: with 1 it waits for each.
    pub in_flight: usize,
    /// Time to read a row and to make its key.
    pub row_s: f64,
    /// Time that each server costs to which a batch goes.
    pub call_s: f64,
    /// Time of a batch beyond that of the servers' buckets.
    pub round_trip_s: f64,
    /// The clients begin within so many seconds, by chance.
    pub start_spread_s: f64,
}

impl Default for Clients {
    /// Clients whose own work takes no time, and that wait for each batch.
    fn default() -> Self {
        Self { in_flight: 1, row_s: 0.0, call_s: 0.0, round_trip_s: 0.0, start_spread_s: 0.0 }
    }
}

impl Clients {
    pub(super) fn check(&self) -> Result<(), SimulateError> {
        let times = [
            ("the time of a row", self.row_s),
            ("the time of a call", self.call_s),
            ("the time of a round trip", self.round_trip_s),
            ("the time within which clients begin", self.start_spread_s),
        ];
        for (what, seconds) in times {
            if !(seconds >= 0.0 && seconds.is_finite()) {
                return Err(SimulateError::Time { what, seconds });
            }
        }
        Ok(())
    }
}
