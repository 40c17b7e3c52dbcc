//! Servers of limited capacity, and how their number and the table's regions grow.

use super::SimulateError;

/// The servers of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// How many there are at the beginning.
    pub servers: usize,
    /// What each of them can do.
    pub capacity: Capacity,
    /// What changes while data come in.
    pub growth: Growth,
}

/// What a server can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// Requests (rows) a second: of the server, or of one core where cores are told apart.
    pub requests_per_second: f64,
    /// Requests at once after a quiet time.
    pub burst_requests: u32,
    /// The cores, when regions are to be served by a thread each.
    pub cores: Option<Cores>,
}

/// Cores of a server as the paper on row keys explains its best number of regions (section IV-C): a region is served by
/// one thread, one core is kept for the system, and with more regions than the other cores threads are switched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cores {
    /// Cores of a server, the system's among them.
    pub per_server: u32,
    /// The share of the capacity that is lost when regions outnumber the cores that are left to them. The paper names
    /// the loss and gives no figure.
    pub switching_loss: f64,
}

/// What changes while data come in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Growth {
    /// A region splits at its middle row when it has so many bytes; without it, never.
    pub split_bytes: Option<u64>,
    /// Bytes of a row.
    pub bytes_a_row: u64,
    /// Regions are spread evenly over the servers every so many seconds; without it, never.
    pub balance_every_s: Option<f64>,
    /// A region that is split or moved answers after so many seconds.
    pub pause_s: f64,
    /// Servers that come later, in order.
    pub added: Vec<Added>,
}

/// Servers that come while data are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added {
    /// After so many rows.
    pub after_rows: u64,
    /// How many servers.
    pub servers: usize,
}

impl Cluster {
    /// Servers that stay as they are, and a table that does.
    pub fn fixed(servers: usize, capacity: Capacity) -> Self {
        Self { servers, capacity, growth: Growth::default() }
    }

    pub(super) fn check(&self) -> Result<(), SimulateError> {
        if self.servers == 0 {
            return Err(SimulateError::NoServers);
        }
        let rate = self.capacity.requests_per_second;
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(SimulateError::Capacity(rate));
        }
        if let Some(cores) = self.capacity.cores.filter(|cores| cores.per_server < 2) {
            return Err(SimulateError::Cores(cores.per_server));
        }
        let times = [
            ("the pause of a region", self.growth.pause_s),
            ("the time between two balances", self.growth.balance_every_s.unwrap_or(1.0)),
        ];
        for (what, seconds) in times {
            if !(seconds >= 0.0 && seconds.is_finite()) {
                return Err(SimulateError::Time { what, seconds });
            }
        }
        Ok(())
    }
}

impl Capacity {
    /// Requests a second of a server that has so many regions.
    pub fn of_server(&self, regions: usize) -> f64 {
        let working = self.cores.map_or(1, |cores| regions.clamp(1, cores.free()));
        self.of_thread(regions) * working as f64
    }

    /// Requests a second of the thread of one region, on a server that has so many of them.
    pub fn of_thread(&self, regions: usize) -> f64 {
        let lost =
            self.cores.filter(|cores| regions > cores.free()).map_or(0.0, |cores| cores.switching_loss);
        self.requests_per_second * (1.0 - lost.clamp(0.0, 0.99))
    }
}

impl Cores {
    /// Cores that are left to regions.
    fn free(&self) -> usize {
        self.per_server.saturating_sub(1).max(1) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_regions_use_four_cores_best() {
        let cores = Cores { per_server: 4, switching_loss: 0.1 };
        let capacity = Capacity { requests_per_second: 100.0, burst_requests: 1, cores: Some(cores) };
        let rates: Vec<f64> = (1..=5).map(|regions| capacity.of_server(regions)).collect();
        assert_eq!(rates, [100.0, 200.0, 300.0, 270.0, 270.0]);
        assert_eq!(Capacity { cores: None, ..capacity }.of_server(7), 100.0);
    }

    #[test]
    fn nonsense_is_refused() {
        let capacity = Capacity { requests_per_second: 10.0, burst_requests: 1, cores: None };
        assert_eq!(Cluster::fixed(0, capacity).check(), Err(SimulateError::NoServers));
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let cluster = Cluster::fixed(1, Capacity { requests_per_second: rate, ..capacity });
            assert!(matches!(cluster.check(), Err(SimulateError::Capacity(_))), "{rate}");
        }
        let one = Cores { per_server: 1, switching_loss: 0.0 };
        let cluster = Cluster::fixed(1, Capacity { cores: Some(one), ..capacity });
        assert_eq!(cluster.check(), Err(SimulateError::Cores(1)));
    }
}
