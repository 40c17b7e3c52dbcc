//! Which columns identify a row: single ones, when there is none pairs, and when there is none of these, more.
//!
//! Pairs need a second look at the data, which ends as soon as no pair is left. [`pairs`] decides which ones are worth
//! it from what the first look has found. What comes first in the answer was compared on every row ([`verify`]).

mod verify;
mod wide;

use std::path::Path;

use tablesmith_model::value::ValueType;

use super::ProfileError;
use super::found::{CandidateKey, Certainty, ColumnProfile, Profile};
use super::measure::{UniqueSample, hash};
use super::source::{self, Batch};

/// So many pairs are tried.
const PAIRS: usize = 200;
/// Of the pairs that are still different after the first rows, so many are followed to the end.
const FOLLOWED: usize = 16;
/// Hashes that are compared for a pair.
const COMPARED: usize = 1 << 17;

/// Finds the columns that identify a row of a file that was measured; columns in `preferred` rather than others. The
/// first answer was compared on every row; others may be probable only.
pub fn find_keys(
    path: &Path,
    profile: &Profile,
    preferred: &[String],
) -> Result<Vec<CandidateKey>, ProfileError> {
    let Profile { rows, columns, .. } = profile;
    let single = verified(path, *rows, columns, singles(columns))?;
    if !single.is_empty() || *rows < 2 {
        return Ok(single);
    }
    let name = |column: usize| columns.get(column).map(|column| column.name.clone()).unwrap_or_default();
    let pairs = pairs(*rows, columns);
    let unique = if pairs.is_empty() { Vec::new() } else { unique_pairs(path, pairs)? };
    let key = |(a, b, certainty)| CandidateKey { columns: vec![name(a), name(b)], certainty };
    let pairs = verified(path, *rows, columns, unique.into_iter().map(key).collect())?;
    if !pairs.is_empty() {
        return Ok(pairs);
    }
    let wide = wide::find(path, *rows, columns, preferred)?;
    let key = |found: Vec<usize>| CandidateKey {
        columns: found.into_iter().map(name).collect(),
        certainty: Certainty::Certain,
    };
    Ok(wide.into_iter().map(key).collect())
}

/// The keys without those that a look at every row refuses, up to the first that it confirms.
fn verified(
    path: &Path,
    rows: u64,
    columns: &[ColumnProfile],
    keys: Vec<CandidateKey>,
) -> Result<Vec<CandidateKey>, ProfileError> {
    let mut held = keys.into_iter();
    while let Some(mut first) = held.next() {
        if first.certainty == Certainty::Probable {
            let place = |name: &String| columns.iter().position(|column| column.name == *name);
            let places: Vec<usize> = first.columns.iter().filter_map(place).collect();
            if !verify::repeated(path, rows, &places)?.is_empty() {
                continue;
            }
            first.certainty = Certainty::Certain;
        }
        return Ok(std::iter::once(first).chain(held).collect());
    }
    Ok(Vec::new())
}

/// Columns that are unique, those that make good keys first; of equals, the first in the file.
fn singles(columns: &[ColumnProfile]) -> Vec<CandidateKey> {
    let mut unique: Vec<(&ColumnProfile, Certainty)> =
        columns.iter().filter_map(|column| Some((column, column.unique?))).collect();
    unique.sort_by_key(|(column, certainty)| {
        (!names_things(column.value_type), *certainty == Certainty::Probable)
    });
    let key = |(column, certainty): (&ColumnProfile, _)| CandidateKey {
        columns: vec![column.name.clone()],
        certainty,
    };
    unique.into_iter().map(key).collect()
}

/// Whether values of a type name things; measured quantities are unique only by chance.
fn names_things(value_type: ValueType) -> bool {
    !matches!(value_type, ValueType::Float | ValueType::Decimal | ValueType::Bool)
}

/// Whether a column can be part of a key: it has a value in every row, not always the same, and names things.
fn is_eligible(column: &ColumnProfile) -> bool {
    column.nulls == 0 && column.distinct.count > 1 && names_things(column.value_type)
}

/// The pairs that could be unique: both columns have a value in every row and name things, and together they have
/// enough different values. The tightest fit comes first: columns that are made to identify rows waste little.
fn pairs(rows: u64, columns: &[ColumnProfile]) -> Vec<(usize, usize)> {
    let eligible: Vec<(usize, u64)> = columns
        .iter()
        .enumerate()
        .filter(|(_, column)| is_eligible(column))
        .map(|(index, column)| (index, column.distinct.count))
        .collect();
    let mut pairs = Vec::new();
    for (place, (a, a_count)) in eligible.iter().enumerate() {
        for (b, b_count) in eligible.iter().skip(place + 1) {
            // Estimated counts may be a few per cent too low.
            let combinations = u128::from(*a_count) * u128::from(*b_count) * 11 / 10;
            if combinations >= u128::from(rows) {
                pairs.push((combinations, *a, *b));
            }
        }
    }
    pairs.sort_unstable();
    pairs.truncate(PAIRS);
    pairs.into_iter().map(|(_, a, b)| (a, b)).collect()
}

/// The pairs that are unique in the file, in the order in which they came.
fn unique_pairs(
    path: &Path,
    pairs: Vec<(usize, usize)>,
) -> Result<Vec<(usize, usize, Certainty)>, ProfileError> {
    let mut source = source::open(path)?;
    let mut followed: Vec<_> =
        pairs.into_iter().map(|(a, b)| (a, b, UniqueSample::with_room(COMPARED))).collect();
    while let Some(batch) = source.next()? {
        followed.retain_mut(|(a, b, sample)| still_unique(&batch, *a, *b, sample));
        followed.truncate(FOLLOWED);
        if followed.is_empty() {
            break;
        }
    }
    Ok(followed.into_iter().filter_map(|(a, b, sample)| Some((a, b, sample.certainty()?))).collect())
}

fn still_unique(batch: &Batch, a: usize, b: usize, sample: &mut UniqueSample) -> bool {
    let mut both = batch.column(a).zip(batch.column(b));
    both.all(|((_, a), (_, b))| {
        sample.see(hash(a).rotate_left(32) ^ hash(b).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    })
}
