//! The finest cells of the key space: the stretches between the split points of all region counts together. Every
//! region of every count is a run of cells, so that rows are counted once for all counts.

/// Cells, and which of them the regions of each count begin with.
#[derive(Clone, Debug)]
pub(super) struct Grid<B> {
    /// Where each cell but the first begins.
    pub(super) bounds: Vec<B>,
    /// For each region count, the cells that its regions but the first begin with.
    starts: Vec<Vec<usize>>,
}

impl<B: Ord + Clone> Grid<B> {
    /// The grid of some lists of bounds, each in order.
    pub(super) fn new(lists: &[Vec<B>]) -> Self {
        let mut bounds: Vec<B> = lists.concat();
        bounds.sort_unstable();
        bounds.dedup();
        let start = |bound: &B| bounds.partition_point(|other| other <= bound);
        let starts = lists.iter().map(|list| list.iter().map(start).collect()).collect();
        Self { bounds, starts }
    }

    /// How many cells there are.
    pub(super) fn cells(&self) -> usize {
        self.bounds.len() + 1
    }

    /// The load of the regions of one count, from that of the cells.
    pub(super) fn regions(&self, list: usize, cells: &[f64]) -> Vec<f64> {
        let starts = self.starts.get(list).map(Vec::as_slice).unwrap_or_default();
        let mut begin = 0;
        let ends = starts.iter().copied().chain(std::iter::once(cells.len()));
        ends.map(|end| {
            let load = cells.get(begin..end).unwrap_or_default().iter().sum();
            begin = end;
            load
        })
        .collect()
    }
}

/// Finds the cell of a number: a table leads near it, and a few steps do the rest.
#[derive(Clone, Debug)]
pub(super) struct Finder {
    /// Whether every number is a cell of its own.
    is_identity: bool,
    shift: u32,
    near: Vec<u32>,
    bounds: Vec<u64>,
}

/// Entries of the table that leads near a cell: it stays in the fastest cache.
const NEAR: u64 = 4_096;

impl Finder {
    /// The finder of cells with these bounds, over numbers below `count`.
    pub(super) fn new(bounds: Vec<u64>, count: u64) -> Self {
        let is_identity = bounds.len() as u64 + 1 == count;
        let mut shift = 0;
        while count.saturating_sub(1) >> shift >= NEAR {
            shift += 1;
        }
        let entries = (count.saturating_sub(1) >> shift) + 1;
        let cell = |entry: u64| bounds.partition_point(|bound| *bound <= entry << shift);
        let near = (0..entries).map(|entry| u32::try_from(cell(entry)).unwrap_or(u32::MAX)).collect();
        Self { is_identity, shift, near, bounds }
    }

    /// The cell of a number.
    #[inline]
    pub(super) fn cell(&self, number: u64) -> usize {
        if self.is_identity {
            return usize::try_from(number).unwrap_or(usize::MAX);
        }
        let entry = usize::try_from(number >> self.shift).unwrap_or(usize::MAX);
        let mut cell = self.near.get(entry).or(self.near.last()).map_or(0, |cell| *cell as usize);
        while self.bounds.get(cell).is_some_and(|bound| *bound <= number) {
            cell += 1;
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_runs_of_cells() {
        let grid = Grid::new(&[vec![50_u64], vec![25, 50, 75], vec![]]);
        assert_eq!(grid.bounds, [25, 50, 75]);
        let cells = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(grid.regions(0, &cells), [3.0, 7.0]);
        assert_eq!(grid.regions(1, &cells), cells);
        assert_eq!(grid.regions(2, &cells), [10.0]);
    }

    #[test]
    fn cells_are_found_as_by_search() {
        let mut random = fastrand::Rng::with_seed(1);
        for count in [1_u64, 2, 10, 997_920, 1 << 32] {
            let mut bounds: Vec<u64> =
                (0..300).map(|_| random.u64(0..count)).filter(|bound| *bound > 0).collect();
            bounds.sort_unstable();
            bounds.dedup();
            let finder = Finder::new(bounds.clone(), count);
            assert_eq!(finder.is_identity, count <= 10, "{count}");
            for _ in 0..10_000 {
                let number = random.u64(0..count);
                assert_eq!(finder.cell(number), bounds.partition_point(|bound| *bound <= number), "{number}");
            }
        }
    }
}
