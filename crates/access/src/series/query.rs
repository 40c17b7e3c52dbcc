//! What can be asked of readings.

use tablesmith_model::value::Value;
use tablesmith_store::aggregate::Figures;

/// Whose readings are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entities {
    /// Those of these entities, each with a value for every column of the layout's entity.
    These(Vec<Vec<Value>>),
    /// Everybody's.
    All,
}

/// Readings of a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeQuery {
    /// Whose.
    pub entities: Entities,
    /// From this time on: milliseconds since 1970, or a number of the sequence.
    pub from: i64,
    /// Up to this time, which is not included.
    pub to: i64,
    /// The metrics that are read, in this order; none means all. A reading without a value in any of them is left out.
    pub metrics: Vec<String>,
}

impl RangeQuery {
    /// All metrics of everybody's readings of a time.
    pub fn all(from: i64, to: i64) -> Self {
        Self { entities: Entities::All, from, to, metrics: Vec::new() }
    }

    /// All metrics of the readings of one entity.
    pub fn of(entity: Vec<Value>, from: i64, to: i64) -> Self {
        Self { entities: Entities::These(vec![entity]), ..Self::all(from, to) }
    }

    /// Only these metrics.
    pub fn metrics<S: Into<String>>(self, metrics: impl IntoIterator<Item = S>) -> Self {
        Self { metrics: metrics.into_iter().map(Into::into).collect(), ..self }
    }
}

/// A metric summed up over a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AggregateQuery {
    /// Whose readings.
    pub entities: Entities,
    /// From this time on.
    pub from: i64,
    /// Up to this time, which is not included.
    pub to: i64,
    /// The metric.
    pub metric: String,
    /// What is summed up together.
    pub group: GroupBy,
    /// What is wanted of each group: the fewer, the more a store can tell without looking at every reading here.
    pub figures: Figures,
}

/// What is summed up together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// Everything.
    All,
    /// The readings of an entity.
    Entity,
    /// The readings of a stretch of so many milliseconds, or numbers; not 0. Stretches are counted from 0.
    Bucket(u64),
    /// The readings of an entity in a stretch.
    EntityAndBucket(u64),
}
