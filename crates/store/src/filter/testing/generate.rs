//! Random filters and cells. Keys and values are short and of few letters, so that filters often hit.

use bytes::Bytes;
use fastrand::Rng;
use tablesmith_model::Cell;

use crate::filter::{BitOp, ColumnCondition, Comparator, CompareOp, Filter, ListOp, RowRange};

const FAMILIES: [&str; 2] = ["f", "g"];
const OPERATORS: [CompareOp; 6] = [
    CompareOp::Less,
    CompareOp::LessOrEqual,
    CompareOp::Equal,
    CompareOp::NotEqual,
    CompareOp::GreaterOrEqual,
    CompareOp::Greater,
];
const PATTERNS: [&str; 8] = ["a", "^b", "c$", "a.c", "[ab]+c?", "", "^(a|bc)*$", "B"];

/// One of several.
pub(crate) fn pick<T: Clone>(random: &mut Rng, all: &[T]) -> T {
    random.choice(all).unwrap().clone()
}

/// So many things.
pub(crate) fn many<T>(random: &mut Rng, count: usize, mut make: impl FnMut(&mut Rng) -> T) -> Vec<T> {
    (0..count).map(|_| make(random)).collect()
}

/// Up to `most` bytes, mostly letters from a to c, now and then any byte.
pub(crate) fn bytes(random: &mut Rng, most: usize) -> Bytes {
    let count = random.usize(..=most);
    let byte = |random: &mut Rng| match random.usize(..40) {
        0 => random.u8(..),
        1 => b'\'',
        _ => pick(random, b"abc"),
    };
    many(random, count, byte).into()
}

fn operator(random: &mut Rng) -> CompareOp {
    pick(random, &OPERATORS)
}

fn family(random: &mut Rng) -> Bytes {
    pick(random, &FAMILIES).into()
}

/// Any comparator.
pub(crate) fn comparator(random: &mut Rng) -> Comparator {
    match random.usize(..9) {
        0..=2 => Comparator::Binary(bytes(random, 3)),
        3 => Comparator::BinaryPrefix(bytes(random, 2)),
        4 => Comparator::Substring(pick(random, &["a", "AB", "", "bc", "ä"]).to_owned()),
        5 if random.bool() => Comparator::regex(pick(random, &PATTERNS)),
        5 => Comparator::regex_in_any_case(pick(random, &PATTERNS)),
        6 => Comparator::Bit {
            op: pick(random, &[BitOp::And, BitOp::Or, BitOp::Xor]),
            bytes: bytes(random, 2),
        },
        7 => Comparator::Null,
        _ => Comparator::Long(random.u64(..) as i64),
    }
}

fn comparison(random: &mut Rng) -> (CompareOp, Comparator) {
    let op = if random.usize(..20) == 0 { CompareOp::NoOp } else { operator(random) };
    (op, comparator(random))
}

fn condition(random: &mut Rng) -> ColumnCondition {
    ColumnCondition {
        family: family(random),
        qualifier: bytes(random, 1),
        op: operator(random),
        comparator: comparator(random),
        filter_if_missing: random.bool(),
        latest_version_only: random.bool(),
    }
}

fn row_range(random: &mut Rng) -> RowRange {
    let (a, b) = (bytes(random, 2), bytes(random, 2));
    let (start, stop) = if a <= b || b.is_empty() { (a, b) } else { (b, a) };
    RowRange { start_inclusive: random.bool(), stop_inclusive: random.bool() || start == stop, start, stop }
}

fn fuzzy_pair(random: &mut Rng) -> (Bytes, Bytes) {
    let key = bytes(random, 3);
    let mask = many(random, key.len(), |random| random.usize(..2) as u8);
    (key, mask.into())
}

fn distinct_bytes(random: &mut Rng, count: usize) -> Vec<Bytes> {
    let mut all = many(random, count, |random| bytes(random, 2));
    all.sort();
    all.dedup();
    all
}

