//! A uniform sample of the rows, in bounded memory: the rows whose numbers have the smallest hashes. Which rows stay depends
//! on nothing but the seed, however the stream is divided among workers.

use tablesmith_model::value::Value;

use super::batch::Row;
use super::mix::{SAMPLE_SALT, mix};

/// The rows that stayed.
#[derive(Clone, Debug)]
pub(in crate::keys) struct Sample {
    seed: u64,
    most: usize,
    width: usize,
    /// The greatest hash that stays as things are.
    threshold: u64,
    numbers: Vec<u64>,
    values: Vec<Value>,
    bytes: Vec<u64>,
    lines: Vec<u128>,
}

/// A row of the sample.
#[derive(Clone, Copy, Debug)]
pub(in crate::keys) struct Sampled<'s> {
    /// Its number in the stream.
    pub(in crate::keys) number: u64,
    /// Its values.
    pub(in crate::keys) values: &'s [Value],
    /// Its bytes.
    pub(in crate::keys) bytes: u64,
    /// The digest of its line.
    pub(in crate::keys) line: u128,
}

impl Sample {
    pub(super) fn new(seed: u64, most: usize, width: usize) -> Self {
        let (numbers, values, bytes, lines) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self {
            seed: seed ^ SAMPLE_SALT,
            most: most.max(1),
            width,
            threshold: u64::MAX,
            numbers,
            values,
            bytes,
            lines,
        }
    }

    /// Whether a row stays as things are.
    #[inline]
    pub(super) fn wants(&self, number: u64) -> bool {
        mix(self.seed, number) <= self.threshold
    }

    /// Takes a row that is wanted.
    pub(super) fn take(&mut self, number: u64, row: &Row<'_>, line: u128) {
        self.numbers.push(number);
        self.values.extend(row.values.iter().cloned());
        self.bytes.push(row.bytes);
        self.lines.push(line);
        self.thin();
    }

    /// Leaves out what is too much, not one row at a time but a quarter of the sample at once.
    fn thin(&mut self) {
        if self.numbers.len() > self.most + self.most / 4 {
            self.cut();
        }
    }

    /// Leaves out all but as many rows as are wanted.
    fn cut(&mut self) {
        if self.numbers.len() > self.most {
            let mut hashes: Vec<u64> = self.numbers.iter().map(|number| mix(self.seed, *number)).collect();
            let (_, last, _) = hashes.select_nth_unstable(self.most - 1);
            self.lower(*last);
        }
    }

    /// Leaves out rows whose hash is above the threshold.
    fn lower(&mut self, threshold: u64) {
        self.threshold = threshold;
        let stays: Vec<bool> = self.numbers.iter().map(|number| self.wants(*number)).collect();
        let mut value_of = stays.iter().flat_map(|stays| std::iter::repeat_n(*stays, self.width));
        self.values.retain(|_| value_of.next().unwrap_or(false));
        retain(&mut self.numbers, &stays);
        retain(&mut self.bytes, &stays);
        retain(&mut self.lines, &stays);
    }

    /// Adds another sample of the same stream.
    pub(super) fn merge(&mut self, mut other: Self) {
        let threshold = self.threshold.min(other.threshold);
        self.lower(threshold);
        other.lower(threshold);
        self.numbers.append(&mut other.numbers);
        self.values.append(&mut other.values);
        self.bytes.append(&mut other.bytes);
        self.lines.append(&mut other.lines);
        self.thin();
    }

    /// Ends it: as many rows as are wanted, in the order of the stream, whichever worker took them.
    pub(super) fn end(&mut self) {
        self.cut();
        let mut order: Vec<usize> = (0..self.numbers.len()).collect();
        order.sort_unstable_by_key(|place| self.numbers.get(*place));
        let mut values = std::mem::take(&mut self.values);
        let rows: Vec<&mut [Value]> = values.chunks_mut(self.width.max(1)).collect();
        let mut rows: Vec<Option<&mut [Value]>> = rows.into_iter().map(Some).collect();
        for place in &order {
            let row = rows.get_mut(*place).and_then(Option::take).unwrap_or_default();
            self.values.extend(row.iter_mut().map(|value| std::mem::replace(value, Value::Null)));
        }
        self.numbers.sort_unstable();
        self.bytes = in_order(&self.bytes, &order);
        self.lines = in_order(&self.lines, &order);
    }

    /// How many rows it has.
    pub(in crate::keys) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Its rows.
    pub(in crate::keys) fn rows(&self) -> impl Iterator<Item = Sampled<'_>> {
        let values = self.values.chunks(self.width.max(1));
        let rest = self.bytes.iter().zip(&self.lines);
        self.numbers.iter().zip(values).zip(rest).map(|((number, values), (bytes, line))| Sampled {
            number: *number,
            values,
            bytes: *bytes,
            line: *line,
        })
    }

    /// What a random prefix is drawn from.
    pub(super) fn seed(&self) -> u64 {
        self.seed ^ SAMPLE_SALT
    }
}

fn in_order<T: Copy>(list: &[T], order: &[usize]) -> Vec<T> {
    order.iter().filter_map(|place| list.get(*place).copied()).collect()
}

fn retain<T>(list: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    list.retain(|_| stays.next().copied().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(numbers: impl Iterator<Item = u64>) -> Sample {
        let mut sample = Sample::new(1, 1_000, 1);
        for number in numbers {
            if sample.wants(number) {
                let values = [Value::Int(number as i64)];
                sample.take(number, &Row { values: &values, line: None, bytes: number }, 0);
            }
        }
        sample
    }

    #[test]
    fn the_sample_is_the_same_however_the_stream_is_divided() {
        let mut whole = sample(0..50_000);
        let mut parts = sample((0..50_000).filter(|number| number % 3 == 0));
        parts.merge(sample((0..50_000).filter(|number| number % 3 != 0)));
        whole.end();
        parts.end();
        assert_eq!(whole.len(), 1_000);
        assert_eq!(
            (&parts.numbers, &parts.values, &parts.bytes),
            (&whole.numbers, &whole.values, &whole.bytes)
        );
        for row in parts.rows() {
            assert_eq!((row.values, row.bytes), (&[Value::Int(row.number as i64)][..], row.number));
        }
    }

    #[test]
    fn the_sample_is_spread_over_the_stream() {
        let mut whole = sample(0..50_000);
        whole.end();
        let early = whole.numbers.iter().filter(|number| **number < 25_000).count();
        assert!((early as f64 / whole.len() as f64 - 0.5).abs() < 0.06, "{early} of {}", whole.len());
    }
}
