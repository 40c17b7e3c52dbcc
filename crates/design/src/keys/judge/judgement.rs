//! What was found, as plain values.

use tablesmith_model::key::Key;

use crate::keys::choose::Choice;
use crate::keys::duplicates::Duplicates;
use crate::keys::growth::Growth;
use crate::keys::load::Summary;
use crate::keys::reads::ReadCosts;
use crate::keys::skew::HeavyHitter;
use crate::keys::strategy::{LeftOut, StrategyName};

/// All strategies side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Rows of the write stream.
    pub rows: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Region servers.
    pub servers: usize,
    /// Regions that were asked for.
    pub regions: usize,
    /// Prefixes of the strategies that have some.
    pub prefixes: u64,
    /// Rows of one entity, on average; 1 when every row is its own.
    pub rows_per_entity: f64,
    /// Rows of a time slice; the last one may have fewer.
    pub slice_rows: u64,
    /// Each strategy that goes with the ids.
    pub strategies: Vec<Judged>,
    /// Those that do not, and why.
    pub left_out: Vec<LeftOut>,
    /// Values that no prefix over their columns can spread.
    pub heavy_hitters: Vec<HeavyHitter>,
    /// Ids that come again.
    pub duplicates: Duplicates,
    /// The recommendation; none without rows.
    pub best: Option<Choice>,
    /// What is not as it should be, in sentences.
    pub warnings: Vec<String>,
    /// What chance was drawn from.
    pub seed: u64,
}

/// One strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Its name.
    pub name: StrategyName,
    /// Its key.
    pub key: Key,
    /// The split points of the chosen number of regions.
    pub splits: Vec<Vec<u8>>,
    /// The load at the chosen number of regions.
    pub load: SplitLoad,
    /// The load at every number of regions that was looked at, the chosen one among them.
    pub by_regions: Vec<SplitLoad>,
    /// The load of smaller numbers of prefixes, the fewest first; empty where that makes no sense.
    pub buckets: Vec<BucketLoad>,
    /// Rows by key range and time.
    pub heat: Heat,
    /// What reads cost.
    pub reads: ReadCosts,
    /// Bytes that every cell's key has more than under the plain key, on average.
    pub added_key_bytes: f64,
    /// What one more server, and twice as many, would do.
    pub growth: Vec<Growth>,
    /// How exact the load is.
    pub accuracy: Accuracy,
    /// What is not as it should be, in sentences.
    pub warnings: Vec<String>,
}

/// The load of a number of regions.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitLoad {
    /// Regions that were asked for.
    pub asked: usize,
    /// The split points; there is one region more.
    pub splits: Vec<Vec<u8>>,
    /// Rows of each region.
    pub rows: Vec<f64>,
    /// Rows of regions.
    pub region_rows: Summary,
    /// Bytes of regions.
    pub region_bytes: Summary,
    /// Rows of servers.
    pub server_rows: Summary,
    /// Bytes of servers.
    pub server_bytes: Summary,
    /// What part of its rows goes to the hottest server, slice by slice.
    pub hottest_server_share: Vec<f64>,
    /// The same, on average over the slices.
    pub mean_hottest_share: f64,
}

/// The load of servers under some buckets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BucketLoad {
    /// How many buckets: prefixes.
    pub buckets: usize,
    /// Regions: as many as were asked for, or as there are buckets.
    pub regions: usize,
    /// What the busiest server carries, over the mean; 1 is even.
    pub busiest_over_mean: f64,
    /// What part goes to the hottest server, on average over the slices.
    pub mean_hottest_share: f64,
}

/// Rows by key range and time, for a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    /// The first key of each range; the first one is empty.
    pub starts: Vec<Vec<u8>>,
    /// Rows of each range, slice by slice.
    pub rows: Vec<Vec<f64>>,
}

/// How exact a load is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accuracy {
    /// Every row was counted.
    Exact,
    /// Rows of a sample were counted.
    Sampled {
        /// Rows of the sample.
        rows: usize,
        /// By what part a region's rows can well be wrong (about two standard deviations).
        error: f64,
    },
}

impl Judgement {
    /// The strategy of this name.
    pub fn strategy(&self, name: StrategyName) -> Option<&Judged> {
        self.strategies.iter().find(|one| one.name == name)
    }
}

impl Judged {
    /// The load at a number of regions that was looked at.
    pub fn at_regions(&self, regions: usize) -> Option<&SplitLoad> {
        self.by_regions.iter().find(|load| load.asked == regions)
    }
}
