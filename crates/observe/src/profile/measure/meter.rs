//! The meter of one column: everything that is measured of its values, in one pass.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::Heavy;

use super::extremes::{Extremes, Possible};
use super::frequent::Frequent;
use super::order::Order;
use super::type_guess::TypeGuess;
use super::{UniqueSample, hash};
use crate::profile::found::{Certainty, ColumnProfile, Count};

/// At most so many heavy values are told.
const HEAVY: usize = 5;
/// A value is heavy from this share of the rows on, …
const HEAVY_SHARE: f64 = 0.05;
/// … when it also has so many times the rows that it would have if all values were equally frequent.
const HEAVY_FACTOR: f64 = 2.0;

/// What was measured of a column so far.
#[derive(Debug)]
pub struct Meter {
    values: u64,
    nulls: u64,
    bytes: u64,
    not_utf8: u64,
    declared: Option<ValueType>,
    guess: TypeGuess,
    frequent: Frequent,
    extremes: Extremes,
    order: Order,
    sample: UniqueSample,
}

impl Meter {
    /// A meter that compares up to `room` values for uniqueness, of a column that may say its type itself.
    pub fn new(declared: Option<ValueType>, room: usize) -> Self {
        Self {
            values: 0,
            nulls: 0,
            bytes: 0,
            not_utf8: 0,
            declared,
            guess: TypeGuess::default(),
            frequent: Frequent::default(),
            extremes: Extremes::default(),
            order: Order::default(),
            sample: UniqueSample::with_room(room),
        }
    }

    /// Rows without a value.
    pub fn see_nulls(&mut self, rows: u64) {
        self.nulls += rows;
    }

    /// A value. `quoted` is said of text in formats that mark it; `ascii` when all of it is known to be so.
    pub fn see(&mut self, value: &[u8], quoted: bool, ascii: bool) {
        self.values += 1;
        self.bytes += value.len() as u64;
        if !ascii && self.declared.is_none() && std::str::from_utf8(value).is_err() {
            self.not_utf8 += 1;
        }
        if self.declared.is_none() {
            self.guess.see(value, quoted);
        }
        let hash = hash(value);
        self.order.see(value);
        // Most values have come before, and change no end.
        if self.frequent.see(hash, value) {
            self.extremes.see(value, self.possible());
        }
        self.sample.see(hash);
    }

    /// What was found.
    pub fn finish(self, name: &str) -> ColumnProfile {
        let value_type = self.value_type();
        let as_numbers = matches!(value_type, ValueType::Int | ValueType::Float | ValueType::Decimal);
        let rows = self.values + self.nulls;
        let (distinct, unique, heavy) = (self.distinct(), self.unique(as_numbers), self.heavy(rows));
        let (min, max) = self.extremes.of_type(value_type);
        ColumnProfile {
            name: name.to_owned(),
            value_type,
            distinct,
            mean_bytes: (self.values > 0).then(|| self.bytes as f64 / self.values as f64),
            nulls: self.nulls,
            monotone: self.order.is_monotone(as_numbers),
            unique,
            heavy,
            min,
            max,
            not_utf8: self.not_utf8,
        }
    }

    fn possible(&self) -> Possible {
        match self.declared {
            None => self.guess.possible(),
            Some(value_type) => Possible {
                numbers: matches!(value_type, ValueType::Int | ValueType::Float | ValueType::Decimal),
                times: matches!(value_type, ValueType::Date | ValueType::Timestamp),
            },
        }
    }

    /// An estimate may be above what there is.
    fn distinct(&self) -> Count {
        let Count { count, exact } = self.frequent.distinct();
        Count { count: count.min(self.values), exact }
    }

    /// A few stray bytes in a column of text do not make it binary.
    fn value_type(&self) -> ValueType {
        let is_binary = self.not_utf8.saturating_mul(100) > self.values;
        let guessed = if is_binary { ValueType::Bytes } else { self.guess.answer() };
        self.declared.unwrap_or(guessed)
    }

    fn unique(&self, as_numbers: bool) -> Option<Certainty> {
        if self.nulls > 0 || self.values == 0 {
            None
        } else if self.order.is_strict(as_numbers) {
            Some(Certainty::Certain)
        } else {
            self.sample.certainty()
        }
    }

    fn heavy(&self, rows: u64) -> Vec<Heavy> {
        let even = rows as f64 / self.distinct().count.max(1) as f64;
        let at_least = (rows as f64 * HEAVY_SHARE).max(even * HEAVY_FACTOR).max(2.0);
        let most = self.frequent.most(HEAVY, at_least.ceil() as u64);
        most.into_iter().map(|(value, count)| Heavy { value, share: count as f64 / rows as f64 }).collect()
    }
}
