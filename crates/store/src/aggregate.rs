//! Aggregation inside the store: each region answers with partials, the client adds them up.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use bytes::Bytes;
use tablesmith_model::{Cell, Timestamp};

use crate::read::Scan;

/// Aggregates the values of the cells that a scan would return, all their versions included.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// Which cells: rows, columns, versions, time range, filter. Limit, batch and caching mean nothing here: every region
    /// answers alone, for all of its rows.
    pub scan: Scan,
    /// How a value is a number. Cells that are not of this type count as rows and cells, not into the sums.
    pub value: ValueType,
    /// One partial for each group, or one for all.
    pub group: Group,
}

/// How bytes are a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Not at all: count only.
    None,
    /// Eight bytes, big-endian, two's complement.
    I64,
    /// Four bytes, big-endian, two's complement.
    I32,
    /// Eight bytes, big-endian IEEE 754.
    F64,
    /// Decimal digits.
    Text,
}

impl ValueType {
    /// The number in a value, if it is one.
    pub fn number(self, value: &[u8]) -> Option<Number> {
        match self {
            Self::None => None,
            Self::I64 => value.try_into().ok().map(|bytes| Number::Int(i64::from_be_bytes(bytes).into())),
            Self::I32 => value.try_into().ok().map(|bytes| Number::Int(i32::from_be_bytes(bytes).into())),
            Self::F64 => value.try_into().ok().map(|bytes| Number::Float(f64::from_be_bytes(bytes))),
            Self::Text => {
                let text = std::str::from_utf8(value).ok()?.trim();
                let whole = text.parse::<i64>().ok().map(|number| Number::Int(number.into()));
                whole.or_else(|| text.parse::<f64>().ok().map(Number::Float))
            }
        }
    }
}

/// A sum that stays exact as long as all it adds is whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// Any other.
    Float(f64),
}

impl Number {
    /// As a floating-point number.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(number) => number as f64,
            Self::Float(number) => number,
        }
    }

    fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => {
                a.checked_add(b).map_or(Self::Float(a as f64 + b as f64), Self::Int)
            }
            (a, b) => Self::Float(a.as_f64() + b.as_f64()),
        }
    }

    fn square(self) -> Self {
        match self {
            Self::Int(a) => a.checked_mul(a).map_or(Self::Float(a as f64 * a as f64), Self::Int),
            Self::Float(a) => Self::Float(a * a),
        }
    }

    fn less(self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a < b,
            (a, b) => a.as_f64() < b.as_f64(),
        }
    }
}

/// What makes cells belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The first so many bytes of the row key.
    pub key_prefix_bytes: Option<usize>,
    /// The timestamp, rounded down to a multiple of this.
    pub time_bucket_ms: Option<Timestamp>,
}

impl Group {
    /// The group of a cell.
    pub fn key_of(&self, cell: &Cell) -> GroupKey {
        GroupKey {
            prefix: self.key_prefix_bytes.map(|bytes| cell.row.slice(..bytes.min(cell.row.len()))),
            bucket_ms: self
                .time_bucket_ms
                .filter(|&width| width > 0)
                .map(|width| cell.timestamp - cell.timestamp.rem_euclid(width)),
        }
    }
}

/// One group.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupKey {
    /// The prefix of its row keys.
    pub prefix: Option<Bytes>,
    /// The start of its time bucket.
    pub bucket_ms: Option<Timestamp>,
}

/// What one region knows of one group. Partials of several regions add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// Rows with at least one cell in the group.
    pub rows: u64,
    /// Cells.
    pub cells: u64,
    /// Cells whose value is a number.
    pub numbers: u64,
    /// Their sum.
    pub sum: Number,
    /// The sum of their squares.
    pub sum_of_squares: Number,
    /// The least.
    pub min: Option<Number>,
    /// The greatest.
    pub max: Option<Number>,
}

impl Default for Partial {
    fn default() -> Self {
        Self {
            rows: 0,
            cells: 0,
            numbers: 0,
            sum: Number::Int(0),
            sum_of_squares: Number::Int(0),
            min: None,
            max: None,
        }
    }
}

impl Partial {
    /// Counts one more cell.
    pub fn add_cell(&mut self, number: Option<Number>) {
        self.cells += 1;
        if let Some(number) = number {
            self.numbers += 1;
            self.sum = self.sum.add(number);
            self.sum_of_squares = self.sum_of_squares.add(number.square());
            self.take_extremes(Some(number), Some(number));
        }
    }

