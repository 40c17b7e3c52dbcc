//! The stream of real rows: each row's cell is known from its key, and clients read stretches of the rows.

use std::ops::Range;

use super::{Batch, SimulateError, Stream};

/// The region of a key among sorted split points: as many as are not greater than the key.
pub fn region_of<S: AsRef<[u8]>>(splits: &[S], key: &[u8]) -> usize {
    splits.partition_point(|split| split.as_ref() <= key)
}

/// Clients that write rows, a batch at a time: each its own ranges of them, or all of them the next rows of one stream.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    cells: &'a [u16],
    batch_rows: usize,
    clients: usize,
    /// What each client still has to write; one entry for all where they share a stream.
    left: Vec<Vec<Range<usize>>>,
    counts: Vec<u64>,
}

impl<'a> Rows<'a> {
    /// `cells` has the cell of each row; each client writes its stretches of rows in their order.
    pub fn new(
        cells: &'a [u16],
        stretches: &[Vec<Range<usize>>],
        batch_rows: usize,
    ) -> Result<Self, SimulateError> {
        if stretches.is_empty() || batch_rows == 0 {
            return Err(SimulateError::EmptyStream);
        }
        let left = stretches.iter().map(|of_client| of_client.iter().rev().cloned().collect()).collect();
        Ok(Self { cells, batch_rows, clients: stretches.len(), left, counts: Vec::new() })
    }

    /// Rows that arrive in their order: whichever client is free takes the next batch.
    pub fn in_order(cells: &'a [u16], clients: usize, batch_rows: usize) -> Result<Self, SimulateError> {
        if clients == 0 || batch_rows == 0 {
            return Err(SimulateError::EmptyStream);
        }
        let left = vec![std::iter::once(0..cells.len()).filter(|all| !all.is_empty()).collect()];
        Ok(Self { cells, batch_rows, clients, left, counts: Vec::new() })
    }

    fn count(&mut self, rows: Range<usize>, batch: &mut Batch) {
        for &cell in self.cells.get(rows).unwrap_or_default() {
            let at = usize::from(cell);
            if at >= self.counts.len() {
                self.counts.resize(at + 1, 0);
            }
            if let Some(count) = self.counts.get_mut(at) {
                if *count == 0 {
                    batch.rows.push((u32::from(cell), 0));
                }
                *count += 1;
            }
        }
    }
}

impl Stream for Rows<'_> {
    fn clients(&self) -> usize {
        self.clients
    }

    fn next(&mut self, client: usize, batch: &mut Batch) -> bool {
        batch.rows.clear();
        batch.not_before_s = 0.0;
        let mut missing = self.batch_rows;
        while missing > 0 {
            let own = client % self.left.len().max(1);
            let Some(left) = self.left.get_mut(own) else { break };
            let Some(stretch) = left.last_mut() else { break };
            let taken = stretch.start..stretch.end.min(stretch.start + missing);
            stretch.start = taken.end;
            if stretch.start >= stretch.end {
                left.pop();
            }
            missing -= taken.len();
            self.count(taken, batch);
        }
        for (cell, rows) in &mut batch.rows {
            if let Some(count) = self.counts.get_mut(*cell as usize) {
                *rows = std::mem::take(count);
            }
        }
        !batch.rows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_go_over_the_ends_of_stretches() {
        let cells = [0, 1, 1, 2, 2, 2];
        let stretches = [vec![0..2, 4..6], std::iter::once(2..4).collect(), vec![]];
        let mut rows = Rows::new(&cells, &stretches, 3).unwrap();
        let mut batch = Batch::default();
        assert!(rows.next(0, &mut batch));
        assert_eq!(batch.rows, [(0, 1), (1, 1), (2, 1)]);
        assert!(rows.next(0, &mut batch));
        assert_eq!(batch.rows, [(2, 1)]);
        assert!(!rows.next(0, &mut batch));
        assert!(rows.next(1, &mut batch));
        assert_eq!(batch.rows, [(1, 1), (2, 1)]);
        assert!(!rows.next(2, &mut batch) && !rows.next(9, &mut batch));
    }

    #[test]
    fn a_key_that_is_a_split_point_belongs_to_the_region_that_it_begins() {
        let splits = ["c", "e"];
        let regions = [b"a", b"c", b"d", b"e", b"z"].map(|key| region_of(&splits, key));
        assert_eq!(regions, [0, 1, 1, 2, 2]);
    }

    #[test]
    fn nothing_to_write_is_refused() {
        assert_eq!(Rows::in_order(&[], 0, 1).unwrap_err(), SimulateError::EmptyStream);
        assert_eq!(Rows::new(&[], &[], 1).unwrap_err(), SimulateError::EmptyStream);
        assert_eq!(Rows::new(&[], &[vec![]], 0).unwrap_err(), SimulateError::EmptyStream);
    }

    #[test]
    fn clients_of_one_stream_take_the_next_rows() {
        let mut rows = Rows::in_order(&[0, 0, 1, 1, 2], 2, 2).unwrap();
        let mut batch = Batch::default();
        let mut taken = Vec::new();
        for client in [1, 1, 0, 0] {
            let more = rows.next(client, &mut batch);
            taken.push((more, batch.rows.clone()));
        }
        let expected = [(true, vec![(0, 2)]), (true, vec![(1, 2)]), (true, vec![(2, 1)]), (false, vec![])];
        assert_eq!((rows.clients(), taken), (2, expected.to_vec()));
    }
}
