//! How often an id comes again: estimated in one pass, counted exactly in several.
//!
//! The estimate keeps ids whose digest begins with so many zeros, one more each time there are too many, and counts how
//! often each of these came. What is kept is a fair share of all *ids*, so that few duplicates are seen as well as many:
//! distinct ids are estimated to about 1/√(ids kept), duplicates to about 1/√(duplicates seen).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use tablesmith_model::key::digest;
use tablesmith_model::value::Value;

/// The most ids that are kept.
const MOST_KEPT: usize = 1 << 15;

/// How many ids came more than once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Duplicates {
    /// Different ids.
    pub distinct: f64,
    /// Rows whose id had come before.
    pub duplicates: f64,
    /// How far off `duplicates` can well be (about two standard deviations); 0 when counted exactly.
    pub error: f64,
}

/// A digest needs little hashing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfDigest(u64);

impl Hasher for OfDigest {
    fn finish(&self) -> u64 {
        // The low bits count zeros: the map must see the others too.
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| hash.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// The ids that are kept, by the low half of their digest, and how often each came.
#[derive(Clone, Debug, Default)]
pub(super) struct IdSketch {
    level: u32,
    kept: HashMap<u64, u64, BuildHasherDefault<OfDigest>>,
}

impl IdSketch {
    /// Counts an id.
    #[inline]
    pub(super) fn take(&mut self, digest: u128) {
        if digest.leading_zeros() >= self.level {
            self.keep(digest);
        }
    }

    fn keep(&mut self, digest: u128) {
        // The low half carries the first zeros no more: they are put back, so that they can be asked for later.
        let low = (digest as u64) >> 6;
        let zeros = u64::from(digest.leading_zeros().min(63));
        *self.kept.entry(low << 6 | zeros).or_insert(0) += 1;
        self.thin();
    }

    fn thin(&mut self) {
        while self.kept.len() > MOST_KEPT && self.level < 63 {
            self.raise(self.level + 1);
        }
    }

    fn raise(&mut self, level: u32) {
        self.level = level;
        self.kept.retain(|id, _| *id & 63 >= u64::from(level));
    }

    /// Adds what another one saw of the same stream.
    pub(super) fn merge(&mut self, mut other: Self) {
        let level = self.level.max(other.level);
        self.raise(level);
        other.raise(level);
        for (id, count) in other.kept {
            *self.kept.entry(id).or_insert(0) += count;
        }
        self.thin();
    }

    /// The estimate.
    pub(super) fn estimate(&self) -> Duplicates {
        let scale = 2.0_f64.powi(i32::try_from(self.level).unwrap_or(63));
        let distinct = self.kept.len() as f64;
        let again: f64 = self.kept.values().map(|count| (*count - 1) as f64).sum();
        // Each kept id stands for `scale` ids: the variance of a sum over ids that are kept with probability 1/scale.
        let squares: f64 = self.kept.values().map(|count| ((*count - 1) as f64).powi(2)).sum();
        let deviation = scale * (squares * (1.0 - 1.0 / scale)).sqrt();
        // None seen does not mean none: with three missed ids in `scale` one would have been seen 95 times in 100.
        let error = if again == 0.0 && self.level > 0 { 3.0 * scale } else { 2.0 * deviation };
        Duplicates { distinct: distinct * scale, duplicates: again * scale, error }
    }
}

/// Counts duplicates exactly, in bounded memory: each pass over the rows looks at one share of the ids.
///
/// Two ids count as the same when their MD5 is, which for ids that nobody made to collide is the same thing.
#[derive(Debug)]
pub struct ExactDuplicates {
    passes: u64,
    pass: u64,
    digests: Vec<u128>,
    text: Vec<u8>,
    found: Duplicates,
}

impl ExactDuplicates {
    /// A count that needs about this many bytes for so many rows, in as many passes as that takes.
    pub fn new(rows: u64, memory_bytes: u64) -> Self {
        let in_memory = (memory_bytes / size_of::<u128>() as u64).max(1);
        // The shares are not quite equal: a tenth more room keeps them within bounds.
        let passes = (rows + rows / 10).div_ceil(in_memory).max(1);
        Self { passes, pass: 0, digests: Vec::new(), text: Vec::new(), found: Duplicates::default() }
    }

    /// How many passes over all rows it takes.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// Shows it a row of the pass: the values of its id.
    pub fn take(&mut self, id: &[Value]) {
        let digest = digest_of(id.iter(), &mut self.text);
        if (digest >> 64) % u128::from(self.passes) == u128::from(self.pass) {
            self.digests.push(digest);
        }
    }

    /// Ends a pass; the count once all passes are through.
    pub fn end_pass(&mut self) -> Option<Duplicates> {
        self.digests.sort_unstable();
        let rows = self.digests.len();
        self.digests.dedup();
        self.found.distinct += self.digests.len() as f64;
        self.found.duplicates += (rows - self.digests.len()) as f64;
        self.digests.clear();
        self.pass += 1;
        (self.pass >= self.passes).then_some(self.found)
    }
}

/// Shows what is hashed of some values; a single number is written without the buffer.
#[inline]
pub(super) fn with_text<'v>(
    mut values: impl Iterator<Item = &'v Value>,
    text: &mut Vec<u8>,
    show: impl FnOnce(&[u8]),
) {
    let first = values.next();
    let second = values.next();
    if let (Some(Value::Int(number)), None) = (first, second) {
        return show(digest::number_text(*number, &mut [0; digest::NUMBER_BYTES]));
    }
    text.clear();
    for (index, value) in first.into_iter().chain(second).chain(values).enumerate() {
        if index > 0 {
            text.push(digest::BETWEEN);
        }
        digest::append_text(value, text);
    }
    show(text);
}

/// The digest of some values as one number, as `md5_mod` takes it.
fn digest_of<'v>(values: impl Iterator<Item = &'v Value>, text: &mut Vec<u8>) -> u128 {
    let mut digest = 0;
    with_text(values, text, |text| digest = u128::from_be_bytes(digest::of_bytes(text)));
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> [Value; 1] {
        [Value::Int(number as i64)]
    }

    fn sketch(ids: impl Iterator<Item = u64>) -> IdSketch {
        let mut sketch = IdSketch::default();
        ids.for_each(|number| sketch.take(digest_of(id(number).iter(), &mut Vec::new())));
        sketch
    }

    #[test]
    fn few_ids_are_counted_exactly() {
        let found = sketch((0..1_000).chain(0..10)).estimate();
        assert_eq!(found, Duplicates { distinct: 1_000.0, duplicates: 10.0, error: 0.0 });
    }

    #[test]
    fn many_ids_are_estimated_within_the_stated_error() {
        let ids = || (0..300_000).chain((0..300_000).step_by(100));
        let found = sketch(ids()).estimate();
        assert!((found.distinct / 300_000.0 - 1.0).abs() < 0.03, "{found:?}");
        assert!(found.error > 0.0 && (found.duplicates - 3_000.0).abs() < found.error * 1.5, "{found:?}");
        let mut parts = sketch(ids().filter(|number| number % 2 == 0));
        parts.merge(sketch(ids().filter(|number| number % 2 == 1)));
        assert_eq!(parts.estimate(), found);
        let none = sketch(0..300_000).estimate();
        assert!(none.duplicates == 0.0 && none.error > 0.0);
    }

    #[test]
    fn passes_together_count_exactly() {
        let ids: Vec<u64> = (0..20_000).chain((0..20_000).step_by(7)).collect();
        let mut exact = ExactDuplicates::new(ids.len() as u64, 64 * 1024);
        assert!(exact.passes() > 3, "{}", exact.passes());
        let found = loop {
            ids.iter().for_each(|number| exact.take(&id(*number)));
            assert!(exact.digests.len() * 16 <= 64 * 1024, "{}", exact.digests.len());
            if let Some(found) = exact.end_pass() {
                break found;
            }
        };
        assert_eq!(found, Duplicates { distinct: 20_000.0, duplicates: 2_858.0, error: 0.0 });
    }
}
