//! From counts of cells to the loads of regions and servers.

use super::grid::Grid;
use super::judgement::SplitLoad;
use super::tally::Tally;
use crate::keys::load::{self, Summary};
use crate::keys::setup::Setup;

/// What loads are computed for.
#[derive(Clone, Debug)]
pub(super) struct Loads {
    servers: usize,
    chosen: usize,
    region_counts: Vec<usize>,
}

impl Loads {
    pub(super) fn new(setup: &Setup) -> Self {
        Self { servers: setup.servers, chosen: setup.chosen_regions(), region_counts: setup.region_counts() }
    }

    /// The loads of all region counts, whose split points are given, and the chosen one's slice by slice.
    pub(super) fn of<B: Ord + Clone>(
        &self,
        grid: &Grid<B>,
        tally: &Tally,
        scale: f64,
        splits: Vec<Vec<Vec<u8>>>,
    ) -> (Vec<SplitLoad>, Vec<Vec<f64>>) {
        let by_slice: Vec<Vec<f64>> = tally.by_slice(scale).collect();
        let (rows, bytes) = (tally.rows(scale), tally.bytes(scale));
        let mut chosen = Vec::new();
        let mut loads = Vec::new();
        for ((list, asked), splits) in self.region_counts.iter().enumerate().zip(splits) {
            let (rows, bytes) = (grid.regions(list, &rows), grid.regions(list, &bytes));
            let slices: Vec<Vec<f64>> = by_slice.iter().map(|cells| grid.regions(list, cells)).collect();
            loads.push(self.load(*asked, splits, rows, &bytes, &slices));
            if *asked == self.chosen {
                chosen = slices;
            }
        }
        (loads, chosen)
    }

    fn load(
        &self,
        asked: usize,
        splits: Vec<Vec<u8>>,
        rows: Vec<f64>,
        bytes: &[f64],
        slices: &[Vec<f64>],
    ) -> SplitLoad {
        let servers = |regions: &[f64]| load::of_servers(regions, self.servers);
        let share = |regions: &Vec<f64>| Summary::of(&servers(regions)).hottest_share;
        let hottest_server_share: Vec<f64> = slices.iter().map(share).collect();
        let total: f64 = slices.iter().flatten().sum();
        let weighed =
            slices.iter().zip(&hottest_server_share).map(|(rows, share)| rows.iter().sum::<f64>() * share);
        SplitLoad {
            asked,
            splits,
            mean_hottest_share: if total > 0.0 { weighed.sum::<f64>() / total } else { 0.0 },
            region_rows: Summary::of(&rows),
            region_bytes: Summary::of(bytes),
            server_rows: Summary::of(&servers(&rows)),
            server_bytes: Summary::of(&servers(bytes)),
            rows,
            hottest_server_share,
        }
    }
}
