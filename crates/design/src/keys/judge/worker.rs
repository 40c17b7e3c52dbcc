//! Counts the rows of its part of every batch: first all digests of a block, then one counter after the other, so that
//! each works on what it has at hand.

use std::ops::Range;

use tablesmith_model::value::Value;

use super::batch::Batch;
use super::lanes::Hasher;
use super::mix::mix;
use super::plan::{Counter, Measure, Plan, Source};
use super::sample::Sample;
use super::tally::{FIRST_SHIFT, MOST_SLICES, Tally};
use crate::keys::duplicates::{IdSketch, with_text};

/// Rows that are worked on together.
const BLOCK: usize = 512;

/// What one worker has counted.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    /// Rows of a slice, as a power of two.
    pub(super) shift: u32,
    /// The slice that is counted in, in slices of that width.
    slice: Option<u64>,
    pub(super) tallies: Vec<Tally>,
    /// The row at which a counter gave up, and why.
    pub(super) failed: Vec<Option<(u64, String)>>,
    pub(super) sample: Sample,
    pub(super) ids: IdSketch,
    pub(super) entities: IdSketch,
    pub(super) bytes: u64,
    /// Rows whose id has no value at all.
    pub(super) empty_ids: u64,
    /// Whether a line was wanted that is not there.
    pub(super) lacks_lines: bool,
    block: Block,
}

/// A block's digests, one list for each set of columns and one for the lines.
#[derive(Clone, Debug, Default)]
struct Block {
    text: Vec<u8>,
    hasher: Hasher,
    digests: Vec<Vec<u128>>,
    lines: Vec<u128>,
    numbers: Vec<u64>,
}

/// Rows of a batch, and the number of the first of them in the stream.
struct Stretch {
    rows: Range<usize>,
    first: u64,
}

impl Block {
    /// Hashes what the counters need.
    fn digest(&mut self, plan: &Plan, batch: &Batch, stretch: &Stretch) {
        for (digests, columns) in self.digests.iter_mut().zip(&plan.digests) {
            digests.clear();
            for index in stretch.rows.clone() {
                let row = batch.values(index);
                let values = columns.iter().filter_map(|column| row.get(*column));
                with_text(values, &mut self.text, |text| self.hasher.push(text, digests));
            }
            self.hasher.finish(digests);
        }
        self.lines.clear();
        if plan.needs_line {
            for index in stretch.rows.clone() {
                self.hasher.push(batch.line(index).unwrap_or_default(), &mut self.lines);
            }
            self.hasher.finish(&mut self.lines);
        }
    }

    /// The leading number of each row's key, or the first row that has none and why.
    fn measure(
        &mut self,
        seed: u64,
        counter: &Counter,
        batch: &Batch,
        stretch: &Stretch,
    ) -> Result<(), (u64, String)> {
        let (measure, numbers) = (counter.measure, &mut self.numbers);
        let rows = stretch.rows.clone();
        if counter.source != Source::Before {
            numbers.clear();
        }
        match counter.source {
            Source::Before => numbers.iter_mut().for_each(|number| *number = measure.of_number(*number)),
            Source::Digest(place) => {
                let digests = self.digests.get(place).map(Vec::as_slice).unwrap_or_default();
                numbers.extend(digests.iter().map(|digest| measure.of_digest(*digest)));
            }
            Source::Line => numbers.extend(self.lines.iter().map(|digest| measure.of_digest(*digest))),
            Source::Random => {
                let random = (stretch.first..).take(rows.len()).map(|number| mix(seed, number));
                numbers.extend(random.map(|random| measure.of_random(random)));
            }
            Source::Number(column) => {
                for (index, number) in rows.zip(stretch.first..) {
                    let value = batch.values(index).get(column).unwrap_or(&Value::Null);
                    let rest = measure.of_value(value);
                    numbers.push(rest.ok_or_else(|| (number, no_number(value, number)))?);
                }
            }
        }
        Ok(())
    }
}

