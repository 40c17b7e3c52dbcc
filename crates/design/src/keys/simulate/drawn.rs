//! Streams too large to look at row by row: what a key does to ids is known as a law, and batches are drawn from it.

use fastrand::Rng;

use super::binomial::spread;
use super::{Batch, SimulateError, Stream};

/// How a key spreads rising ids over the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// A random prefix, or a hash of something that differs from row to row: every cell alike.
    Even,
    /// The id modulo a number, cells of equal width. With the number of ids as modulus it is the plain id.
    Modulo(u64),
}

/// Clients that each write a stretch of rising ids.
#[derive(Clone, Debug)]
pub struct Drawn {
    law: Law,
    cells: u32,
    batch_rows: u64,
    /// The ids that each client has not yet written.
    left: Vec<(u64, u64)>,
    random: Rng,
}

impl Drawn {
    /// So many ids from 0 on, an equal stretch for each client, written in batches.
    pub fn new(
        law: Law,
        cells: u32,
        ids: u64,
        clients: u32,
        batch_rows: u64,
        seed: u64,
    ) -> Result<Self, SimulateError> {
        if cells == 0 || clients == 0 || batch_rows == 0 || law == Law::Modulo(0) {
            return Err(SimulateError::EmptyStream);
        }
        let border = |client: u32| scaled(ids, client, clients);
        let left = (0..clients).map(|client| (border(client), border(client + 1))).collect();
        Ok(Self { law, cells, batch_rows, left, random: Rng::with_seed(seed) })
    }
}

/// `whole · part / parts`, without overflow.
fn scaled(whole: u64, part: u32, parts: u32) -> u64 {
    let scaled = u128::from(whole) * u128::from(part) / u128::from(parts);
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

/// How many of the ids below `bound` have a remainder below `limit`.
fn remainders_below(bound: u64, limit: u64, modulus: u64) -> u64 {
    (bound / modulus) * limit + (bound % modulus).min(limit)
}

impl Stream for Drawn {
    fn clients(&self) -> usize {
        self.left.len()
    }

    fn next(&mut self, client: usize, batch: &mut Batch) -> bool {
        batch.rows.clear();
        batch.not_before_s = 0.0;
        let Some((first, end)) = self.left.get_mut(client) else { return false };
        let from = *first;
        let to = from.saturating_add(self.batch_rows).min(*end);
        *first = to;
        match self.law {
            Law::Even => {
                spread(to - from, self.cells, &mut self.random, |cell, rows| batch.rows.push((cell, rows)));
            }
            Law::Modulo(modulus) => {
                let below =
                    |limit| remainders_below(to, limit, modulus) - remainders_below(from, limit, modulus);
                let mut before = 0;
                for cell in 0..self.cells {
                    let until = below(scaled(modulus, cell + 1, self.cells));
                    if until > before {
                        batch.rows.push((cell, until - before));
                    }
                    before = until;
                }
            }
        }
        !batch.rows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut stream: Drawn) -> (Vec<u64>, Vec<Batch>) {
        let (mut rows, mut batches, mut batch) =
            (vec![0; stream.cells as usize], Vec::new(), Batch::default());
        for client in 0..stream.clients() {
            while stream.next(client, &mut batch) {
                batch.rows.iter().for_each(|(cell, count)| rows[*cell as usize] += count);
                batches.push(batch.clone());
            }
        }
        (rows, batches)
    }

    #[test]
    fn remainders_are_counted_as_one_by_one() {
        for (modulus, cells) in [(10, 3), (7, 7), (1_000, 8), (5, 9)] {
            let mut expected = vec![0; cells as usize];
            for id in 0..1_234_u64 {
                let remainder = id % modulus;
                let cell = (0..cells).rfind(|cell| scaled(modulus, *cell, cells) <= remainder).unwrap();
                expected[cell as usize] += 1;
            }
            let stream = Drawn::new(Law::Modulo(modulus), cells, 1_234, 3, 100, 1).unwrap();
            assert_eq!(all(stream).0, expected, "{modulus} over {cells}");
        }
    }

    #[test]
    fn a_law_of_chance_loses_no_id_and_is_even() {
        let (rows, batches) = all(Drawn::new(Law::Even, 20, 200_000, 4, 1_000, 3).unwrap());
        assert_eq!((rows.iter().sum::<u64>(), batches.len()), (200_000, 200));
        assert!(rows.iter().all(|rows| (9_500..10_500).contains(rows)), "{rows:?}");
    }

    #[test]
    fn rising_ids_are_in_one_place_at_a_time() {
        let (rows, batches) = all(Drawn::new(Law::Modulo(10_000), 10, 10_000, 1, 500, 1).unwrap());
        assert_eq!(rows, [1_000; 10]);
        assert!(batches.iter().all(|batch| batch.rows.len() == 1));
    }

    #[test]
    fn nothing_to_write_is_refused() {
        for (law, cells, clients, rows) in
            [(Law::Even, 0, 1, 1), (Law::Even, 1, 0, 1), (Law::Even, 1, 1, 0), (Law::Modulo(0), 1, 1, 1)]
        {
            assert_eq!(Drawn::new(law, cells, 9, clients, rows, 1).unwrap_err(), SimulateError::EmptyStream);
        }
    }
}
