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

/// A histogram for each modulus over `ids` ids from 1 on, then the same from 0 on. They have all ids but one in common, and
/// each id is hashed once.
pub fn histograms(ids: u64, moduli: &[u64]) -> Result<Vec<Histogram>, HistogramError> {
    let digest = Key::parse(&["md5(id)"], KeyEncoding::Binary).map_err(DesignError::from)?;
    let codec = digest.codec(|_| Some(ValueType::Int)).map_err(DesignError::from)?;
    let mut common = empty(moduli);
    for part in in_threads(&codec, ids, moduli) {
        add(&mut common, part?);
    }
    let mut histograms = Vec::with_capacity(2 * moduli.len());
    for (first_id, missing_id) in [(1, ids), (0, 0)] {
        let mut whole = common.clone();
        add(&mut whole, counts(&codec, missing_id..missing_id + 1, moduli)?);
        let summaries =
            moduli.iter().zip(&whole).map(|(modulus, counts)| summary(*modulus, first_id, ids, counts));
        histograms.extend(summaries);
    }
    Ok(histograms)
}

/// How often each remainder comes up, for each modulus.
type Counts = Vec<Vec<u32>>;

fn empty(moduli: &[u64]) -> Counts {
    moduli.iter().map(|modulus| vec![0; usize::try_from(*modulus).unwrap_or_default()]).collect()
}

fn add(into: &mut Counts, more: Counts) {
    for (into, more) in into.iter_mut().zip(more) {
        into.iter_mut().zip(more).for_each(|(into, more)| *into += more);
    }
}

/// Counts the ids from 1 up to, not including, `ids`.
fn in_threads(codec: &KeyCodec, ids: u64, moduli: &[u64]) -> Vec<Result<Counts, HistogramError>> {
    let border = |part: u64| (ids * part / THREADS).max(1);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|part| scope.spawn(move || counts(codec, border(part)..border(part + 1), moduli)))
            .collect();
        threads.into_iter().map(|one| one.join().unwrap_or(Err(HistogramError::Thread))).collect()
    })
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

fn counts(codec: &KeyCodec, ids: std::ops::Range<u64>, moduli: &[u64]) -> Result<Counts, HistogramError> {
    let mut counts = empty(moduli);
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

fn summary(modulus: u64, first_id: u64, ids: u64, counts: &[u32]) -> Histogram {
    let mean = ids as f64 / modulus.max(1) as f64;
    let squares: f64 = counts.iter().map(|count| (f64::from(*count) - mean).powi(2)).sum();
    Histogram {
        modulus,
        ids,
        first_id,
        min: counts.iter().copied().min().unwrap_or_default().into(),
        max: counts.iter().copied().max().unwrap_or_default().into(),
        sd: (squares / modulus.max(1) as f64).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_those_of_the_whole_number() {
        // md5 of "1", "2" and "3" modulo 10 are three different remainders: 1, 2 and 3. That of "0" is 0.
        let [from_one, from_zero] = histograms(3, &[10]).unwrap()[..] else {
            panic!("one modulus, two beginnings")
        };
        assert_eq!((from_one.first_id, from_one.min, from_one.max, from_one.ids), (1, 0, 1, 3));
        assert_eq!((from_zero.first_id, from_zero.min, from_zero.max), (0, 0, 1));
        let expected = ((3.0 * 0.7_f64.powi(2) + 7.0 * 0.3_f64.powi(2)) / 10.0).sqrt();
        assert!((from_one.sd - expected).abs() < 1e-12);
    }

    #[test]
    fn sequential_ids_spread_as_chance_does() {
        for histogram in histograms(40_000, &[100, 1_000]).unwrap() {
            let by_chance = histogram.sd / histogram.chance_sd();
            assert!((0.8..1.2).contains(&by_chance), "{histogram:?}");
        }
    }
}
