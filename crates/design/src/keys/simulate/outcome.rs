//! What came out of a simulation.

use super::Slices;

/// A load, simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Seconds from the first client's start until all rows are written.
    pub load_s: f64,
    /// Rows of each region at the end, in key order; exact.
    pub rows_per_region: Vec<u64>,
    /// The server of each of them at the end.
    pub server_of_region: Vec<usize>,
    /// What each server had to do.
    pub servers: Vec<ServerOutcome>,
    /// Requests per server over time.
    pub slices: Slices,
    /// Regions that split.
    pub splits: usize,
    /// Regions that moved.
    pub moves: usize,
}

/// What a server had to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServerOutcome {
    /// Rows that were written to it; exact.
    pub rows: u64,
    /// Time that batches waited for it, added up.
    pub waited_s: f64,
}

impl Simulated {
    /// The server with the most rows, and its share of all.
    pub fn busiest(&self) -> Option<(usize, f64)> {
        let total: u64 = self.servers.iter().map(|server| server.rows).sum();
        let (server, most) = self.servers.iter().enumerate().max_by_key(|(_, server)| server.rows)?;
        (total > 0).then(|| (server, most.rows as f64 / total as f64))
    }

    /// Requests a second of each server in so many equal slices of the load.
    pub fn rates(&self, slices: usize) -> Vec<Vec<f64>> {
        self.slices.rates(self.load_s, slices)
    }
}
