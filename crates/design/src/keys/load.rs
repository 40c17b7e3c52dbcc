//! Where regions are, and how even a load is.

/// The server that holds a region: HBase gives the regions of a new table to the servers in turn, so that each holds
/// about as many as any other (round-robin assignment). Which server is the first changes nothing here.
pub fn server_of(region: usize, servers: usize) -> usize {
    region % servers.max(1)
}

/// How even a load is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// How many carry it: regions or servers.
    pub count: usize,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation over all of them (population).
    pub sd: f64,
    /// Which of them carries the most.
    pub hottest: usize,
    /// What part of all it carries.
    pub hottest_share: f64,
}

impl Summary {
    /// The summary of a load.
    pub fn of(load: &[f64]) -> Self {
        let count = load.len();
        let total: f64 = load.iter().sum();
        if count == 0 {
            return Self::default();
        }
        let mean = total / count as f64;
        let variance = load.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count as f64;
        let hottest = (0..count).zip(load).max_by(|(_, one), (_, two)| one.total_cmp(two));
        let (hottest, max) = hottest.map_or((0, 0.0), |(index, max)| (index, *max));
        let min = load.iter().copied().fold(f64::INFINITY, f64::min);
        let hottest_share = if total > 0.0 { max / total } else { 0.0 };
        Self { count, min, max, mean, sd: variance.sqrt(), hottest, hottest_share }
    }

    /// How many times the mean the hottest carries; 1 is even.
    pub fn hottest_over_mean(&self) -> f64 {
        if self.mean > 0.0 { self.max / self.mean } else { 1.0 }
    }
}

/// The load of servers, from that of regions.
pub fn of_servers(regions: &[f64], servers: usize) -> Vec<f64> {
    let mut load = vec![0.0; servers];
    for (region, rows) in regions.iter().enumerate() {
        if let Some(own) = load.get_mut(server_of(region, servers)) {
            *own += rows;
        }
    }
    load
}

/// The part that the busiest server gets of so many rows by chance alone, when each row goes to any server with the
/// same probability. The greatest of n normal variables lies about √(2 ln n) deviations above their mean.
pub fn hottest_share_by_chance(rows: f64, servers: usize) -> f64 {
    let servers = servers.max(1) as f64;
    if rows <= 0.0 || servers <= 1.0 {
        return 1.0;
    }
    let mean = 1.0 / servers;
    let deviation = (mean * (1.0 - mean) / rows).sqrt();
    (mean + deviation * (2.0 * servers.ln()).sqrt()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_who_is_hottest() {
        let summary = Summary::of(&[2.0, 4.0, 4.0, 6.0]);
        assert_eq!((summary.min, summary.max, summary.mean), (2.0, 6.0, 4.0));
        assert_eq!((summary.sd, summary.hottest, summary.hottest_share), (2.0_f64.sqrt(), 3, 0.375));
        assert_eq!(summary.hottest_over_mean(), 1.5);
        assert_eq!(Summary::of(&[]).count, 0);
        assert_eq!(Summary::of(&[0.0, 0.0]).hottest_share, 0.0);
    }

    #[test]
    fn regions_go_to_the_servers_in_turn() {
        assert_eq!(of_servers(&[1.0, 2.0, 3.0, 4.0, 5.0], 2), [9.0, 6.0]);
        assert_eq!(of_servers(&[1.0], 3), [1.0, 0.0, 0.0]);
        assert_eq!(server_of(7, 0), 0);
    }

    #[test]
    fn chance_alone_heats_a_server_when_rows_are_few() {
        assert!(hottest_share_by_chance(100.0, 5) > 0.25);
        assert!(hottest_share_by_chance(1e6, 5) < 0.202);
        assert_eq!(hottest_share_by_chance(10.0, 1), 1.0);
    }
}
