//! Counts of rows by time slice and cell, in bounded memory: when there are too many slices, two become one.

/// The most slices of the write stream; when it ends there are more than half as many.
pub const MOST_SLICES: usize = 256;

/// Rows of the first slices, as a power of two.
pub(super) const FIRST_SHIFT: u32 = 5;

/// Rows by slice and cell, and bytes by cell.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    cells: usize,
    rows: Vec<u64>,
    bytes: Vec<u64>,
    /// The slice that rows are counted in now, and what was counted in it: a row changes one place in memory.
    slice: usize,
    now: Vec<Count>,
}

/// What a cell has had in the slice of now.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    rows: u64,
    bytes: u64,
}

impl Tally {
    pub(super) fn new(cells: usize) -> Self {
        let (bytes, now) = (vec![0; cells], vec![Count::default(); cells]);
        Self { cells, rows: Vec::new(), bytes, slice: 0, now }
    }

    /// From now on rows of this slice are counted.
    pub(super) fn enter(&mut self, slice: usize) {
        self.settle();
        self.rows.reserve((MOST_SLICES * self.cells).saturating_sub(self.rows.len()));
        self.reach(slice);
        self.slice = slice;
    }

    /// Counts a row of the slice that was entered.
    #[inline]
    pub(super) fn count(&mut self, cell: usize, bytes: u64) {
        if let Some(count) = self.now.get_mut(cell) {
            count.rows += 1;
            count.bytes += bytes;
        }
    }

    /// Puts what was counted in the slice of now to the rest.
    pub(super) fn settle(&mut self) {
        let begin = self.slice * self.cells;
        let rows = self.rows.get_mut(begin..begin + self.cells).unwrap_or_default();
        for ((rows, bytes), count) in rows.iter_mut().zip(&mut self.bytes).zip(&mut self.now) {
            *rows += count.rows;
            *bytes += count.bytes;
            *count = Count::default();
        }
    }

    /// How many slices have rows.
    pub(super) fn slices(&self) -> usize {
        self.rows.len() / self.cells.max(1)
    }

    /// Makes room for a slice.
    pub(super) fn reach(&mut self, slice: usize) {
        if slice >= self.slices() {
            self.rows.resize((slice + 1) * self.cells, 0);
        }
    }

    /// Counts a row; room was made before.
    #[inline]
    pub(super) fn add(&mut self, slice: usize, cell: usize, bytes: u64) {
        if let Some(rows) = self.rows.get_mut(slice * self.cells + cell) {
            *rows += 1;
        }
        if let Some(own) = self.bytes.get_mut(cell) {
            *own += bytes;
        }
    }

    /// Makes one slice of each two, in place. What was counted last must be settled, and a slice entered afterwards.
    pub(super) fn halve(&mut self) {
        let (cells, slices) = (self.cells, self.slices());
        for slice in 0..slices.div_ceil(2) {
            let (before, from) = self.rows.split_at_mut((2 * slice + 1).min(slices) * cells);
            let second = from.get(..cells).unwrap_or_default();
            if let Some(first) = before.get_mut(2 * slice * cells..) {
                first.iter_mut().zip(second).for_each(|(one, two)| *one += two);
            }
            self.rows.copy_within(2 * slice * cells..(2 * slice + 1) * cells, slice * cells);
        }
        self.rows.truncate(slices.div_ceil(2) * cells);
    }

    /// Adds what another one counted, in slices of the same width.
    pub(super) fn merge(&mut self, other: &Self) {
        if other.rows.len() > self.rows.len() {
            self.rows.resize(other.rows.len(), 0);
        }
        self.rows.iter_mut().zip(&other.rows).for_each(|(own, other)| *own += other);
        self.bytes.iter_mut().zip(&other.bytes).for_each(|(own, other)| *own += other);
    }

    /// The rows of each cell, slice by slice, each standing for `scale` rows.
    pub(super) fn by_slice(&self, scale: f64) -> impl Iterator<Item = Vec<f64>> + '_ {
        self.rows.chunks(self.cells.max(1)).map(move |cells| scaled(cells, scale))
    }

    /// The rows of each cell in all.
    pub(super) fn rows(&self, scale: f64) -> Vec<f64> {
        let mut total = vec![0; self.cells];
        for slice in self.rows.chunks(self.cells.max(1)) {
            total.iter_mut().zip(slice).for_each(|(total, rows)| *total += rows);
        }
        scaled(&total, scale)
    }

    /// The bytes of each cell in all.
    pub(super) fn bytes(&self, scale: f64) -> Vec<f64> {
        scaled(&self.bytes, scale)
    }
}

fn scaled(counts: &[u64], scale: f64) -> Vec<f64> {
    counts.iter().map(|count| *count as f64 * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(rows: &[(usize, usize)]) -> Tally {
        let mut tally = Tally::new(2);
        for (slice, cell) in rows {
            tally.reach(*slice);
            tally.add(*slice, *cell, 10);
        }
        tally
    }

    #[test]
    fn halving_loses_no_row() {
        let mut tally = tally(&[(0, 0), (1, 1), (2, 1), (2, 1), (2, 0)]);
        tally.halve();
        assert_eq!(tally.by_slice(1.0).collect::<Vec<_>>(), [[1.0, 1.0], [1.0, 2.0]]);
        assert_eq!((tally.rows(2.0), tally.bytes(1.0)), (vec![4.0, 6.0], vec![20.0, 30.0]));
    }

    #[test]
    fn rows_of_a_slice_are_counted_together() {
        let mut tally = Tally::new(3);
        for (slice, cells) in [(0, &[0, 0, 2][..]), (1, &[1]), (2, &[2, 2])] {
            tally.enter(slice);
            cells.iter().for_each(|cell| tally.count(*cell, 10));
        }
        tally.settle();
        tally.halve();
        tally.enter(1);
        tally.count(0, 5);
        tally.settle();
        assert_eq!(tally.by_slice(1.0).collect::<Vec<_>>(), [[2.0, 1.0, 1.0], [1.0, 0.0, 2.0]]);
        assert_eq!(tally.bytes(1.0), [25.0, 10.0, 30.0]);
    }

    #[test]
    fn counts_of_two_add_up() {
        let mut one = tally(&[(0, 0)]);
        one.merge(&tally(&[(0, 0), (3, 1)]));
        assert_eq!(one.slices(), 4);
        assert_eq!(one.rows(1.0), [2.0, 1.0]);
    }
}
