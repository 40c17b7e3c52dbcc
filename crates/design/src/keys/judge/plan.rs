//! What is counted for each strategy while rows go by, decided once.

use tablesmith_model::key::{Key, KeyCodec, Modulus, Part};

use super::grid::{Finder, Grid};
use super::reduce::Reducer;
use crate::keys::setup::{IdColumn, Setup, SetupError};
use crate::keys::splits::SplitMethod;
use crate::keys::splits::prefix::Leading;
use crate::keys::strategy::{self, LeftOut, Strategy, StrategyName};

/// Buckets that are tried for each server, as multiples: each divides the last one, so that one count serves all.
pub const BUCKETS_PER_SERVER: [usize; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 48];

/// The most buckets that are counted; above it the finer ones are left out.
const MOST_BUCKETS: usize = 12_000;

/// How many times the rows of the sample are wanted when they make split points: with 8,000 rows for each region, 5 % are
/// 4.5 standard deviations, and the busiest of a few hundred regions stays within them 999 times in 1,000.
const ROWS_FOR_QUANTILES: usize = 16;

/// Rows of the sample, at least and at most.
const LEAST_SAMPLE: usize = 50_000;
const MOST_SAMPLE: usize = 4_000_000;

/// What the leading number of a key is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The digest of some columns: the place of that digest.
    Digest(usize),
    /// The digest of the line.
    Line,
    /// The number in a column.
    Number(usize),
    /// Chance.
    Random,
    /// The number of the counter before it, whose modulus is a multiple: the remainder of a remainder.
    Before,
}

/// How a leading number is made of its source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure {
    /// The remainder.
    Remainder(Reducer, Modulus),
    /// The first 32 bits.
    Top,
}

/// Something that counts each row by the leading number of one key.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) source: Source,
    pub(super) measure: Measure,
    pub(super) finder: Finder,
    pub(super) cells: usize,
}

/// A strategy with what it takes to judge it.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) strategy: Strategy,
    pub(super) codec: KeyCodec,
    /// What the key begins with, and where that comes from.
    pub(super) leading: Option<(Leading, Source)>,
    /// The rest of the key behind a prefix.
    pub(super) tail: Option<KeyCodec>,
    /// The counter of its regions, when split points are known beforehand.
    pub(super) regions: Option<usize>,
    /// The counter of its buckets.
    pub(super) buckets: Option<usize>,
}

/// What is counted.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) setup: Setup,
    pub(super) columns: Vec<IdColumn>,
    pub(super) region_counts: Vec<usize>,
    pub(super) planned: Vec<Planned>,
    pub(super) left_out: Vec<LeftOut>,
    /// Columns of each digest: the whole id first, then the entity when there is one.
    pub(super) digests: Vec<Vec<usize>>,
    pub(super) entity_digest: Option<usize>,
    pub(super) needs_line: bool,
    pub(super) counters: Vec<Counter>,
    pub(super) grids: Vec<Grid<u64>>,
    pub(super) most_buckets: usize,
}

impl Plan {
    pub(super) fn new(setup: &Setup) -> Result<Self, SetupError> {
        setup.check()?;
        let columns: Vec<IdColumn> = setup.columns().into_iter().cloned().collect();
        let (strategies, left_out) = strategy::strategies(setup);
        let mut plan = Self {
            setup: setup.clone(),
            region_counts: setup.region_counts(),
            digests: vec![(0..setup.id.len()).collect()],
            columns,
            planned: Vec::new(),
            left_out,
            entity_digest: None,
            needs_line: false,
            counters: Vec::new(),
            grids: Vec::new(),
            most_buckets: most_buckets(setup.servers),
        };
        let entity = setup.entity_columns();
        if !entity.is_empty() {
            plan.entity_digest = Some(plan.digest(&entity));
        }
        strategies.into_iter().for_each(|strategy| plan.add(strategy));
        Ok(plan)
    }

    /// The place of the digest of some columns.
    fn digest(&mut self, names: &[String]) -> usize {
        let place = |name: &String| self.columns.iter().position(|column| column.name == *name);
        let columns: Vec<usize> = names.iter().filter_map(place).collect();
        match self.digests.iter().position(|own| *own == columns) {
            Some(found) => found,
            None => {
                self.digests.push(columns);
                self.digests.len() - 1
            }
        }
    }

