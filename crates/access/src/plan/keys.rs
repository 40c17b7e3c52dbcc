//! Which rows: from conditions on the columns of a key to keys and ranges of keys.
//!
//! The parts of a key are gone through from the first on. A part is *known* when all its columns have values, *spread* when
//! it is a prefix whose columns are not known (then all prefixes are gone through), and the last part may be *bounded*
//! by a stretch of values. Each choice of values and prefixes gives one key, or one range.

use std::ops::Bound;

use tablesmith_model::key::{Key, KeyCodec, KeyEncodeError, KeyInput, Part};
use tablesmith_model::plan::{Condition, KeyRange, Which};
use tablesmith_model::row::prefix_end;
use tablesmith_model::value::Value;

use super::known::Known;
use crate::layout::Layout;

/// More ranges than this are not worth their seeks.
const MOST_RANGES: usize = 1_024;
/// More keys than this are not asked one by one.
const MOST_KEYS: usize = 10_000;

/// The rows that are read.
#[derive(Debug)]
pub(super) struct Found {
    pub which: Which,
    /// How many parts of the key are known, from the first on; prefixes that are gone through count.
    pub known_parts: usize,
}

/// Finds the fewest rows that have all that meet the conditions.
pub(super) fn find(layout: &Layout, conditions: &[Condition]) -> Result<Found, KeyEncodeError> {
    let mut known = Known::of(conditions);
    loop {
        let outline = Outline::of(&layout.key, &known);
        let most = if outline.is_whole { MOST_KEYS } else { MOST_RANGES };
        if outline.choices(&known) <= most {
            return outline.find(layout, &known);
        }
        match outline.longest_list(&known) {
            Some(column) => known.stretch_instead(&column),
            None => return Ok(Found { which: Which::default(), known_parts: 0 }),
        }
    }
}

/// What of a key conditions say.
struct Outline<'k> {
    key: &'k Key,
    /// Parts that are known or spread.
    known_parts: usize,
    /// Whether the part after them is bounded.
    is_bounded: bool,
    /// Whether all parts are known.
    is_whole: bool,
}

impl<'k> Outline<'k> {
    fn of(key: &'k Key, known: &Known<'_>) -> Self {
        let mut outline = Self { key, known_parts: 0, is_bounded: false, is_whole: false };
        for (index, part) in key.parts.iter().enumerate() {
            if is_known(part, known) {
                outline.known_parts = index + 1;
            } else if let (Part::Field(field) | Part::Desc(field) | Part::Bucket { field, .. }, true) =
                (part, part.fields().iter().all(|field| known.stretches.contains_key(field.as_str())))
            {
                outline.is_bounded = known.stretches.contains_key(field.as_str());
                outline.known_parts = index;
                return outline;
            } else if part.prefixes().is_none() {
                // A spread part counts only when something after it is known.
                return outline;
            }
        }
        outline.is_whole = outline.known_parts == key.parts.len() && !key.parts.is_empty();
        outline
    }

