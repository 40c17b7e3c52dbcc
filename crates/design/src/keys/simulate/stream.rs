//! What is written: batches of rows, as counts per cell of the key space.

/// One batch of a client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Rows per cell, a cell at most once.
    pub rows: Vec<(u32, u64)>,
    /// Not sent before this time; 0 for as fast as it goes.
    pub not_before_s: f64,
}

impl Batch {
    /// Rows in all.
    pub fn total(&self) -> u64 {
        self.rows.iter().map(|(_, rows)| rows).sum()
    }
}

/// The batches of several clients.
pub trait Stream {
    /// How many clients there are.
    fn clients(&self) -> usize;

    /// Writes the next batch of a client over `batch`; false when there are no more.
    fn next(&mut self, client: usize, batch: &mut Batch) -> bool;
}
