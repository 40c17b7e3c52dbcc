//! How evenly MD5 modulo m spreads sequential ids (section III-A and figure 1 of the paper).

use std::thread;

use tablesmith_model::key::{Key, KeyCodec, KeyEncodeError};
use tablesmith_model::value::{KeyEncoding, ValueType};

use super::designs::{DesignError, IdRow};

/// The paper's moduli.
pub const MODULI: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// The paper's number of ids.
pub const IDS: u64 = 4_000_000;
/// Threads that hash.
const THREADS: u64 = 2;

/// How often the remainders come up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Histogram {
    /// The modulus.
    pub modulus: u64,
    /// Ids that were hashed.
    pub ids: u64,
    /// The first of them.
    pub first_id: u64,
    /// The fewest of a remainder.
    pub min: u64,
    /// The most.
    pub max: u64,
    /// The standard deviation over all remainders, those that never come up included.
    pub sd: f64,
}

impl Histogram {
    /// What even chance gives: the root of n·(1/m)·(1 − 1/m).
    pub fn chance_sd(&self) -> f64 {
        let p = 1.0 / self.modulus.max(1) as f64;
        (self.ids as f64 * p * (1.0 - p)).sqrt()
    }
}

/// A histogram for each modulus over `ids` ids from `first_id` on. Each id is hashed once.
pub fn histograms(first_id: u64, ids: u64, moduli: &[u64]) -> Result<Vec<Histogram>, HistogramError> {
    let digest = Key::parse(&["md5(id)"], KeyEncoding::Binary).map_err(DesignError::from)?;
    let codec = digest.codec(|_| Some(ValueType::Int)).map_err(DesignError::from)?;
    let parts = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|part| {
                let (from, to) = (first_id + ids * part / THREADS, first_id + ids * (part + 1) / THREADS);
                let codec = &codec;
                scope.spawn(move || counts(codec, from..to, moduli))
            })
            .collect();
        threads.into_iter().map(|one| one.join().unwrap_or(Err(HistogramError::Thread))).collect::<Vec<_>>()
    });
    let mut sum: Vec<Vec<u64>> = moduli.iter().map(|modulus| vec![0; *modulus as usize]).collect();
    for part in parts {
        for (sum, counts) in sum.iter_mut().zip(part?) {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(count));
        }
    }
    Ok(moduli.iter().zip(sum).map(|(modulus, counts)| summary(*modulus, first_id, ids, &counts)).collect())
}

/// Why there is no histogram.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistogramError {
    /// The digest is no key.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// An id has no digest.
    #[error(transparent)]
    Encode(#[from] KeyEncodeError),
    /// A thread ended early.
    #[error("a thread that hashes ended before its work was done: run it again")]
    Thread,
}

fn counts(
    codec: &KeyCodec,
    ids: std::ops::Range<u64>,
    moduli: &[u64],
) -> Result<Vec<Vec<u32>>, HistogramError> {
    let mut counts: Vec<Vec<u32>> = moduli.iter().map(|modulus| vec![0; *modulus as usize]).collect();
    let mut row = IdRow::new(0, 0);
    for id in ids {
        row.set(id, 0, |_| ());
        let digest = codec.encode(&mut row)?;
        // Listing 1: the digest as one number, first byte first.
        let number = digest.iter().fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        for (counts, modulus) in counts.iter_mut().zip(moduli) {
            let remainder = (number % u128::from(*modulus)) as usize;
            if let Some(count) = counts.get_mut(remainder) {
                *count += 1;
            }
        }
    }
    Ok(counts)
}

fn summary(modulus: u64, first_id: u64, ids: u64, counts: &[u64]) -> Histogram {
    let mean = ids as f64 / modulus.max(1) as f64;
    let squares: f64 = counts.iter().map(|count| (*count as f64 - mean).powi(2)).sum();
    Histogram {
        modulus,
        ids,
        first_id,
        min: counts.iter().copied().min().unwrap_or_default(),
        max: counts.iter().copied().max().unwrap_or_default(),
        sd: (squares / modulus.max(1) as f64).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_those_of_the_whole_number() {
        // md5 of "1", "2" and "3" modulo 10 are three different remainders: 1, 2 and 3.
        let [histogram] = histograms(1, 3, &[10]).unwrap()[..] else { panic!("one modulus, one histogram") };
        assert_eq!((histogram.min, histogram.max, histogram.ids), (0, 1, 3));
        let expected = ((3.0 * 0.7_f64.powi(2) + 7.0 * 0.3_f64.powi(2)) / 10.0).sqrt();
        assert!((histogram.sd - expected).abs() < 1e-12);
    }

    #[test]
    fn sequential_ids_spread_as_chance_does() {
        for histogram in histograms(1, 40_000, &[100, 1_000]).unwrap() {
            let by_chance = histogram.sd / histogram.chance_sd();
            assert!((0.8..1.2).contains(&by_chance), "{histogram:?}");
        }
    }
}
