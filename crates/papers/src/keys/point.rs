//! One load: of a design, in a setting, simulated or measured.

use tablesmith_design::keys::simulate::Simulated;

use super::designs::KeyDesign;

/// Slices of time in which requests are told.
pub const SLICES: usize = 40;

/// Where a design is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Setting {
    /// Regions of the table.
    pub regions: usize,
    /// Servers.
    pub servers: usize,
    /// Input files.
    pub files: u32,
}

/// How a load went.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadPoint {
    /// The key.
    pub design: KeyDesign,
    /// Where.
    pub setting: Setting,
    /// Map tasks that read the files.
    pub clients: usize,
    /// How long it took.
    pub load_s: f64,
    /// Rows of each region, in key order.
    pub region_rows: Vec<u64>,
    /// Rows of each server.
    pub server_rows: Vec<u64>,
    /// Requests a second of each server in each slice.
    pub rates: Vec<Vec<f64>>,
}

impl LoadPoint {
    /// What a simulation gave.
    pub fn simulated(design: KeyDesign, setting: Setting, clients: usize, done: &Simulated) -> Self {
        Self {
            design,
            setting,
            clients,
            load_s: done.load_s,
            region_rows: done.rows_per_region.clone(),
            server_rows: done.servers.iter().map(|server| server.rows).collect(),
            rates: done.rates(SLICES),
        }
    }

    /// The share of all rows that the busiest server got.
    pub fn busiest_share(&self) -> f64 {
        let total: u64 = self.server_rows.iter().sum();
        self.server_rows.iter().copied().max().unwrap_or_default() as f64 / total.max(1) as f64
    }

    /// Servers that have regions at all.
    fn serving(&self) -> usize {
        self.setting.regions.min(self.setting.servers).max(1)
    }

    /// How much more than an even share the hottest server gets in a slice: 1 is even, the number of servers is one
    /// server for all. The mean over the slices, weighted by their requests.
    pub fn heat(&self) -> f64 {
        let (mut hottest, mut all) = (0.0, 0.0);
        for slice in self.slices() {
            hottest += slice.iter().copied().fold(0.0, f64::max);
            all += slice.iter().sum::<f64>();
        }
        if all > 0.0 { hottest / all * self.serving() as f64 } else { 0.0 }
    }

    /// The same in the worst slice. Slices with little going on, at the beginning and the end, do not count.
    pub fn worst_heat(&self) -> f64 {
        let sums = self.slices().map(|slice| slice.iter().sum::<f64>());
        let busy = sums.fold(0.0, f64::max) / 2.0;
        let heats = self.slices().filter_map(|slice| {
            let all: f64 = slice.iter().sum();
            let hottest = slice.iter().copied().fold(0.0, f64::max);
            (all > 0.0 && all >= busy).then(|| hottest / all * self.serving() as f64)
        });
        heats.fold(0.0, f64::max)
    }

    /// Requests a second of the servers that are active in a slice: those with a tenth of the hottest one's or more.
    pub fn active_rate(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0_u32);
        for slice in self.slices() {
            let least = slice.iter().copied().fold(0.0, f64::max) / 10.0;
            for rate in slice.into_iter().filter(|rate| *rate > 0.0 && *rate >= least) {
                sum += rate;
                count += 1;
            }
        }
        sum / f64::from(count.max(1))
    }

    fn slices(&self) -> impl Iterator<Item = Vec<f64>> {
        let count = self.rates.first().map_or(0, Vec::len);
        (0..count).map(|slice| self.rates.iter().filter_map(|server| server.get(slice).copied()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(rates: Vec<Vec<f64>>) -> LoadPoint {
        LoadPoint {
            design: KeyDesign::Mod,
            setting: Setting { regions: 4, servers: 2, files: 1 },
            clients: 1,
            load_s: 4.0,
            region_rows: vec![1; 4],
            server_rows: vec![30, 10],
            rates,
        }
    }

    #[test]
    fn heat_is_what_the_hottest_server_gets_at_each_moment() {
        let even = point(vec![vec![5.0; 4], vec![5.0; 4]]);
        let in_turn = point(vec![vec![10.0, 0.0, 10.0, 0.0], vec![0.0, 10.0, 0.0, 10.0]]);
        assert_eq!((even.heat(), even.worst_heat(), even.active_rate()), (1.0, 1.0, 5.0));
        assert_eq!((in_turn.heat(), in_turn.worst_heat(), in_turn.active_rate()), (2.0, 2.0, 10.0));
        assert_eq!(even.busiest_share(), 0.75);
    }

    #[test]
    fn nothing_has_no_heat() {
        let empty = point(Vec::new());
        assert_eq!((empty.heat(), empty.worst_heat(), empty.active_rate()), (0.0, 0.0, 0.0));
    }
}
