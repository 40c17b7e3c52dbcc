//! From a choice of values and prefixes to the bytes of a key or of a range.

use std::ops::Bound;

use tablesmith_model::key::{Key, KeyCodec, KeyEncodeError, Part};
use tablesmith_model::plan::KeyRange;
use tablesmith_model::row::prefix_end;
use tablesmith_model::value::Value;

use super::choice::Choice;
use super::outline::{Outline, is_known};
use crate::layout::Keys;
use crate::plan::known::Known;

/// Codecs of the first parts of a key, where parts that are spread take the prefix of a choice.
pub(super) struct Codecs<'o> {
    outline: &'o Outline<'o>,
    /// Of the known parts; none when there are no such parts.
    known: Option<KeyCodec>,
    /// Of the known parts and the bounded one.
    to_bounded: Option<KeyCodec>,
    /// Of all parts that a value of the bounded column also fixes.
    beyond: Option<KeyCodec>,
}

impl<'o> Codecs<'o> {
    pub fn of(keys: Keys<'_>, outline: &'o Outline<'o>, known: &Known<'_>) -> Self {
        let bounded = outline.known_parts + usize::from(outline.is_bounded);
        let beyond = bounded + beyond(outline, known);
        // Only what comes before the bounded part is spread: behind it a prefix follows from the bound.
        let codec = |parts: usize| {
            let parts = outline.key.parts.iter().enumerate().take(parts);
            let parts =
                parts.map(|(index, part)| if index < bounded { open(part, known) } else { part.clone() });
            codec(keys, parts.collect())
        };
        Self { outline, known: codec(outline.known_parts), to_bounded: codec(bounded), beyond: codec(beyond) }
    }

    /// The bytes of the known parts.
    pub fn known(&self, choice: &Choice<'_>) -> Result<Vec<u8>, KeyEncodeError> {
        encode(self.known.as_ref(), choice)
    }

    /// The range of a choice.
    pub fn range(&self, choice: &Choice<'_>, known: &Known<'_>) -> Result<KeyRange, KeyEncodeError> {
        if self.outline.is_bounded {
            self.bounded(choice, known)
        } else {
            self.known(choice).map(KeyRange::prefix)
        }
    }

    /// The range of a choice whose next part is bounded.
    fn bounded(&self, choice: &Choice<'_>, known: &Known<'_>) -> Result<KeyRange, KeyEncodeError> {
        let part = self.outline.key.parts.get(self.outline.known_parts);
        let field = part.and_then(|part| part.fields().first());
        let Some((field, (low, high))) =
            field.and_then(|field| known.stretches.get_key_value(field.as_str()))
        else {
            return Ok(KeyRange::prefix(self.known(choice)?));
        };
        let with = |value: &Value| {
            let mut choice = choice.clone();
            choice.values.push((field, value.clone()));
            choice
        };
        // A bucket holds values on both sides of a bound.
        let is_exact = !matches!(part, Some(Part::Bucket { .. }));
        let (first, last) = if matches!(part, Some(Part::Desc(_))) { (high, low) } else { (low, high) };
        let whole = KeyRange::prefix(self.known(choice)?);
        let start = match first {
            Bound::Unbounded => Some(whole.start),
            Bound::Excluded(value) if is_exact => {
                prefix_end(&encode(self.to_bounded.as_ref(), &with(value))?)
            }
            Bound::Included(value) | Bound::Excluded(value) => {
                Some(encode(self.beyond.as_ref(), &with(value))?)
            }
        };
        // Nothing comes after keys of nothing but 0xFF.
        let Some(start) = start else { return Ok(KeyRange { start: Vec::new(), end: Some(Vec::new()) }) };
        let end = match last {
            Bound::Unbounded => whole.end,
            Bound::Excluded(value) if is_exact => Some(encode(self.to_bounded.as_ref(), &with(value))?),
            Bound::Included(value) | Bound::Excluded(value) => {
                prefix_end(&encode(self.beyond.as_ref(), &with(value))?)
            }
        };
        Ok(KeyRange { start, end })
    }
}

/// A part whose prefix a choice says, unless it is known.
pub(super) fn open(part: &Part, known: &Known<'_>) -> Part {
    match part.prefixes() {
        Some(modulus) if !is_known(part, known) => Part::Random(modulus),
        _ => part.clone(),
    }
}

/// The codec of some parts of a layout's key. A codec of the whole key exists, so there is none only for no parts.
pub(super) fn codec(keys: Keys<'_>, parts: Vec<Part>) -> Option<KeyCodec> {
    Key { parts, encoding: keys.key.encoding }.codec(|name| keys.layout.type_of(name)).ok()
}

/// The bytes of a choice; nothing for no parts.
pub(super) fn encode(codec: Option<&KeyCodec>, choice: &Choice<'_>) -> Result<Vec<u8>, KeyEncodeError> {
    codec.map_or(Ok(Vec::new()), |codec| codec.encode(&mut choice.clone()))
}

/// How many parts after the bounded one are fixed too by a value of its column: they make a range tighter at both ends.
/// After a bucket only parts that sort with it, until the column itself has come.
fn beyond(outline: &Outline<'_>, known: &Known<'_>) -> usize {
    let Some(bounded) = outline.key.parts.get(outline.known_parts).filter(|_| outline.is_bounded) else {
        return 0;
    };
    let Some(column) = bounded.fields().first() else { return 0 };
    let mut is_exact = !matches!(bounded, Part::Bucket { .. });
    let after = outline.key.parts.iter().skip(outline.known_parts + 1);
    let fixed = after.take_while(|part| {
        let has_column = part.fields().contains(column);
        let others = part.fields().iter().filter(|field| *field != column);
        let has_one_value =
            |field: &String| known.values.get(field.as_str()).is_some_and(|values| values.len() == 1);
        let is_fixed = match part {
            Part::Const(_) => true,
            Part::RowNumber | Part::Random(_) | Part::Md5LineMod(_) => false,
            // A bound that such a part does not take says nothing about the rows beyond it.
            Part::Pad { .. } | Part::Mod { .. } | Part::Reverse(_) if has_column => false,
            _ => others.into_iter().all(has_one_value),
        };
        let sorts_along = matches!(part, Part::Field(_) | Part::Bucket { .. });
        let is_taken = is_fixed && (is_exact || !has_column || sorts_along);
        is_exact |= has_column && matches!(part, Part::Field(_));
        is_taken
    });
    fixed.count()
}
