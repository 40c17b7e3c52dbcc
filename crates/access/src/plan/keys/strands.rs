//! Strands: the ranges that, merged, give rows in the order of their ids.

use tablesmith_model::key::{KeyEncodeError, Part};
use tablesmith_model::plan::{Condition, Strand};

use super::codecs::{Codecs, codec, encode, open};
use super::outline::{Outline, is_known, last_prefix};
use super::{is_of_no_row, list_few};
use crate::layout::Keys;
use crate::plan::known::Known;

/// More strands than this are not merged.
const MOST_STRANDS: usize = 10_000;

/// Why rows cannot be read in the order of their ids.
#[derive(Debug)]
pub(in crate::plan) enum NoOrder {
    /// This part comes before a prefix and has no value.
    Behind(Part),
    /// There are so many strands.
    TooMany(usize),
    /// A value does not go into the key.
    Key(KeyEncodeError),
}

/// The strands that have all rows that meet the conditions, in the order of their keys.
pub(in crate::plan) fn strands(keys: Keys<'_>, conditions: &[Condition]) -> Result<Vec<Strand>, NoOrder> {
    let mut known = Known::of(conditions);
    list_few(keys.key, &mut known);
    loop {
        let outline = Outline::in_order(keys.key, &known).map_err(|part| NoOrder::Behind(part.clone()))?;
        let choices = outline.choices(&known);
        if choices <= MOST_STRANDS {
            return made(keys, &outline, &known).map_err(NoOrder::Key);
        }
        match outline.longest_list(&known) {
            Some(column) => known.stretch_instead(&column),
            None => return Err(NoOrder::TooMany(choices)),
        }
    }
}

fn made(keys: Keys<'_>, outline: &Outline<'_>, known: &Known<'_>) -> Result<Vec<Strand>, KeyEncodeError> {
    let codecs = Codecs::of(keys, outline, known);
    let to_tail = last_prefix(keys.key).map_or(0, |last| last + 1);
    let before_tail = keys.key.parts.iter().take(to_tail);
    let prefix_codec = codec(keys, before_tail.clone().map(|part| open(part, known)).collect());
    let head_codec = codec(keys, before_tail.filter(|part| part.prefixes().is_none()).cloned().collect());
    let mut strands = Vec::new();
    for choice in outline.all_choices(known) {
        let strand = || {
            let range = codecs.range(&choice, known)?;
            let prefix = encode(prefix_codec.as_ref(), &choice)?;
            Ok(Strand { range, prefix, head: encode(head_codec.as_ref(), &choice)? })
        };
        match strand() {
            Ok(strand) => strands.push(strand),
            Err(error) if is_of_no_row(&error) => {}
            Err(error) => return Err(error),
        }
    }
    strands.retain(|strand| !strand.range.is_empty());
    strands.sort_by(|one, two| one.range.cmp(&two.range));
    // Values with one digest, or in one bucket, have one range.
    strands.dedup_by(|one, two| one.range == two.range);
    Ok(strands)
}

/// The strands that have all rows that meet the conditions, and whose rows, merged by what follows the first `lead` parts
/// of their keys, come in the order of the parts after those. All the first parts must be known or prefixes.
pub(in crate::plan) fn in_order_of_tail(
    keys: Keys<'_>,
    conditions: &[Condition],
    lead: usize,
) -> Result<Option<Vec<Strand>>, KeyEncodeError> {
    let mut known = Known::of(conditions);
    list_few(keys.key, &mut known);
    let outline = Outline::of(keys.key, &known);
    let outline = Outline { known_parts: outline.known_parts.max(lead), ..outline };
    let before = keys.key.parts.iter().take(lead);
    if outline.choices(&known) > MOST_STRANDS
        || before.clone().any(|part| part.prefixes().is_none() && !is_known(part, &known))
    {
        return Ok(None);
    }
    let codecs = Codecs::of(keys, &outline, &known);
    let prefix_codec = codec(keys, before.map(|part| open(part, &known)).collect());
    let mut strands = Vec::new();
    for choice in outline.all_choices(&known) {
        let strand = || {
            let range = codecs.range(&choice, &known)?;
            Ok(Strand { range, prefix: encode(prefix_codec.as_ref(), &choice)?, head: Vec::new() })
        };
        match strand() {
            Ok(strand) => strands.push(strand),
            Err(error) if is_of_no_row(&error) => {}
            Err(error) => return Err(error),
        }
    }
    strands.retain(|strand| !strand.range.is_empty());
    strands.sort_by(|one, two| one.range.cmp(&two.range));
    strands.dedup_by(|one, two| one.range == two.range);
    Ok(Some(strands))
}
