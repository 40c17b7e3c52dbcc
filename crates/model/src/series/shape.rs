//! Where the time of a reading goes, how much one row holds, in which order keys are built.

use std::fmt;
use std::time::Duration;

use crate::duration_text;
use crate::workload::SequenceKind;

/// Where the time of a reading goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Into the row key: a row a reading ("tall").
    Row,
    /// Into the qualifier: a column a reading ("wide").
    Qualifier,
    /// Into the version of a cell: a version a reading ("versions").
    Version,
    /// Into the value: all readings of a row in one cell ("packed").
    Packed,
}

/// How much time, or how many numbers, one row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Span {
    /// One reading: only when the time is in the row key.
    Each,
    /// So many milliseconds, or numbers; not 0.
    Of(u64),
    /// All readings of an entity.
    Unbounded,
}

/// In which order a row key is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyOrder {
    /// The entity, then the time.
    EntityTime,
    /// The time, then the entity.
    TimeEntity,
    /// The entity with its last field backwards, then the time.
    ReversedEntityTime,
    /// A digest of the entity's last field, the entity, then the time.
    HashedEntityTime,
    /// A remainder of the entity's digest, the entity, then the time.
    SaltedEntityTime {
        /// How many remainders there are.
        buckets: u64,
    },
    /// A remainder of the entity's digest, the time, then the entity.
    BucketedTime {
        /// How many remainders there are.
        buckets: u64,
    },
}

/// Which metrics are in one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellShape {
    /// A cell for each.
    EachMetric,
    /// All in one cell.
    Together,
}

impl Dimension {
    /// All dimensions.
    pub const ALL: [Self; 4] = [Self::Row, Self::Qualifier, Self::Version, Self::Packed];

    /// The name of layouts that use it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Row => "tall",
            Self::Qualifier => "wide",
            Self::Version => "versions",
            Self::Packed => "packed",
        }
    }

    /// The dimension of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dimension| dimension.name() == name)
    }
}

impl Span {
    /// The name: `one`, `1d` (or a number), `all`.
    pub fn name(self, kind: SequenceKind) -> String {
        match (self, kind) {
            (Self::Each, _) => "one".to_owned(),
            (Self::Unbounded, _) => "all".to_owned(),
            (Self::Of(millis), SequenceKind::Time) => duration_text::print(Duration::from_millis(millis)),
            (Self::Of(numbers), SequenceKind::Sequence) => numbers.to_string(),
        }
    }

    /// The width of a row's span, when it has one.
    pub fn width(self) -> Option<u64> {
        match self {
            Self::Of(width) => Some(width),
            Self::Each | Self::Unbounded => None,
        }
    }
}

impl KeyOrder {
    /// Whether rows of one time stand together, whosever they are, at least within a bucket.
    pub fn is_time_first(self) -> bool {
        matches!(self, Self::TimeEntity | Self::BucketedTime { .. })
    }

    /// Over how many prefixes rows are spread that otherwise follow each other.
    pub fn buckets(self) -> Option<u64> {
        match self {
            Self::SaltedEntityTime { buckets } | Self::BucketedTime { buckets } => Some(buckets),
            _ => None,
        }
    }
}

impl fmt::Display for KeyOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EntityTime => f.write_str("entity-time"),
            Self::TimeEntity => f.write_str("time-entity"),
            Self::ReversedEntityTime => f.write_str("reversed-entity-time"),
            Self::HashedEntityTime => f.write_str("hashed-entity-time"),
            Self::SaltedEntityTime { buckets } => write!(f, "salted-{buckets}-entity-time"),
            Self::BucketedTime { buckets } => write!(f, "bucketed-{buckets}-time"),
        }
    }
}

impl CellShape {
    /// Both shapes.
    pub const ALL: [Self; 2] = [Self::EachMetric, Self::Together];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::EachMetric => "each",
            Self::Together => "together",
        }
    }
}
