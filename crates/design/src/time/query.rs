//! What is asked of readings over time, as layouts answer it.

use std::fmt;

/// A kind of call on readings.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeQuery {
    /// The query of the workload.
    pub name: String,
    /// Calls a second, or any weight.
    pub rate: f64,
    /// What it asks.
    pub kind: TimeKind,
    /// The metrics that it reads or writes, in the table's order.
    pub metrics: Vec<String>,
}

/// What a call asks. Lengths are in milliseconds, or in numbers of another sequence.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeKind {
    /// All readings of some entities within a stretch.
    Range {
        /// Whose.
        entities: Whose,
        /// How long the stretch is.
        length: f64,
    },
    /// The newest readings of one entity.
    Latest {
        /// How many.
        n: u64,
    },
    /// The readings of some entities at one moment.
    Instant {
        /// Whose.
        entities: Whose,
    },
    /// Sums, means and the like over a stretch.
    Aggregate {
        /// Whose.
        entities: Whose,
        /// How long the stretch is.
        length: f64,
        /// What has a result of its own.
        group: Group,
    },
    /// Which entities have a reading at one moment and not at another.
    Compare,
    /// Readings that arrive, or are corrected or removed.
    Write {
        /// How many at once.
        readings: f64,
    },
}

/// Whose readings are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Whose {
    /// So many entities, by name.
    Named(f64),
    /// Everybody's.
    All,
}

/// What has a result of its own when readings are added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Group {
    /// All of them together.
    All,
    /// Each entity.
    Entity,
    /// Each stretch of so long.
    Bucket(f64),
    /// Each stretch of each entity.
    EntityAndBucket(f64),
}

impl Whose {
    /// How many entities that is, of so many.
    pub fn count(self, entities: f64) -> f64 {
        match self {
            Self::Named(count) => count.min(entities),
            Self::All => entities,
        }
    }
}

impl TimeQuery {
    /// Whether it changes something.
    pub fn writes(&self) -> bool {
        matches!(self.kind, TimeKind::Write { .. })
    }
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(count) if (*count - 1.0).abs() < 0.5 => f.write_str("one entity"),
            Self::Named(count) => write!(f, "{} entities", count.round()),
            Self::All => f.write_str("all entities"),
        }
    }
}
