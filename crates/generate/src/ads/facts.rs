//! What is known of the values of one column when all are written: how many there are, different ones, the least, the
//! greatest, the most frequent.
//!
//! All different values are counted as long as they are few; then those whose hash ends in so many zero bits, which
//! halves them each time (Wegman's adaptive sampling, as told by Flajolet, 1990).

use std::collections::{HashMap, HashSet};

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Heavy};

/// Hashes that are kept of a column.
const HASHES_MAX: usize = 1 << 15;
/// A column with more different values has none that is heavy, as far as is told.
const COUNTED_MAX: usize = 64;
/// A value is heavy from this share of the rows on, …
const HEAVY_SHARE: f64 = 0.05;
/// … when it also has so many times the rows that it would have if all values were equally frequent, …
const HEAVY_FACTOR: f64 = 2.0;
/// … and at most so many are told.
const HEAVY_MAX: usize = 5;

/// What was measured of a column while it was written.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Numbers are written without a sign and with the same digits after the point: the longer is the greater.
    are_numbers: bool,
    bytes: u64,
    values: u64,
    least: Vec<u8>,
    greatest: Vec<u8>,
    hashes: HashSet<u64>,
    zero_bits: u32,
    /// Rows of each value; `None` when there are too many different ones.
    counts: Option<HashMap<Vec<u8>, u64>>,
}

impl Facts {
    /// Nothing yet, of a column of this type.
    pub fn new(value_type: ValueType) -> Self {
        Self {
            are_numbers: matches!(value_type, ValueType::Int | ValueType::Decimal),
            bytes: 0,
            values: 0,
            least: Vec::new(),
            greatest: Vec::new(),
            hashes: HashSet::new(),
            zero_bits: 0,
            counts: Some(HashMap::new()),
        }
    }

    /// Sees a value; an empty text is none.
    pub fn see(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.values += 1;
        self.bytes += text.len() as u64;
        if let Some(counts) = &mut self.counts {
            if let Some(count) = counts.get_mut(text) {
                // What has come before changes nothing else.
                *count += 1;
                return;
            }
            counts.insert(text.to_vec(), 1);
            if counts.len() > COUNTED_MAX {
                self.counts = None;
            }
        }
        let place = |text: &[u8]| if self.are_numbers { text.len() } else { 0 };
        if self.least.is_empty() || (place(text), text) < (place(&self.least), self.least.as_slice()) {
            self.least = text.to_vec();
        }
        if (place(text), text) > (place(&self.greatest), self.greatest.as_slice()) {
            self.greatest = text.to_vec();
        }
        self.see_hash(hash(text));
    }

    fn see_hash(&mut self, hash: u64) {
        if hash.trailing_zeros() >= self.zero_bits
            && self.hashes.insert(hash)
            && self.hashes.len() > HASHES_MAX
        {
            self.zero_bits += 1;
            let zero_bits = self.zero_bits;
            self.hashes.retain(|hash| hash.trailing_zeros() >= zero_bits);
        }
    }

    /// How many different values there are, or about so many.
    fn distinct(&self) -> u64 {
        ((self.hashes.len() as u64) << self.zero_bits).min(self.values)
    }

    fn heavy(&self, rows: u64) -> Vec<Heavy> {
        let even = rows as f64 / self.distinct().max(1) as f64;
        let at_least = (rows as f64 * HEAVY_SHARE).max(even * HEAVY_FACTOR);
        let counted = self.counts.iter().flatten().filter(|(_, count)| **count as f64 >= at_least);
        let mut most: Vec<(&Vec<u8>, &u64)> = counted.collect();
        most.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        let told = most.into_iter().take(HEAVY_MAX);
        told.map(|(value, count)| Heavy {
            value: String::from_utf8_lossy(value).into_owned(),
            share: rounded(*count as f64 / rows as f64, 10_000.0),
        })
        .collect()
    }

    /// The column of this name in a table of so many rows.
    pub fn column(&self, name: &str, value_type: ValueType, rows: u64) -> Column {
        let nulls = rows.saturating_sub(self.values);
        let text = |bytes: &[u8]| (self.values > 0).then(|| String::from_utf8_lossy(bytes).into_owned());
        Column {
            distinct: Some(self.distinct()),
            bytes: (self.values > 0).then(|| rounded(self.bytes as f64 / self.values as f64, 100.0)),
            nulls: (nulls > 0).then(|| rounded(nulls as f64 / rows as f64, 10_000.0)),
            min: text(&self.least),
            max: text(&self.greatest),
            heavy: self.heavy(rows),
            ..Column::new(name, value_type)
        }
    }
}

fn rounded(number: f64, unit: f64) -> f64 {
    (number * unit).round() / unit
}

/// A hash of a short text whose last bits are as good as its first: eight bytes at a time, then the last step of
/// SplitMix64.
fn hash(text: &[u8]) -> u64 {
    let mixed = text.chunks(8).fold(text.len() as u64, |mixed, chunk| {
        let eight = chunk.iter().fold(0, |eight, byte| eight << 8 | u64::from(*byte));
        (mixed.rotate_left(23) ^ eight).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value_type: ValueType, values: impl Iterator<Item = String>) -> Facts {
        let mut facts = Facts::new(value_type);
        values.for_each(|value| facts.see(value.as_bytes()));
        facts
    }

    #[test]
    fn numbers_end_where_they_do() {
        let facts = of(ValueType::Int, (1..=1_000).rev().map(|number| number.to_string()));
        let column = facts.column("n", ValueType::Int, 2_000);
        assert_eq!((column.min.as_deref(), column.max.as_deref()), (Some("1"), Some("1000")));
        assert_eq!((column.distinct, column.nulls, column.heavy.len()), (Some(1_000), Some(0.5), 0));
        let amounts = of(ValueType::Decimal, ["9.50", "10.25", "0.00"].map(str::to_owned).into_iter());
        let column = amounts.column("a", ValueType::Decimal, 3);
        assert_eq!((column.min.as_deref(), column.max.as_deref()), (Some("0.00"), Some("10.25")));
    }

    #[test]
    fn many_different_values_are_estimated_within_bounds() {
        let facts = of(ValueType::String, (0..400_000).map(|number| format!("name {number}")));
        let distinct = facts.distinct() as f64;
        assert!((distinct / 400_000.0 - 1.0).abs() < 0.03, "{distinct}");
        assert!(facts.hashes.len() <= HASHES_MAX && facts.counts.is_none());
    }

    #[test]
    fn frequent_values_are_heavy() {
        let words =
            (0..100).map(|row| if row < 60 { "usual".to_owned() } else { format!("other {}", row % 10) });
        let column = of(ValueType::String, words).column("w", ValueType::String, 100);
        assert_eq!(column.heavy, [Heavy { value: "usual".to_owned(), share: 0.6 }]);
    }

    #[test]
    fn nothing_is_known_of_a_column_without_values() {
        let column = Facts::new(ValueType::Int).column("n", ValueType::Int, 3);
        assert_eq!((column.distinct, column.min, column.bytes), (Some(0), None, None));
    }
}