    fn add(&mut self, strategy: Strategy) {
        let Some(codec) = self.codec(&strategy.key) else { return };
        let source = strategy.key.parts.first().and_then(|part| self.source(part));
        let leading = Leading::of(&strategy.key).zip(source);
        let parts = strategy.key.parts.iter().skip(1).cloned().collect();
        let tail = leading.and_then(|_| self.codec(&Key { parts, encoding: strategy.key.encoding }));
        self.needs_line |= source == Some(Source::Line);
        let counts = self.setup.splits == SplitMethod::Prefix;
        let regions = leading.filter(|_| counts).map(|(leading, source)| {
            let lists: Vec<Vec<u64>> =
                self.region_counts.iter().map(|count| leading.bounds(*count)).collect();
            self.count(leading, source, Grid::new(&lists))
        });
        let deterministic =
            matches!(strategy.name, StrategyName::Mod | StrategyName::Md5Mod | StrategyName::Md5ModPart);
        let buckets = source.filter(|_| deterministic).and_then(|source| {
            let modulus = Modulus::new(self.most_buckets as u64)?;
            let bounds = (1..modulus.get()).collect();
            let is_multiple = |(leading, _): (Leading, Source)| {
                matches!(leading, Leading::Remainder(finer) if finer.get().is_multiple_of(modulus.get()))
            };
            let source = match regions.is_some() && leading.is_some_and(is_multiple) {
                true => Source::Before,
                false => source,
            };
            Some(self.count(Leading::Remainder(modulus), source, Grid::new(&[bounds])))
        });
        self.planned.push(Planned { strategy, codec, leading, tail, regions, buckets });
    }

    /// A strategy that is only asked for its keys.
    pub(super) fn planned_for(&self, strategy: Strategy) -> Option<Planned> {
        let codec = self.codec(&strategy.key)?;
        Some(Planned { strategy, codec, leading: None, tail: None, regions: None, buckets: None })
    }

    fn count(&mut self, leading: Leading, source: Source, grid: Grid<u64>) -> usize {
        let measure = match leading {
            Leading::Remainder(modulus) => Measure::Remainder(Reducer::new(modulus), modulus),
            Leading::Digest => Measure::Top,
        };
        let finder = Finder::new(grid.bounds.clone(), leading.count());
        self.counters.push(Counter { source, measure, finder, cells: grid.cells() });
        self.grids.push(grid);
        self.counters.len() - 1
    }

    fn source(&mut self, part: &Part) -> Option<Source> {
        match part {
            Part::Random(_) => Some(Source::Random),
            Part::Md5LineMod(_) => Some(Source::Line),
            Part::Mod { field, .. } => {
                self.columns.iter().position(|column| column.name == *field).map(Source::Number)
            }
            Part::Md5Mod { fields, .. } => Some(Source::Digest(self.digest(fields))),
            Part::Md5 { field, .. } => Some(Source::Digest(self.digest(std::slice::from_ref(field)))),
            _ => None,
        }
    }

    fn codec(&self, key: &Key) -> Option<KeyCodec> {
        let of = |name: &str| {
            self.columns.iter().find(|column| column.name == name).map(|column| column.value_type)
        };
        key.codec(of).ok()
    }

    /// Rows of the sample: enough for the greatest region count, and more for the chosen one when its split points are
    /// quantiles of the sample (a region of k sampled rows is off by about 1/√k).
    pub(super) fn sample_rows(&self) -> usize {
        let each = self.setup.sample_rows_per_region.max(1);
        let most = self.region_counts.iter().copied().max().unwrap_or(1);
        let quantiles = match self.setup.splits {
            SplitMethod::Quantile => self.setup.chosen_regions().saturating_mul(ROWS_FOR_QUANTILES),
            _ => 0,
        };
        each.saturating_mul(most).max(each.saturating_mul(quantiles)).clamp(LEAST_SAMPLE, MOST_SAMPLE)
    }
}

/// The most buckets: a multiple of the servers that all smaller choices divide.
fn most_buckets(servers: usize) -> usize {
    let most = BUCKETS_PER_SERVER.iter().rev().map(|each| each * servers).find(|all| *all <= MOST_BUCKETS);
    most.unwrap_or(servers)
}
