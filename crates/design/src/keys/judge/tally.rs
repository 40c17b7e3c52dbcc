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
}

impl Tally {
    pub(super) fn new(cells: usize) -> Self {
        Self { cells, rows: Vec::new(), bytes: vec![0; cells] }
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

    /// Makes one slice of each two.
    pub(super) fn halve(&mut self) {
        let mut halved = Vec::with_capacity(self.rows.len() / 2 + self.cells);
        for pair in self.rows.chunks(self.cells.max(1) * 2) {
            let (one, two) = pair.split_at(self.cells.min(pair.len()));
            let two = two.iter().copied().chain(std::iter::repeat(0));
            halved.extend(one.iter().zip(two).map(|(one, two)| one + two));
        }
        self.rows = halved;
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
    fn counts_of_two_add_up() {
        let mut one = tally(&[(0, 0)]);
        one.merge(&tally(&[(0, 0), (3, 1)]));
        assert_eq!(one.slices(), 4);
        assert_eq!(one.rows(1.0), [2.0, 1.0]);
    }
}