fn bound(random: &mut Rng) -> Option<Bytes> {
    random.bool().then(|| bytes(random, 2))
}

/// A filter that has none inside and is the same in every run: all but `RandomRow`.
fn leaf(random: &mut Rng) -> Filter {
    let few = random.usize(..4);
    match random.usize(..21) {
        0 => Filter::Prefix(bytes(random, 2)),
        1 => Filter::Page(few as u64),
        2 => Filter::ColumnPrefix(bytes(random, 2)),
        3 => Filter::MultipleColumnPrefix(distinct_bytes(random, few)),
        4 => Filter::ColumnRange {
            min: bound(random),
            min_inclusive: random.bool(),
            max: bound(random),
            max_inclusive: random.bool(),
        },
        5 => Filter::ColumnPagination { limit: few as u32, offset: random.usize(..3) as u32 },
        6 => Filter::ColumnPaginationFrom { limit: few as u32, column: bytes(random, 1) },
        7 => Filter::ColumnCountGet(few as u32),
        8 => Filter::FirstKeyOnly,
        9 => Filter::KeyOnly { length_as_value: random.bool() },
        10 => Filter::SingleColumnValue(condition(random)),
        11 => Filter::SingleColumnValueExclude(condition(random)),
        12 => column_value(random),
        13 => Filter::Timestamps {
            timestamps: many(random, few, |random| random.usize(..6) as i64),
            can_hint: random.bool(),
        },
        14 => Filter::FuzzyRow(many(random, few.max(1), fuzzy_pair)),
        15 => Filter::MultiRowRange(many(random, few.max(1), row_range)),
        16 => Filter::InclusiveStop(bytes(random, 2)),
        17 => dependent_column(random),
        _ => compared(random),
    }
}

fn column_value(random: &mut Rng) -> Filter {
    let (op, comparator) = comparison(random);
    Filter::ColumnValue { family: family(random), qualifier: bytes(random, 1), op, comparator }
}

fn dependent_column(random: &mut Rng) -> Filter {
    let value = random.bool().then(|| comparison(random));
    let (family, qualifier) = (family(random), bytes(random, 1));
    Filter::DependentColumn { family, qualifier, drop_dependent: random.bool(), value }
}

fn compared(random: &mut Rng) -> Filter {
    let (op, comparator) = comparison(random);
    match random.usize(..4) {
        0 => Filter::Row(op, comparator),
        1 => Filter::Family(op, comparator),
        2 => Filter::Qualifier(op, comparator),
        _ => Filter::Value(op, comparator),
    }
}

/// A filter, with others inside up to a depth.
pub(crate) fn filter(random: &mut Rng, depth: usize) -> Filter {
    if depth == 0 {
        return leaf(random);
    }
    match random.usize(..8) {
        0 => Filter::Skip(Box::new(filter(random, depth - 1))),
        1 => Filter::While(Box::new(filter(random, depth - 1))),
        2..=5 => {
            let op = pick(random, &[ListOp::All, ListOp::One]);
            let count = pick(random, &[0, 1, 2, 2, 2, 3]);
            Filter::List(op, many(random, count, |random| filter(random, depth - 1)))
        }
        _ => leaf(random),
    }
}

/// Cells of several rows, sorted as a scan meets them.
pub(crate) fn cells(random: &mut Rng, most: usize, reversed: bool) -> Vec<Cell> {
    let count = random.usize(..=most);
    let mut cells = many(random, count, |random| {
        let row = [pick(random, &["a", "b", "c"]).as_bytes(), &bytes(random, 2)].concat();
        let (family, qualifier) = (family(random), bytes(random, 2));
        Cell::put(row, family, qualifier, random.usize(..5) as i64, bytes(random, 3))
    });
    cells.sort_by(|a, b| {
        let rows = a.row.cmp(&b.row);
        if reversed { rows.reverse() } else { rows }.then_with(|| a.key_cmp(b))
    });
    cells.dedup_by(|a, b| a.key_cmp(b).is_eq());
    cells
}
