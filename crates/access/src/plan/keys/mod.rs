//! Which rows: from conditions on the columns of a key to keys and ranges of keys.
//!
//! The parts of a key are gone through from the first on. A part is *known* when all its columns have values, *spread* when
//! it is a prefix whose columns are not known (then all prefixes are gone through), and the last part may be *bounded*
//! by a stretch of values. Each choice of values and prefixes gives one key, or one range.

mod choice;
mod codecs;
mod outline;
mod strands;

pub(super) use strands::{NoOrder, in_order_of_tail, strands};

use std::ops::Bound;

use tablesmith_model::key::{Key, KeyEncodeError, Part};
use tablesmith_model::plan::{Condition, KeyRange, Which};
use tablesmith_plan::rpc::{MOST_KEYS, MOST_RANGES};

use super::known::Known;
use crate::layout::Keys;
use codecs::Codecs;
use outline::Outline;

/// The rows that are read.
#[derive(Debug)]
pub(super) struct Found {
    pub which: Which,
    /// How many parts of the key are known, from the first on; prefixes that are gone through count.
    pub known_parts: usize,
    /// The column whose bounds the ranges keep exactly: no null and nothing beyond a bound is in them.
    pub exact: Option<String>,
}

/// Finds the fewest rows that have all that meet the conditions.
pub(super) fn find(keys: Keys<'_>, conditions: &[Condition]) -> Result<Found, KeyEncodeError> {
    let mut known = Known::of(conditions);
    list_few(keys.key, &mut known);
    loop {
        let outline = Outline::of(keys.key, &known);
        let most = if outline.is_whole { MOST_KEYS } else { MOST_RANGES };
        if outline.choices(&known) <= most {
            return found(keys, &outline, &known);
        }
        match outline.longest_list(&known) {
            Some(column) => known.stretch_instead(&column),
            None => return Ok(Found { which: Which::default(), known_parts: 0, exact: None }),
        }
    }
}

fn found(keys: Keys<'_>, outline: &Outline<'_>, known: &Known<'_>) -> Result<Found, KeyEncodeError> {
    let codecs = Codecs::of(keys, outline, known);
    let (mut whole, mut ranges) = (Vec::new(), Vec::new());
    for choice in outline.all_choices(known) {
        let made = if outline.is_whole {
            codecs.known(&choice).map(|key| whole.push(key))
        } else {
            codecs.range(&choice, known).map(|range| ranges.push(range))
        };
        if let Err(error) = made
            && !is_of_no_row(&error)
        {
            return Err(error);
        }
    }
    let which = if outline.is_whole {
        whole.sort();
        whole.dedup();
        Which::Keys(whole)
    } else {
        Which::Ranges(KeyRange::merged(ranges))
    };
    Ok(Found { which, known_parts: outline.known_parts, exact: exact(outline, known) })
}

/// The column of the bounded part, when the range of its bytes is that of its values. Nulls sort before all values.
fn exact(outline: &Outline<'_>, known: &Known<'_>) -> Option<String> {
    let (Part::Field(field) | Part::Desc(field)) =
        outline.key.parts.get(outline.known_parts).filter(|_| outline.is_bounded)?
    else {
        return None;
    };
    let (low, _) = known.stretches.get(field.as_str())?;
    (!matches!(low, Bound::Unbounded)).then(|| field.clone())
}

/// A value that no key can have is in no row.
fn is_of_no_row(error: &KeyEncodeError) -> bool {
    matches!(error, KeyEncodeError::DoesNotFit { .. } | KeyEncodeError::TooLong { .. })
}

/// Where a stretch of a column has fewer values than a prefix made of it, only the prefixes of those values are of
/// interest: then they are looked for one by one. A column that comes before its prefix needs none.
fn list_few(key: &Key, known: &mut Known<'_>) {
    for (index, part) in key.parts.iter().enumerate() {
        let (Some(modulus), [field]) = (part.prefixes(), part.fields()) else { continue };
        let mut before = key.parts.iter().take(index);
        if !before.any(|part| part.fields().contains(field)) {
            known.list_instead(field, modulus.get());
        }
    }
}
