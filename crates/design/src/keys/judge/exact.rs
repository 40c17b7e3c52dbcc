//! A second pass over the same rows, with the split points known: what was sampled is counted.

use tablesmith_model::key::{KeyCodec, KeyInput};
use tablesmith_model::value::Value;

use super::batch::Row;
use super::grid::Grid;
use super::judgement::{Accuracy, Heat, Judged, Judgement};
use super::loads::Loads;
use super::mix::mix;
use super::tally::Tally;
use crate::keys::choose;
use crate::keys::setup::{IdColumn, Setup};
use crate::keys::strategy::StrategyName;

/// Counts the rows of strategies whose load a judgement has only from a sample.
#[derive(Debug)]
pub struct ExactPass {
    setup: Setup,
    columns: Vec<IdColumn>,
    slice_rows: u64,
    loads: Loads,
    strategies: Vec<Counted>,
    rows: u64,
    key: Vec<u8>,
}

#[derive(Debug)]
struct Counted {
    name: StrategyName,
    codec: KeyCodec,
    grid: Grid<Vec<u8>>,
    tally: Tally,
    /// Rows that get no key.
    without_key: u64,
}

/// A row as the codec wants it.
struct Input<'r> {
    columns: &'r [IdColumn],
    row: &'r Row<'r>,
    random: u64,
}

impl KeyInput for Input<'_> {
    fn value(&self, field: &str) -> Option<&Value> {
        let place = self.columns.iter().position(|column| column.name == field)?;
        self.row.values.get(place)
    }

    fn line(&self) -> Option<&[u8]> {
        self.row.line
    }

    fn random_below(&mut self, bound: u64) -> Option<u64> {
        Some(((u128::from(self.random) * u128::from(bound)) >> 64) as u64)
    }
}

impl ExactPass {
    /// The pass that a judgement of this setup still needs; none when every load is exact already.
    pub fn new(setup: &Setup, judgement: &Judgement) -> Option<Self> {
        let columns: Vec<IdColumn> = setup.columns().into_iter().cloned().collect();
        let sampled = |judged: &&Judged| matches!(judged.accuracy, Accuracy::Sampled { .. });
        let strategies: Vec<Counted> = judgement
            .strategies
            .iter()
            .filter(sampled)
            .filter_map(|judged| Counted::new(judged, &columns))
            .collect();
        (!strategies.is_empty()).then(|| Self {
            columns,
            setup: setup.clone(),
            slice_rows: judgement.slice_rows.max(1),
            loads: Loads::new(setup),
            strategies,
            rows: 0,
            key: Vec::new(),
        })
    }

    /// Counts the next row: the same rows in the same order as before.
    pub fn take(&mut self, row: &Row<'_>) {
        let number = self.rows;
        self.rows += 1;
        let slice = usize::try_from(number / self.slice_rows).unwrap_or(usize::MAX);
        for counted in &mut self.strategies {
            let mut input = Input { columns: &self.columns, row, random: mix(self.setup.seed, number) };
            self.key.clear();
            if counted.codec.encode_into(&mut input, &mut self.key).is_err() {
                counted.without_key += 1;
                continue;
            }
            let key = self.key.as_slice();
            let cell = counted.grid.bounds.partition_point(|bound| bound.as_slice() <= key);
            counted.tally.reach(slice);
            counted.tally.add(slice, cell, row.bytes);
        }
    }

    /// Puts the counts into the judgement, and chooses anew: what was estimated as even may not be.
    pub fn finish(self, judgement: &mut Judgement) {
        for counted in self.strategies {
            let Some(judged) = judgement.strategies.iter_mut().find(|one| one.name == counted.name) else {
                continue;
            };
            let splits = judged.by_regions.iter().map(|load| load.splits.clone()).collect();
            let (loads, slices) = self.loads.of(&counted.grid, &counted.tally, 1.0, splits);
            judged.heat = Heat::new(&judged.splits, &slices);
            if let Some(load) = loads.iter().find(|load| load.asked == judged.load.asked) {
                judged.load = load.clone();
            }
            judged.by_regions = loads;
            judged.accuracy = Accuracy::Exact;
            if counted.without_key > 0 {
                judged.warnings.push(format!("{} rows get no key and are not counted", counted.without_key));
            }
        }
        judgement.best = choose::choose(&self.setup, judgement);
    }
}

impl Counted {
    fn new(judged: &Judged, columns: &[IdColumn]) -> Option<Self> {
        let type_of =
            |name: &str| columns.iter().find(|column| column.name == name).map(|column| column.value_type);
        let codec = judged.key.codec(type_of).ok()?;
        let lists: Vec<Vec<Vec<u8>>> = judged.by_regions.iter().map(|load| load.splits.clone()).collect();
        let grid = Grid::new(&lists);
        let tally = Tally::new(grid.cells());
        Some(Self { name: judged.name, codec, grid, tally, without_key: 0 })
    }
}
