//! Random filters and cells. Keys and values are short and of few letters, so that filters often hit.

use bytes::Bytes;
use tablesmith_model::Cell;

use super::random::Random;
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

/// Up to `most` bytes, mostly letters from a to c, now and then any byte.
pub(crate) fn bytes(random: &mut Random, most: usize) -> Bytes {
    let count = random.below(most + 1);
    let byte = |random: &mut Random| match random.below(40) {
        0 => random.next() as u8,
        1 => b'\'',
        _ => random.pick(b"abc"),
    };
    random.many(count, byte).into()
}

fn operator(random: &mut Random) -> CompareOp {
    random.pick(&OPERATORS)
}

fn family(random: &mut Random) -> Bytes {
    random.pick(&FAMILIES).into()
}

/// Any comparator.
pub(crate) fn comparator(random: &mut Random) -> Comparator {
    match random.below(9) {
        0..=2 => Comparator::Binary(bytes(random, 3)),
        3 => Comparator::BinaryPrefix(bytes(random, 2)),
        4 => Comparator::Substring(random.pick(&["a", "AB", "", "bc", "ä"]).to_owned()),
        5 => Comparator::Regex { pattern: random.pick(&PATTERNS).to_owned(), ignore_case: random.flip() },
        6 => {
            Comparator::Bit { op: random.pick(&[BitOp::And, BitOp::Or, BitOp::Xor]), bytes: bytes(random, 2) }
        }
        7 => Comparator::Null,
        _ => Comparator::Long(random.next() as i64),
    }
}

fn comparison(random: &mut Random) -> (CompareOp, Comparator) {
    let op = if random.below(20) == 0 { CompareOp::NoOp } else { operator(random) };
    (op, comparator(random))
}

fn condition(random: &mut Random) -> ColumnCondition {
    ColumnCondition {
        family: family(random),
        qualifier: bytes(random, 1),
        op: operator(random),
        comparator: comparator(random),
        filter_if_missing: random.flip(),
        latest_version_only: random.flip(),
    }
}

fn row_range(random: &mut Random) -> RowRange {
    let (a, b) = (bytes(random, 2), bytes(random, 2));
    let (start, stop) = if a <= b || b.is_empty() { (a, b) } else { (b, a) };
    RowRange { start_inclusive: random.flip(), stop_inclusive: random.flip() || start == stop, start, stop }
}

fn fuzzy_pair(random: &mut Random) -> (Bytes, Bytes) {
    let key = bytes(random, 3);
    let mask = random.many(key.len(), |random| random.below(2) as u8);
    (key, mask.into())
}

fn distinct_bytes(random: &mut Random, count: usize) -> Vec<Bytes> {
    let mut all = random.many(count, |random| bytes(random, 2));
    all.sort();
    all.dedup();
    all
}

fn bound(random: &mut Random) -> Option<Bytes> {
    random.flip().then(|| bytes(random, 2))
}

/// A filter that has none inside and is the same in every run: all but `RandomRow`.
fn leaf(random: &mut Random) -> Filter {
    let few = random.below(4);
    match random.below(21) {
        0 => Filter::Prefix(bytes(random, 2)),
        1 => Filter::Page(few as u64),
        2 => Filter::ColumnPrefix(bytes(random, 2)),
        3 => Filter::MultipleColumnPrefix(distinct_bytes(random, few)),
        4 => Filter::ColumnRange {
            min: bound(random),
            min_inclusive: random.flip(),
            max: bound(random),
            max_inclusive: random.flip(),
        },
        5 => Filter::ColumnPagination { limit: few as u32, offset: random.below(3) as u32 },
        6 => Filter::ColumnPaginationFrom { limit: few as u32, column: bytes(random, 1) },
        7 => Filter::ColumnCountGet(few as u32),
        8 => Filter::FirstKeyOnly,
        9 => Filter::KeyOnly { length_as_value: random.flip() },
        10 => Filter::SingleColumnValue(condition(random)),
        11 => Filter::SingleColumnValueExclude(condition(random)),
        12 => column_value(random),
        13 => Filter::Timestamps {
            timestamps: random.many(few, |random| random.below(6) as i64),
            can_hint: random.flip(),
        },
        14 => Filter::FuzzyRow(random.many(few.max(1), fuzzy_pair)),
        15 => Filter::MultiRowRange(random.many(few.max(1), row_range)),
        16 => Filter::InclusiveStop(bytes(random, 2)),
        17 => dependent_column(random),
        _ => compared(random),
    }
}

fn column_value(random: &mut Random) -> Filter {
    let (op, comparator) = comparison(random);
    Filter::ColumnValue { family: family(random), qualifier: bytes(random, 1), op, comparator }
}

fn dependent_column(random: &mut Random) -> Filter {
    let value = random.flip().then(|| comparison(random));
    let (family, qualifier) = (family(random), bytes(random, 1));
    Filter::DependentColumn { family, qualifier, drop_dependent: random.flip(), value }
}

fn compared(random: &mut Random) -> Filter {
    let (op, comparator) = comparison(random);
    match random.below(4) {
        0 => Filter::Row(op, comparator),
        1 => Filter::Family(op, comparator),
        2 => Filter::Qualifier(op, comparator),
        _ => Filter::Value(op, comparator),
    }
}

/// A filter, with others inside up to a depth.
pub(crate) fn filter(random: &mut Random, depth: usize) -> Filter {
    if depth == 0 {
        return leaf(random);
    }
    match random.below(8) {
        0 => Filter::Skip(Box::new(filter(random, depth - 1))),
        1 => Filter::While(Box::new(filter(random, depth - 1))),
        2..=5 => {
            let op = random.pick(&[ListOp::All, ListOp::One]);
            let count = random.pick(&[0, 1, 2, 2, 2, 3]);
            Filter::List(op, random.many(count, |random| filter(random, depth - 1)))
        }
        _ => leaf(random),
    }
}

/// Cells of several rows, sorted as a scan meets them.
pub(crate) fn cells(random: &mut Random, most: usize, reversed: bool) -> Vec<Cell> {
    let count = random.below(most + 1);
    let mut cells = random.many(count, |random| {
        let row = [random.pick(&["a", "b", "c"]).as_bytes(), &bytes(random, 2)].concat();
        let (family, qualifier) = (family(random), bytes(random, 2));
        Cell::put(row, family, qualifier, random.below(5) as i64, bytes(random, 3))
    });
    cells.sort_by(|a, b| {
        let rows = a.row.cmp(&b.row);
        if reversed { rows.reverse() } else { rows }.then_with(|| a.key_cmp(b))
    });
    cells.dedup_by(|a, b| a.key_cmp(b).is_eq());
    cells
}