    /// The parts that each choice fixes.
    fn fixed(&self) -> &'k [Part] {
        let used = self.known_parts + usize::from(self.is_bounded);
        self.key.parts.get(..used).unwrap_or_default()
    }

    /// The moduli of the parts that are spread.
    fn spreads(&self, known: &Known<'_>) -> Vec<u64> {
        let parts = self.fixed().iter().filter(|part| !is_known(part, known));
        parts.filter_map(|part| part.prefixes()).map(|modulus| modulus.get()).collect()
    }

    /// The columns whose values are chosen from. Those with one value need no choice.
    fn chosen<'c>(&self, known: &Known<'c>) -> Vec<&'c str> {
        let fixed = self.fixed();
        let is_used =
            |column: &str| fixed.iter().any(|part| part.fields().iter().any(|field| field == column));
        let lists = known.values.iter().filter(|(column, values)| values.len() != 1 && is_used(column));
        lists.map(|(column, _)| *column).collect()
    }

    /// How many choices there are.
    fn choices(&self, known: &Known<'_>) -> usize {
        let lists =
            self.chosen(known).into_iter().filter_map(|column| known.values.get(column)).map(Vec::len);
        let spreads =
            self.spreads(known).into_iter().map(|modulus| usize::try_from(modulus).unwrap_or(usize::MAX));
        lists.chain(spreads).fold(1, usize::saturating_mul)
    }

    fn longest_list(&self, known: &Known<'_>) -> Option<String> {
        let columns = self.chosen(known).into_iter();
        let lists = columns.filter_map(|column| Some((known.values.get(column)?.len(), column)));
        lists.filter(|(length, _)| *length > 1).max().map(|(_, column)| column.to_owned())
    }

    fn find(&self, layout: &Layout, known: &Known<'_>) -> Result<Found, KeyEncodeError> {
        let codecs = Codecs::of(layout, self, known)?;
        let (mut keys, mut ranges) = (Vec::new(), Vec::new());
        for choice in self.all_choices(known) {
            let found = if self.is_whole {
                codecs.key(&choice).map(|key| keys.push(key))
            } else if self.is_bounded {
                codecs.bounded(&choice, known).map(|range| ranges.push(range))
            } else {
                codecs.known(&choice).map(|prefix| ranges.push(KeyRange::prefix(prefix)))
            };
            match found {
                // A value that no key can have is in no row.
                Ok(()) | Err(KeyEncodeError::DoesNotFit { .. } | KeyEncodeError::TooLong { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let which = if self.is_whole {
            keys.sort();
            keys.dedup();
            Which::Keys(keys)
        } else {
            Which::Ranges(KeyRange::merged(ranges))
        };
        Ok(Found { which, known_parts: self.known_parts })
    }

    /// Every choice of values and prefixes.
    fn all_choices<'c>(&self, known: &Known<'c>) -> Vec<Choice<'c>> {
        let single = |(column, values): (&&'c str, &Vec<Value>)| match values.as_slice() {
            [value] => Some((*column, value.clone())),
            _ => None,
        };
        let mut choices =
            vec![Choice { values: known.values.iter().filter_map(single).collect(), ..Choice::default() }];
        for column in self.chosen(known) {
            let values = known.values.get(column).map(Vec::as_slice).unwrap_or_default();
            let with = |choice: &Choice<'c>| {
                let one = |value: &Value| {
                    let mut choice = choice.clone();
                    choice.values.push((column, value.clone()));
                    choice
                };
                values.iter().map(one).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(with).collect();
        }
        for modulus in self.spreads(known) {
            let with = |choice: &Choice<'c>| {
                let choice = choice.clone();
                (0..modulus).map(move |prefix| {
                    let mut choice = choice.clone();
                    choice.prefixes.push(prefix);
                    choice
                })
            };
            choices = choices.iter().flat_map(with).collect();
        }
        choices
    }
}

/// Whether all columns of a part have values, and nothing else is needed.
fn is_known(part: &Part, known: &Known<'_>) -> bool {
    match part {
        Part::Const(_) => true,
        Part::RowNumber | Part::Random(_) | Part::Md5LineMod(_) => false,
        part => part.fields().iter().all(|field| known.values.contains_key(field.as_str())),
    }
}

/// One choice of values and prefixes.
#[derive(Clone, Debug, Default)]
struct Choice<'c> {
    values: Vec<(&'c str, Value)>,
    prefixes: Vec<u64>,
    /// How many of the prefixes were asked for.
    asked: usize,
}

impl KeyInput for Choice<'_> {
    fn value(&self, field: &str) -> Option<&Value> {
        self.values.iter().find(|(column, _)| *column == field).map(|(_, value)| value)
    }

    fn random_below(&mut self, _bound: u64) -> Option<u64> {
        let prefix = self.prefixes.get(self.asked).copied();
        self.asked += 1;
        prefix
    }
}

/// Codecs of the first parts of a key, where parts that are spread take the prefix of a choice.
struct Codecs<'o> {
    outline: &'o Outline<'o>,
    /// Of the known parts; none when there are no such parts.
    known: Option<KeyCodec>,
    /// Of the known parts and the bounded one.
    to_bounded: Option<KeyCodec>,
    /// Of all parts that a value of the bounded column also fixes.
    beyond: Option<KeyCodec>,
}

impl<'o> Codecs<'o> {
    fn of(layout: &Layout, outline: &'o Outline<'o>, known: &Known<'_>) -> Result<Self, KeyEncodeError> {
        let codec = |parts: usize| {
            let parts = outline.key.parts.iter().take(parts);
            let spread = parts.map(|part| match part.prefixes() {
                Some(modulus) if !is_known(part, known) => Part::Random(modulus),
                _ => part.clone(),
            });
            // A codec of the whole key exists, so only an empty one fails.
            Key { parts: spread.collect(), encoding: outline.key.encoding }
                .codec(|name| layout.type_of(name))
                .ok()
        };
        let bounded = outline.known_parts + usize::from(outline.is_bounded);
        let beyond = bounded + beyond(outline, known);
        Ok(Self {
            outline,
            known: codec(outline.known_parts),
            to_bounded: codec(bounded),
            beyond: codec(beyond),
        })
    }

    fn key(&self, choice: &Choice<'_>) -> Result<Vec<u8>, KeyEncodeError> {
        encode(self.known.as_ref(), choice)
    }

    fn known(&self, choice: &Choice<'_>) -> Result<Vec<u8>, KeyEncodeError> {
        encode(self.known.as_ref(), choice)
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

fn encode(codec: Option<&KeyCodec>, choice: &Choice<'_>) -> Result<Vec<u8>, KeyEncodeError> {
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
