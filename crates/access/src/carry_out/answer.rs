//! The rows of an answer: counted, hashed, and cut off where a limit says so.

use std::collections::BinaryHeap;

use tablesmith_model::plan::Read;
use tablesmith_model::value::{KeyEncoding, Value, ValueType};
use tablesmith_store::Row;
use xxhash_rust::xxh3::xxh3_64;

use super::decode::Decoder;
use crate::error::AccessError;

/// The rows of an answer so far.
#[derive(Default)]
pub(crate) struct Answers {
    rows: u64,
    /// The sum of the rows' hashes: it is the same in every order.
    sum: u64,
    /// The bytes of a row, used again for every one.
    bytes: Vec<u8>,
    reading: Reading,
}

/// The read that is going on.
#[derive(Default)]
struct Reading {
    rows: u64,
    sum: u64,
    limit: Option<u64>,
    /// Whether which rows are left at the limit is said.
    has_place: bool,
    /// The place that rows come after, when the store does not hand them out in that order: then the first of those seen
    /// are kept.
    first: Option<Vec<Value>>,
    kept: BinaryHeap<(Vec<Value>, u64)>,
}

impl Answers {
    /// Begins with the rows of a read.
    pub fn begin(&mut self, read: &Read) {
        let first = read.place.as_ref().filter(|place| !place.in_key_order).map(|place| place.values.clone());
        let has_place = read.place.is_some();
        self.reading = Reading { limit: read.limit, has_place, first, ..Reading::default() };
    }

    /// Whether no more rows are wanted.
    pub fn is_full(&self) -> bool {
        self.room() == Some(0)
    }

    /// How many more rows are wanted, when the first that come are.
    pub fn room(&self) -> Option<u64> {
        let Reading { rows, limit, first, .. } = &self.reading;
        limit.filter(|_| first.is_none()).map(|limit| limit.saturating_sub(*rows))
    }

    /// Takes a row, if it meets the conditions.
    pub(super) fn take(&mut self, decoder: &mut Decoder<'_>, row: &Row) -> Result<(), AccessError> {
        if !decoder.decode(row)? {
            return Ok(());
        }
        let hash = self.hash(decoder.values());
        let reading = &mut self.reading;
        match &reading.first {
            None => {
                reading.rows += 1;
                reading.sum = reading.sum.wrapping_add(hash);
            }
            Some(first) => {
                let place = decoder.place();
                if place >= *first {
                    reading.kept.push((place, hash));
                }
                if reading.kept.len() as u64 > reading.limit.unwrap_or(u64::MAX) {
                    reading.kept.pop();
                }
            }
        }
        Ok(())
    }

    /// Takes a row that meets the conditions, by its values; only where no place is said.
    pub fn take_values<'v>(&mut self, values: impl Iterator<Item = (&'v Value, ValueType)>) {
        let hash = self.hash(values);
        self.reading.rows += 1;
        self.reading.sum = self.reading.sum.wrapping_add(hash);
    }

    /// The hash of a row's values in the binary encoding of keys: one code for each value, and none is the beginning of
    /// another.
    fn hash<'v>(&mut self, values: impl Iterator<Item = (&'v Value, ValueType)>) -> u64 {
        self.bytes.clear();
        for (value, value_type) in values {
            // A value was decoded by its type, so it always goes in.
            let _ = KeyEncoding::Binary.encode(value_type, value, &mut self.bytes);
        }
        xxh3_64(&self.bytes)
    }

    /// Adds up the rows of a read.
    pub fn end(&mut self) {
        let mut reading = std::mem::take(&mut self.reading);
        for (_, hash) in reading.kept.drain() {
            reading.rows += 1;
            reading.sum = reading.sum.wrapping_add(hash);
        }
        let is_cut = !reading.has_place && reading.limit.is_some_and(|limit| reading.rows >= limit);
        if is_cut {
            reading.sum = 0;
        }
        self.rows += reading.rows;
        self.sum = self.sum.wrapping_add(reading.sum);
    }

    /// The number of rows and the hash of all of them.
    pub fn finish(&self) -> (u64, u64) {
        let mut bytes = [0; 16];
        let (rows, sum) = bytes.split_at_mut(8);
        rows.copy_from_slice(&self.rows.to_be_bytes());
        sum.copy_from_slice(&self.sum.to_be_bytes());
        (self.rows, xxh3_64(&bytes))
    }
}
