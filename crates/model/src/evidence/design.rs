//! What was measured of one design.

use serde::{Deserialize, Serialize};

/// A design with its response times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredDesign {
    /// Its name.
    pub name: String,
    /// Its families.
    pub families: Vec<FamilyShape>,
    /// Response times of reading calls.
    #[serde(flatten)]
    pub reads: Summary,
    /// Response times of writing calls, when there were any.
    pub writes: Option<Summary>,
    /// The queries by name, the most frequent first.
    pub by_query: Vec<MeasuredQuery>,
    /// What the store counted over all measured calls.
    pub stats: StoreCounts,
    /// Times far from the others, slowest first; they are part of everything else.
    pub outliers: Vec<Outlier>,
    /// How loading went.
    pub loaded: Loaded,
    /// The table's regions after the run, in key order.
    pub regions: Vec<MeasuredRegion>,
}

/// Response times, summed up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Calls that were measured.
    pub queries: u64,
    /// The mean.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub mean_ms: f64,
    /// The middle one.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub median_ms: f64,
    /// 95 of 100 are at most this.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub p95_ms: f64,
    /// 99 of 100 are at most this.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub p99_ms: f64,
    /// All of them, as percentiles.
    pub distribution: Distribution,
}

/// Values as their percentiles: the smallest, 1 %, 2 %, … and the largest, 101 in all; empty when there is no value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Distribution(#[serde(deserialize_with = "super::number::each_or_nan")] pub Vec<f64>);

/// The calls of one query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredQuery {
    /// Its name.
    pub name: String,
    /// Its calls.
    pub calls: u64,
    /// Their mean response time.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub mean_ms: f64,
    /// Rows of an answer, on average.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub rows: f64,
}

/// What the store counted; what it does not know is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreCounts {
    /// Cells looked at.
    pub cells: Option<u64>,
    /// Bytes of them.
    pub bytes: Option<u64>,
    /// Blocks read.
    pub blocks: Option<u64>,
    /// Seeks into families.
    pub seeks: Option<u64>,
    /// Regions that took part.
    pub regions: Option<u64>,
}

/// A call whose time is far from the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outlier {
    /// Its place among the replayed calls, from 0.
    pub call: u64,
    /// Its query.
    pub query: String,
    /// What it took.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub ms: f64,
}

/// A family as it is drawn: its columns, and how large it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FamilyShape {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// Bytes of it in a row, on average, where known.
    pub bytes_a_row: Option<f64>,
}

/// How loading went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loaded {
    /// Rows that are in the table.
    pub rows: u64,
    /// Seconds that it took.
    #[serde(deserialize_with = "super::number::or_nan")]
    pub seconds: f64,
    /// Rows that are not, by reason.
    pub rejected: Vec<Rejected>,
}

/// Rows that could not be loaded for one reason.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    /// The reason.
    pub reason: String,
    /// How many rows.
    pub rows: u64,
    /// The first of them, as a line of the data file counted from 1.
    pub first_line: u64,
}

/// A region and what it had to do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredRegion {
    /// Where it begins, as HBase prints bytes; empty for the first.
    pub start: String,
    /// The server that has it.
    pub server: String,
    /// Reading requests that it answered during the run, where known.
    pub reads: Option<u64>,
    /// Writing requests, loading included, where known.
    pub writes: Option<u64>,
    /// Bytes of its files, where known.
    pub bytes: Option<u64>,
}
