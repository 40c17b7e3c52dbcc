//! Servers and regions while the simulation runs: their buckets, and what they had to do.

use super::balance::balance;
use super::bucket::{Bucket, Service};
use super::layout::middle;
use super::{Cluster, Layout, ServerOutcome};

/// A region: cells from `first_cell` up to `end_cell`.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) first_cell: usize,
    end_cell: usize,
    pub(super) server: usize,
    pub(super) rows: u64,
    /// Set when all its rows lie in one cell: it cannot split before cells are finer.
    is_indivisible_until_rows: u64,
    answers_from_s: f64,
    thread: Bucket,
}

/// The table and its servers.
#[derive(Debug)]
pub(super) struct Fleet<'a> {
    cluster: &'a Cluster,
    pub(super) regions: Vec<Region>,
    region_of_cell: Vec<usize>,
    rows_of_cell: Vec<u64>,
    buckets: Vec<Bucket>,
    pub(super) outcomes: Vec<ServerOutcome>,
    pub(super) splits: usize,
    pub(super) moves: usize,
}

impl<'a> Fleet<'a> {
    pub(super) fn new(cluster: &'a Cluster, layout: &Layout) -> Self {
        let ends = layout.first_cells.iter().copied().skip(1).chain([layout.cells]);
        let (capacity, mut region_of_cell) = (cluster.capacity, Vec::with_capacity(layout.cells));
        let mut regions = Vec::with_capacity(layout.servers.len());
        for ((&first_cell, end_cell), &server) in layout.first_cells.iter().zip(ends).zip(&layout.servers) {
            region_of_cell.resize(end_cell, regions.len());
            let thread = Bucket::new(capacity.requests_per_second, capacity.burst_requests);
            regions.push(Region {
                first_cell,
                end_cell,
                server,
                rows: 0,
                is_indivisible_until_rows: 0,
                answers_from_s: 0.0,
                thread,
            });
        }
        let mut fleet = Self {
            cluster,
            regions,
            region_of_cell,
            rows_of_cell: vec![0; layout.cells],
            buckets: Vec::new(),
            outcomes: Vec::new(),
            splits: 0,
            moves: 0,
        };
        fleet.add_servers(cluster.servers);
        fleet
    }

    pub(super) fn cells(&self) -> usize {
        self.rows_of_cell.len()
    }

    pub(super) fn add_servers(&mut self, servers: usize) {
        let capacity = self.cluster.capacity;
        let bucket = Bucket::new(capacity.requests_per_second, capacity.burst_requests);
        self.buckets.resize(self.buckets.len() + servers, bucket);
        self.outcomes.resize(self.outcomes.len() + servers, ServerOutcome::default());
        self.set_rates();
    }

    /// What a server can do depends on how many regions it has.
    fn set_rates(&mut self) {
        if self.cluster.capacity.cores.is_none() {
            return;
        }
        let mut regions = vec![0_usize; self.buckets.len()];
        for region in &self.regions {
            if let Some(count) = regions.get_mut(region.server) {
                *count += 1;
            }
        }
        for (bucket, regions) in self.buckets.iter_mut().zip(&regions) {
            bucket.set_rate(self.cluster.capacity.of_server(*regions));
        }
        for region in &mut self.regions {
            let neighbours = regions.get(region.server).copied().unwrap_or(1);
            region.thread.set_rate(self.cluster.capacity.of_thread(neighbours));
        }
    }

    /// Counts rows of a cell and gives them to its region's thread: the region, its server, and when it is ready.
    pub(super) fn write(&mut self, cell: u32, rows: u64, now_s: f64) -> Option<(usize, usize, f64)> {
        let of_cell = self.rows_of_cell.get_mut(cell as usize)?;
        let index = *self.region_of_cell.get(cell as usize)?;
        let region = self.regions.get_mut(index)?;
        *of_cell += rows;
        region.rows += rows;
        let from_s = region.answers_from_s.max(now_s);
        let ready_s = match self.cluster.capacity.cores {
            Some(_) => region.thread.take(rows, from_s).ready_s,
            None => from_s,
        };
        Some((index, region.server, ready_s))
    }

    /// Gives the rows of a batch to their server.
    pub(super) fn serve(&mut self, server: usize, rows: u64, now_s: f64) -> Service {
        let mut service = Service { begins_s: now_s, ready_s: now_s };
        if let (Some(bucket), Some(outcome)) = (self.buckets.get_mut(server), self.outcomes.get_mut(server)) {
            service = bucket.take(rows, now_s);
            outcome.rows += rows;
        }
        service
    }

    pub(super) fn waited(&mut self, server: usize, seconds: f64) {
        if let Some(outcome) = self.outcomes.get_mut(server) {
            outcome.waited_s += seconds;
        }
    }

    /// Splits a region that has grown too large; both halves stay on their server.
    pub(super) fn split_if_large(&mut self, index: usize, now_s: f64) {
        let growth = &self.cluster.growth;
        let Some(split_bytes) = growth.split_bytes else { return };
        let new = self.regions.len();
        let Some(region) = self.regions.get_mut(index) else { return };
        let is_large = region.rows.saturating_mul(growth.bytes_a_row) >= split_bytes;
        if !is_large || region.rows < region.is_indivisible_until_rows {
            return;
        }
        let cells = self.rows_of_cell.get(region.first_cell..region.end_cell).unwrap_or_default();
        let Some(middle) = middle(cells) else {
            region.is_indivisible_until_rows = region.rows.saturating_mul(2);
            return;
        };
        let mut upper = region.clone();
        upper.first_cell = region.first_cell + middle;
        upper.rows = cells.iter().skip(middle).sum();
        region.end_cell = upper.first_cell;
        region.rows -= upper.rows;
        region.answers_from_s = now_s + growth.pause_s;
        upper.answers_from_s = region.answers_from_s;
        if let Some(cells) = self.region_of_cell.get_mut(upper.first_cell..upper.end_cell) {
            cells.fill(new);
        }
        self.regions.push(upper);
        self.splits += 1;
        self.set_rates();
    }

    /// Spreads the regions evenly over the servers.
    pub(super) fn balance(&mut self, now_s: f64) {
        let servers: Vec<usize> = self.regions.iter().map(|region| region.server).collect();
        for one in balance(&servers, self.buckets.len()) {
            if let Some(region) = self.regions.get_mut(one.region) {
                region.server = one.to;
                region.answers_from_s = now_s + self.cluster.growth.pause_s;
                self.moves += 1;
            }
        }
        self.set_rates();
    }
}
