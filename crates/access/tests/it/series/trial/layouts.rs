//! Tables with readings, and all the ways to lay them out.

use tablesmith_model::series::{CellShape, Dimension, KeyOrder, SeriesLayout, Span};
use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Sequence, SequenceKind, Table};

const ORDERS: [KeyOrder; 6] = [
    KeyOrder::EntityTime,
    KeyOrder::TimeEntity,
    KeyOrder::ReversedEntityTime,
    KeyOrder::HashedEntityTime,
    KeyOrder::SaltedEntityTime { buckets: 3 },
    KeyOrder::BucketedTime { buckets: 3 },
];

/// What a table of readings is like: the type of its time, the columns of its entity and how wide rows can be.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub time: ValueType,
    pub sequence: SequenceKind,
    pub entity: &'static [(&'static str, ValueType)],
    /// Between two readings that follow each other.
    pub step: i64,
    pub spans: [u64; 2],
}

/// Readings of minutes, of days, and of numbers.
pub const KINDS: [Kind; 3] = [
    Kind {
        time: ValueType::Timestamp,
        sequence: SequenceKind::Time,
        entity: &[("station", ValueType::String)],
        step: 7_500,
        spans: [60_000, 3_600_000],
    },
    Kind {
        time: ValueType::Date,
        sequence: SequenceKind::Time,
        entity: &[("city", ValueType::String), ("station", ValueType::Int)],
        step: 86_400_000,
        spans: [7 * 86_400_000, 100 * 86_400_000],
    },
    Kind {
        time: ValueType::Int,
        sequence: SequenceKind::Sequence,
        entity: &[("kind", ValueType::Bool), ("id", ValueType::Int)],
        step: 1,
        spans: [5, 1 << 40],
    },
];

/// The metrics of every table.
pub const METRICS: [(&str, ValueType); 4] = [
    ("bikes", ValueType::Int),
    ("load", ValueType::Float),
    ("Bikes_note", ValueType::String),
    ("raw", ValueType::Bytes),
];

pub fn table(kind: Kind) -> Table {
    let time = ("at", kind.time);
    let columns = kind.entity.iter().chain([&time]).chain(&METRICS);
    Table {
        name: "reading".to_owned(),
        columns: columns.map(|(name, value_type)| Column::new(*name, *value_type)).collect(),
        time: Some(Sequence {
            column: "at".to_owned(),
            entity: kind.entity.iter().map(|(name, _)| (*name).to_owned()).collect(),
            kind: kind.sequence,
        }),
        ..Table::default()
    }
}

/// Every layout of a kind that makes sense.
pub fn all(kind: Kind) -> Vec<SeriesLayout> {
    let table = table(kind);
    let [short, long] = kind.spans;
    let mut layouts = Vec::new();
    for dimension in Dimension::ALL {
        for span in [Span::Each, Span::Of(short), Span::Of(long), Span::Unbounded] {
            for order in ORDERS {
                for cells in CellShape::ALL {
                    let base = SeriesLayout::tall(&table).unwrap();
                    layouts.push(SeriesLayout { dimension, span, order, cells, ..base });
                }
            }
        }
    }
    layouts.retain(|layout| layout.check(&table).is_ok());
    layouts
}