impl Worker {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            shift: FIRST_SHIFT,
            slice: None,
            tallies: plan.counters.iter().map(|counter| Tally::new(counter.cells)).collect(),
            failed: vec![None; plan.counters.len()],
            sample: Sample::new(plan.setup.seed, plan.sample_rows(), plan.columns.len()),
            ids: IdSketch::default(),
            entities: IdSketch::default(),
            bytes: 0,
            empty_ids: 0,
            lacks_lines: false,
            block: Block { digests: vec![Vec::new(); plan.digests.len()], ..Block::default() },
        }
    }

    /// Counts some rows of a batch whose first row has the number `first`.
    pub(super) fn take(&mut self, plan: &Plan, batch: &Batch, rows: Range<usize>, first: u64) {
        let mut begin = rows.start;
        while begin < rows.end {
            let number = first + begin as u64;
            let in_slice = usize::try_from(self.enter(number) - number).unwrap_or(BLOCK);
            let end = (begin + BLOCK.min(in_slice)).min(rows.end);
            let stretch = Stretch { rows: begin..end, first: number };
            self.block.digest(plan, batch, &stretch);
            self.sketch(plan, batch, &stretch);
            for (index, counter) in plan.counters.iter().enumerate() {
                self.count(plan.setup.seed, index, counter, batch, &stretch);
            }
            begin = end;
        }
    }

    /// Enters the slice of a row, and says with which row the next one begins. Slices grow until the row is in one of them.
    fn enter(&mut self, number: u64) -> u64 {
        while number >> self.shift >= MOST_SLICES as u64 {
            self.widen();
        }
        let slice = number >> self.shift;
        if self.slice != Some(slice) {
            self.slice = Some(slice);
            self.tallies.iter_mut().for_each(|tally| tally.enter(slice as usize));
        }
        (slice + 1) << self.shift
    }

    fn widen(&mut self) {
        self.settle();
        self.tallies.iter_mut().for_each(Tally::halve);
        self.shift += 1;
    }

    /// Puts what was counted last to the rest.
    pub(super) fn settle(&mut self) {
        self.slice = None;
        self.tallies.iter_mut().for_each(Tally::settle);
    }

    /// Shows the block to the sample and the sketches.
    fn sketch(&mut self, plan: &Plan, batch: &Batch, stretch: &Stretch) {
        self.block.digests.first().into_iter().flatten().for_each(|digest| self.ids.take(*digest));
        let entities = plan.entity_digest.and_then(|entity| self.block.digests.get(entity));
        entities.into_iter().flatten().for_each(|digest| self.entities.take(*digest));
        self.lacks_lines |= plan.needs_line && batch.lacks_lines(stretch.rows.clone());
        self.bytes += batch.bytes(stretch.rows.clone()).iter().sum::<u64>();
        for ((index, number), place) in stretch.rows.clone().zip(stretch.first..).zip(0..) {
            self.empty_ids += u64::from(batch.values(index).iter().take(plan.setup.id.len()).all(is_empty));
            if !self.sample.wants(number) {
                continue;
            }
            if let Some(row) = batch.row(index) {
                self.sample.take(number, &row, self.block.lines.get(place).copied().unwrap_or(0));
            }
        }
    }

    /// Counts the block's rows by the leading number of one key.
    fn count(&mut self, seed: u64, index: usize, counter: &Counter, batch: &Batch, stretch: &Stretch) {
        if counter.source == Source::Before {
            self.fail_as_before(index);
        }
        let (Some(tally), Some(failed)) = (self.tallies.get_mut(index), self.failed.get_mut(index)) else {
            return;
        };
        if failed.is_some() {
            return;
        }
        if let Err(reason) = self.block.measure(seed, counter, batch, stretch) {
            *failed = Some(reason);
            return;
        }
        for (number, bytes) in self.block.numbers.iter().zip(batch.bytes(stretch.rows.clone())) {
            tally.count(counter.finder.cell(*number), *bytes);
        }
    }

    /// A counter that rests on the one before it fails with it.
    fn fail_as_before(&mut self, index: usize) {
        let before = index.checked_sub(1).and_then(|before| self.failed.get(before)).cloned().flatten();
        if let Some(failed) = self.failed.get_mut(index) {
            *failed = failed.take().or(before);
        }
    }

    /// Adds what another worker counted of the same stream.
    pub(super) fn merge(&mut self, mut other: Self) {
        self.settle();
        other.settle();
        while self.shift < other.shift {
            self.widen();
        }
        while other.shift < self.shift {
            other.widen();
        }
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(own, other)| own.merge(other));
        for (own, other) in self.failed.iter_mut().zip(other.failed) {
            *own = own.take().into_iter().chain(other).min();
        }
        self.sample.merge(other.sample);
        self.ids.merge(other.ids);
        self.entities.merge(other.entities);
        self.bytes += other.bytes;
        self.empty_ids += other.empty_ids;
        self.lacks_lines |= other.lacks_lines;
    }
}

/// Whether a value says nothing.
#[inline]
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

fn no_number(value: &Value, number: u64) -> String {
    format!("mod needs whole numbers, and row {} has {value}: take md5_mod, which takes anything", number + 1)
}

impl Measure {
    #[inline]
    pub(super) fn of_digest(self, digest: u128) -> u64 {
        match self {
            Self::Remainder(reducer, _) => reducer.of_digest(digest),
            Self::Top => (digest >> 96) as u64,
        }
    }

    /// The remainder of a number.
    #[inline]
    pub(super) fn of_number(self, number: u64) -> u64 {
        match self {
            Self::Remainder(reducer, _) => reducer.of(number),
            Self::Top => number,
        }
    }

    #[inline]
    pub(super) fn of_random(self, random: u64) -> u64 {
        match self {
            Self::Remainder(reducer, _) => reducer.scaled(random),
            Self::Top => random >> 32,
        }
    }

    #[inline]
    pub(super) fn of_value(self, value: &Value) -> Option<u64> {
        match (self, value) {
            (Self::Remainder(reducer, _), Value::Int(number)) if *number >= 0 => {
                Some(reducer.of(number.unsigned_abs()))
            }
            (Self::Remainder(_, modulus), value) => modulus.remainder_of(value),
            (Self::Top, _) => None,
        }
    }
}
