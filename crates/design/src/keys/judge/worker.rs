//! Counts the rows of its part of every batch: first all digests of a block, then one counter after the other, so that
//! each works on what it has at hand.

use tablesmith_model::key::digest;
use tablesmith_model::value::Value;

use super::batch::{Batch, Row};
use super::mix::mix;
use super::plan::{Counter, Measure, Plan, Source};
use super::sample::Sample;
use super::tally::{FIRST_SHIFT, MOST_SLICES, Tally};
use crate::keys::duplicates::{IdSketch, digest_of};

/// Rows that are worked on together.
const BLOCK: usize = 256;

/// What one worker has counted.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    /// Rows of a slice, as a power of two.
    pub(super) shift: u32,
    pub(super) tallies: Vec<Tally>,
    /// The row at which a counter gave up, and why.
    pub(super) failed: Vec<Option<(u64, String)>>,
    pub(super) sample: Sample,
    pub(super) ids: IdSketch,
    pub(super) entities: IdSketch,
    pub(super) bytes: u64,
    block: Block,
}

/// A block's digests, one list for each set of columns and one for the lines.
#[derive(Clone, Debug, Default)]
struct Block {
    text: Vec<u8>,
    digests: Vec<Vec<u128>>,
    lines: Vec<u128>,
    numbers: Vec<u64>,
}

impl Worker {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            shift: FIRST_SHIFT,
            tallies: plan.counters.iter().map(|counter| Tally::new(counter.cells)).collect(),
            failed: vec![None; plan.counters.len()],
            sample: Sample::new(plan.setup.seed, plan.sample_rows(), plan.columns.len()),
            ids: IdSketch::default(),
            entities: IdSketch::default(),
            bytes: 0,
            block: Block { digests: vec![Vec::new(); plan.digests.len()], ..Block::default() },
        }
    }

    /// Counts some rows of a batch whose first row has the number `first`.
    pub(super) fn take(&mut self, plan: &Plan, batch: &Batch, rows: std::ops::Range<usize>, first: u64) {
        let end = rows.end;
        for begin in rows.step_by(BLOCK) {
            let rows = begin..(begin + BLOCK).min(end);
            let first = first + begin as u64;
            self.reach(first + rows.len().saturating_sub(1) as u64);
            self.digest(plan, batch, rows.clone());
            self.sketch(plan, batch, rows.clone(), first);
            for (index, counter) in plan.counters.iter().enumerate() {
                self.count(plan.setup.seed, index, counter, batch, rows.clone(), first);
            }
        }
    }

    /// Widens the slices until the row of this number is in one of them, and makes room for it.
    fn reach(&mut self, number: u64) {
        while number >> self.shift >= MOST_SLICES as u64 {
            self.widen();
        }
        let slice = (number >> self.shift) as usize;
        self.tallies.iter_mut().for_each(|tally| tally.reach(slice));
    }

    fn widen(&mut self) {
        self.tallies.iter_mut().for_each(Tally::halve);
        self.shift += 1;
    }

    fn digest(&mut self, plan: &Plan, batch: &Batch, rows: std::ops::Range<usize>) {
        let Block { text, digests, lines, .. } = &mut self.block;
        for (digests, columns) in digests.iter_mut().zip(&plan.digests) {
            digests.clear();
            digests.extend(rows.clone().map(|index| {
                let values = batch.row(index).map_or(&[][..], |row| row.values);
                digest_of(columns.iter().filter_map(|column| values.get(*column)), text)
            }));
        }
        lines.clear();
        if plan.needs_line {
            let line = |index| batch.row(index).and_then(|row| row.line).unwrap_or_default();
            lines.extend(rows.map(|index| u128::from_be_bytes(digest::of_bytes(line(index)))));
        }
    }

    /// Shows the block to the sample and the sketches.
    fn sketch(&mut self, plan: &Plan, batch: &Batch, rows: std::ops::Range<usize>, first: u64) {
        self.block.digests.first().into_iter().flatten().for_each(|digest| self.ids.take(*digest));
        let entities = plan.entity_digest.and_then(|entity| self.block.digests.get(entity));
        entities.into_iter().flatten().for_each(|digest| self.entities.take(*digest));
        for ((index, number), place) in rows.zip(first..).zip(0..) {
            let Some(row) = batch.row(index) else { continue };
            self.bytes += row.bytes;
            if self.sample.wants(number) {
                self.sample.take(number, &row, self.block.lines.get(place).copied().unwrap_or(0));
            }
        }
    }

    fn count(
        &mut self,
        seed: u64,
        index: usize,
        counter: &Counter,
        batch: &Batch,
        rows: std::ops::Range<usize>,
        first: u64,
    ) {
        let (Some(tally), Some(failed)) = (self.tallies.get_mut(index), self.failed.get_mut(index)) else {
            return;
        };
        if failed.is_some() {
            return;
        }
        let Block { digests, lines, numbers, .. } = &mut self.block;
        numbers.clear();
        match counter.source {
            Source::Digest(place) => {
                let digests = digests.get(place).map(Vec::as_slice).unwrap_or_default();
                numbers.extend(digests.iter().map(|digest| counter.measure.of_digest(*digest)));
            }
            Source::Line
                if rows.clone().any(|index| batch.row(index).is_none_or(|row| row.line.is_none())) =>
            {
                *failed =
                    Some((first, "the rows have no lines: they come from a file without lines".to_owned()));
            }
            Source::Line => numbers.extend(lines.iter().map(|digest| counter.measure.of_digest(*digest))),
            Source::Random => {
                let random = (first..).take(rows.len()).map(|number| mix(seed, number));
                numbers.extend(random.map(|random| counter.measure.of_random(random)));
            }
            Source::Number(column) => {
                for (row, number) in rows.clone().filter_map(|index| batch.row(index)).zip(first..) {
                    match counter.measure.of_value(row.values.get(column).unwrap_or(&Value::Null)) {
                        Some(rest) => numbers.push(rest),
                        None if failed.is_none() => *failed = Some((number, no_number(&row, column, number))),
                        None => {}
                    }
                }
            }
        }
        if failed.is_some() {
            return;
        }
        let (finder, shift) = (&counter.finder, self.shift);
        for ((number, index), row) in numbers.iter().zip(rows).zip(first..) {
            let bytes = batch.row(index).map_or(0, |row| row.bytes);
            tally.add((row >> shift) as usize, finder.cell(*number), bytes);
        }
    }

    /// Adds what another worker counted of the same stream.
    pub(super) fn merge(&mut self, mut other: Self) {
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
    }
}

fn no_number(row: &Row<'_>, column: usize, number: u64) -> String {
    let value = row.values.get(column).unwrap_or(&Value::Null);
    format!(
        "mod needs whole numbers, and row {} has {value}: take md5_mod, which takes anything",
        number + 1
    )
}

impl Measure {
    #[inline]
    pub(super) fn of_digest(self, digest: u128) -> u64 {
        match self {
            Self::Remainder(reducer, _) => reducer.of_digest(digest),
            Self::Top => (digest >> 96) as u64,
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