    fn take_extremes(&mut self, min: Option<Number>, max: Option<Number>) {
        if let Some(min) = min {
            self.min = Some(self.min.filter(|&have| !min.less(have)).unwrap_or(min));
        }
        if let Some(max) = max {
            self.max = Some(self.max.filter(|&have| !have.less(max)).unwrap_or(max));
        }
    }
}

impl AddAssign for Partial {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.cells += other.cells;
        self.numbers += other.numbers;
        self.sum = self.sum.add(other.sum);
        self.sum_of_squares = self.sum_of_squares.add(other.sum_of_squares);
        self.take_extremes(other.min, other.max);
    }
}

/// Builds the partials of one region from its rows, one row after the other.
#[derive(Clone, Debug)]
pub struct Aggregator {
    value: ValueType,
    group: Group,
    groups: BTreeMap<GroupKey, Partial>,
    touched: Vec<GroupKey>,
    row: Bytes,
}

impl Aggregator {
    /// Nothing counted yet.
    pub fn new(aggregate: &Aggregate) -> Self {
        Self {
            value: aggregate.value,
            group: aggregate.group,
            groups: BTreeMap::new(),
            touched: Vec::new(),
            row: Bytes::new(),
        }
    }

    /// Counts the cells of a row, or of a part of it.
    pub fn add(&mut self, cells: &[Cell]) {
        for cell in cells {
            if cell.row != self.row {
                self.row = cell.row.clone();
                self.touched.clear();
            }
            let key = self.group.key_of(cell);
            let first_of_row = !self.touched.contains(&key);
            let partial = self.groups.entry(key.clone()).or_default();
            if first_of_row {
                self.touched.push(key);
                partial.rows += 1;
            }
            partial.add_cell(self.value.number(&cell.value));
        }
    }

    /// The partials.
    pub fn finish(self) -> BTreeMap<GroupKey, Partial> {
        self.groups
    }
}

/// The partials of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionPartials {
    /// The region's name.
    pub region: String,
    /// By group; without grouping the one key is the default.
    pub groups: BTreeMap<GroupKey, Partial>,
}

/// Adds up what the regions answered.
pub fn merge(regions: &[RegionPartials]) -> BTreeMap<GroupKey, Partial> {
    let mut merged: BTreeMap<GroupKey, Partial> = BTreeMap::new();
    for (key, partial) in regions.iter().flat_map(|region| &region.groups) {
        *merged.entry(key.clone()).or_default() += *partial;
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: &'static str, timestamp: Timestamp, value: i64) -> Cell {
        Cell::put(row, "f", "q", timestamp, value.to_be_bytes().to_vec())
    }

    #[test]
    fn groups_by_prefix_and_time() {
        let group = Group { key_prefix_bytes: Some(1), time_bucket_ms: Some(10) };
        let aggregate = Aggregate { scan: Scan::all(), value: ValueType::I64, group };
        let mut aggregator = Aggregator::new(&aggregate);
        aggregator.add(&[cell("a1", 15, 1), cell("a1", 12, 2), cell("a1", 3, 4)]);
        aggregator.add(&[cell("a2", 11, 8), cell("b", 11, -1)]);
        let groups = aggregator.finish();
        let of = |prefix: &'static str, bucket_ms| {
            groups[&GroupKey { prefix: Some(prefix.into()), bucket_ms: Some(bucket_ms) }]
        };
        assert_eq!((of("a", 10).rows, of("a", 10).cells, of("a", 10).sum), (2, 3, Number::Int(11)));
        assert_eq!((of("a", 0).rows, of("b", 10).min), (1, Some(Number::Int(-1))));
    }

    #[test]
    fn partials_add_up() {
        let mut sum = Partial::default();
        let mut other = Partial::default();
        sum.add_cell(Some(Number::Int(3)));
        other.add_cell(Some(Number::Int(-4)));
        other.add_cell(None);
        sum += other;
        assert_eq!(
            (sum.cells, sum.numbers, sum.sum, sum.sum_of_squares),
            (3, 2, Number::Int(-1), Number::Int(25))
        );
        assert_eq!((sum.min, sum.max), (Some(Number::Int(-4)), Some(Number::Int(3))));
    }

    #[test]
    fn sums_do_not_overflow() {
        let mut partial = Partial::default();
        for _ in 0..4 {
            partial.add_cell(Some(Number::Int(i64::MIN.into())));
        }
        assert_eq!(partial.sum, Number::Int(4 * i128::from(i64::MIN)));
        assert!(partial.sum_of_squares.as_f64() > 3e38);
    }
}
