//! Cells, regions and servers: which part of the key space lies where, and what a split does to it.

use super::SimulateError;
use crate::keys::load::server_of;

/// Regions of a table in key order, each with the cell that it begins with and its server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Cells of the key space.
    pub cells: usize,
    /// The first cell of each region, rising from 0.
    pub first_cells: Vec<usize>,
    /// The server of each region, counted from 0.
    pub servers: Vec<usize>,
}

impl Layout {
    /// A table with one cell a region, its regions dealt out to the servers in turn, as a new table's are.
    pub fn pre_split(regions: usize, servers: usize) -> Self {
        let servers = (0..regions).map(|region| server_of(region, servers)).collect();
        Self { cells: regions, first_cells: (0..regions).collect(), servers }
    }

    /// A table that was not pre-split: one region of many cells, on the first server.
    pub fn one_region(cells: usize) -> Self {
        Self { cells, first_cells: vec![0], servers: vec![0] }
    }

    pub(super) fn check(&self, servers: usize) -> Result<(), SimulateError> {
        let rises = self.first_cells.is_sorted_by(|one, other| one < other);
        let within = self.first_cells.last().is_some_and(|last| *last < self.cells);
        if self.first_cells.first() != Some(&0)
            || !rises
            || !within
            || self.servers.len() != self.first_cells.len()
        {
            return Err(SimulateError::Regions);
        }
        match self.servers.iter().position(|server| *server >= servers) {
            Some(region) => {
                let server = self.servers.get(region).copied().unwrap_or_default();
                Err(SimulateError::UnknownServer { region, server, servers })
            }
            None => Ok(()),
        }
    }
}

/// Where a region's rows are to be cut: the first cell of the upper half, so that both halves are as equal as cells
/// allow. `None` when all rows lie in one cell.
pub(super) fn middle(rows: &[u64]) -> Option<usize> {
    let total: u64 = rows.iter().sum();
    let mut below = 0;
    let mut best: Option<(u64, usize)> = None;
    for (cell, rows) in rows.iter().enumerate().skip(1).map(|(cell, _)| (cell, rows.get(cell - 1))) {
        below += rows.copied().unwrap_or_default();
        let larger_half = below.max(total - below);
        if below > 0 && below < total && best.is_none_or(|(so_far, _)| larger_half < so_far) {
            best = Some((larger_half, cell));
        }
    }
    best.map(|(_, cell)| cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_dealt_out_in_turn() {
        let layout = Layout::pre_split(5, 2);
        assert_eq!(layout.servers, [0, 1, 0, 1, 0]);
        assert_eq!(layout.check(2), Ok(()));
        assert!(matches!(layout.check(1), Err(SimulateError::UnknownServer { region: 1, .. })));
        assert_eq!(Layout::pre_split(0, 2).check(2), Err(SimulateError::Regions));
        assert_eq!(Layout::one_region(0).check(2), Err(SimulateError::Regions));
        let falling = Layout { cells: 4, first_cells: vec![0, 2, 1], servers: vec![0, 0, 0] };
        assert_eq!(falling.check(1), Err(SimulateError::Regions));
    }

    #[test]
    fn the_middle_halves_the_rows() {
        assert_eq!(middle(&[5, 5, 5, 5]), Some(2));
        assert_eq!(middle(&[1, 1, 1, 9]), Some(3));
        assert_eq!(middle(&[9, 1, 1, 1]), Some(1));
        assert_eq!(middle(&[0, 7, 0]), None);
        assert_eq!(middle(&[7]), None);
        assert_eq!(middle(&[]), None);
    }
}
