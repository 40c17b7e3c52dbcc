//! Keys of the sampled rows, in order: split points and loads of strategies whose keys say nothing beforehand.

use tablesmith_model::key::{KeyEncodeError, KeyInput};
use tablesmith_model::value::Value;

use super::grid::Grid;
use super::mix::mix;
use super::plan::{Plan, Planned, Source};
use super::sample::{Sample, Sampled};
use super::tally::Tally;
use crate::keys::setup::IdColumn;
use crate::keys::splits::prefix::Leading;
use crate::keys::splits::quantile::{self, Weighed};
use crate::keys::splits::{SplitError, SplitMethod, Weight, region_splitter};

/// Keys one behind the other, and their order.
#[derive(Debug)]
pub(super) struct SampledKeys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Places of the rows, sorted by key.
    order: Vec<u32>,
}

/// A sampled row as the codec wants it.
struct Input<'s> {
    columns: &'s [IdColumn],
    row: Sampled<'s>,
    random: u64,
}

impl KeyInput for Input<'_> {
    fn value(&self, field: &str) -> Option<&Value> {
        let place = self.columns.iter().position(|column| column.name == field)?;
        self.row.values.get(place)
    }

    fn random_below(&mut self, bound: u64) -> Option<u64> {
        Some(((u128::from(self.random) * u128::from(bound)) >> 64) as u64)
    }
}

impl SampledKeys {
    /// The keys of the first rows of the sample, at most so many; the reason when a row gets none.
    pub(super) fn new(
        plan: &Plan,
        planned: &Planned,
        sample: &Sample,
        most: usize,
    ) -> Result<Self, KeyEncodeError> {
        let mut keys = Self { bytes: Vec::new(), ends: Vec::new(), order: Vec::new() };
        for row in sample.rows().take(most) {
            encode(plan, planned, sample.seed(), row, &mut keys.bytes)?;
            keys.ends.push(keys.bytes.len());
        }
        keys.sort();
        Ok(keys)
    }

    /// The key of a row.
    pub(super) fn key(&self, place: usize) -> &[u8] {
        let begin = place.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(place).and_then(|end| self.bytes.get(begin..*end)).unwrap_or_default()
    }

    /// Bytes of a key, on average.
    pub(super) fn mean_bytes(&self) -> f64 {
        self.bytes.len() as f64 / self.ends.len().max(1) as f64
    }

    /// The keys in order.
    pub(super) fn sorted(&self) -> impl Iterator<Item = &[u8]> {
        self.order.iter().map(|place| self.key(*place as usize))
    }

    /// Sorts by the first eight bytes in which keys differ, and looks further only where these are equal.
    fn sort(&mut self) {
        let skip = self.common();
        let head = |place: usize| {
            let mut head = [0; 8];
            head.iter_mut().zip(self.key(place).iter().skip(skip)).for_each(|(head, byte)| *head = *byte);
            u64::from_be_bytes(head)
        };
        let mut heads: Vec<(u64, u32)> =
            (0..self.ends.len()).map(|place| (head(place), place as u32)).collect();
        heads.sort_unstable_by(|(one, first), (two, second)| {
            let keys = || self.key(*first as usize).cmp(self.key(*second as usize));
            one.cmp(two).then_with(keys).then(first.cmp(second))
        });
        self.order = heads.into_iter().map(|(_, place)| place).collect();
    }

    /// How many bytes all keys begin with alike.
    fn common(&self) -> usize {
        let first = self.key(0);
        (1..self.ends.len()).fold(first.len(), |common, place| {
            let (one, two) = (first.iter().take(common), self.key(place));
            one.zip(two).take_while(|(one, two)| one == two).count()
        })
    }

    /// The split points of a number of regions.
    pub(super) fn splits(
        &self,
        method: SplitMethod,
        leading: Option<Leading>,
        weighed: &[Weighed<'_>],
        regions: usize,
        encoding: tablesmith_model::value::KeyEncoding,
    ) -> Result<Vec<Vec<u8>>, SplitError> {
        match (method, leading) {
            (SplitMethod::Prefix, Some(leading)) => Ok(leading.splits(regions, encoding)),
            (SplitMethod::Prefix | SplitMethod::Quantile, _) => Ok(quantile::splits(weighed, regions)),
            (SplitMethod::Hex, _) => region_splitter::hex(regions),
            (SplitMethod::Uniform, _) => region_splitter::uniform(regions),
            (SplitMethod::Decimal, _) => region_splitter::decimal(regions),
        }
    }

    /// The keys in order with what they weigh.
    pub(super) fn weighed(&self, weight: Weight, sample: &Sample) -> Vec<Weighed<'_>> {
        let bytes: Vec<u64> = match weight {
            Weight::Bytes => sample.rows().map(|row| row.bytes).collect(),
            Weight::Rows | Weight::Writes => Vec::new(),
        };
        let of = |place: u32| match weight {
            Weight::Bytes => bytes.get(place as usize).copied().unwrap_or(1),
            Weight::Rows | Weight::Writes => 1,
        };
        let mut weighed: Vec<Weighed<'_>> =
            self.order.iter().map(|place| (self.key(*place as usize), of(*place))).collect();
        if weight == Weight::Rows {
            weighed.dedup_by_key(|(key, _)| *key);
        }
        weighed
    }

    /// Counts the sampled rows by slice and cell.
    pub(super) fn tally(&self, grid: &Grid<Vec<u8>>, sample: &Sample, shift: u32) -> Tally {
        let mut tally = Tally::new(grid.cells());
        let rows: Vec<(u64, u64)> = sample.rows().map(|row| (row.number, row.bytes)).collect();
        let mut cell = 0;
        for place in &self.order {
            let key = self.key(*place as usize);
            while grid.bounds.get(cell).is_some_and(|bound| bound.as_slice() <= key) {
                cell += 1;
            }
            let (number, bytes) = rows.get(*place as usize).copied().unwrap_or_default();
            let slice = (number >> shift) as usize;
            tally.reach(slice);
            tally.add(slice, cell, bytes);
        }
        tally
    }
}

/// Appends the key of a row: the line of a prefix over lines is gone, but its digest is there.
fn encode(
    plan: &Plan,
    planned: &Planned,
    seed: u64,
    row: Sampled<'_>,
    out: &mut Vec<u8>,
) -> Result<(), KeyEncodeError> {
    let mut input = Input { columns: &plan.columns, row, random: mix(seed, row.number) };
    match (planned.leading, &planned.tail) {
        (Some((Leading::Remainder(modulus), Source::Line)), Some(tail)) => {
            let rest = row.line % u128::from(modulus.get());
            modulus.encode(planned.strategy.key.encoding, u64::try_from(rest).unwrap_or(0), out);
            tail.encode_into(&mut input, out)
        }
        _ => planned.codec.encode_into(&mut input, out),
    }
}
