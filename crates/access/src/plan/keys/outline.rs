//! What conditions say of a key, part by part.

use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::Value;

use super::choice::Choice;
use crate::plan::known::Known;

/// What of a key conditions say.
pub(super) struct Outline<'k> {
    /// The key.
    pub key: &'k Key,
    /// Parts that are known or spread.
    pub known_parts: usize,
    /// Whether the part after them is bounded.
    pub is_bounded: bool,
    /// Whether all parts are known.
    pub is_whole: bool,
}

impl<'k> Outline<'k> {
    /// As far as the fewest rows go.
    pub fn of(key: &'k Key, known: &Known<'_>) -> Self {
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

    /// As far as the rows of each choice come in the order of their ids: all prefixes are fixed. Else the part that is in
    /// the way: its values are not known, and a prefix comes after it.
    pub fn in_order(key: &'k Key, known: &Known<'_>) -> Result<Self, &'k Part> {
        let Some(last) = last_prefix(key) else { return Ok(Self::of(key, known)) };
        let mut before = key.parts.iter().take(last);
        if let Some(part) = before.find(|part| part.prefixes().is_none() && !is_known(part, known)) {
            return Err(part);
        }
        let outline = Self::of(key, known);
        Ok(Self { known_parts: outline.known_parts.max(last + 1), ..outline })
    }

    /// The parts that each choice fixes.
    pub fn fixed(&self) -> &'k [Part] {
        let used = self.known_parts + usize::from(self.is_bounded);
        self.key.parts.get(..used).unwrap_or_default()
    }

    /// The moduli of the parts that are spread.
    pub fn spreads(&self, known: &Known<'_>) -> Vec<u64> {
        let parts = self.fixed().iter().filter(|part| !is_known(part, known));
        parts.filter_map(|part| part.prefixes()).map(|modulus| modulus.get()).collect()
    }

    /// The columns whose values are chosen from. Those with one value need no choice.
    pub fn chosen<'c>(&self, known: &Known<'c>) -> Vec<&'c str> {
        let fixed = self.fixed();
        let is_used =
            |column: &str| fixed.iter().any(|part| part.fields().iter().any(|field| field == column));
        let lists = known.values.iter().filter(|(column, values)| values.len() != 1 && is_used(column));
        lists.map(|(column, _)| *column).collect()
    }

    /// How many choices there are.
    pub fn choices(&self, known: &Known<'_>) -> usize {
        let lists =
            self.chosen(known).into_iter().filter_map(|column| known.values.get(column)).map(Vec::len);
        let spreads =
            self.spreads(known).into_iter().map(|modulus| usize::try_from(modulus).unwrap_or(usize::MAX));
        lists.chain(spreads).fold(1, usize::saturating_mul)
    }

    /// The column with the most values to choose from.
    pub fn longest_list(&self, known: &Known<'_>) -> Option<String> {
        let columns = self.chosen(known).into_iter();
        let lists = columns.filter_map(|column| Some((known.values.get(column)?.len(), column)));
        lists.filter(|(length, _)| *length > 1).max().map(|(_, column)| column.to_owned())
    }

    /// Every choice of values and prefixes.
    pub fn all_choices<'c>(&self, known: &Known<'c>) -> Vec<Choice<'c>> {
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
pub(super) fn is_known(part: &Part, known: &Known<'_>) -> bool {
    match part {
        Part::Const(_) => true,
        Part::RowNumber | Part::Random(_) | Part::Md5LineMod(_) => false,
        part => part.fields().iter().all(|field| known.values.contains_key(field.as_str())),
    }
}

/// The place of the last prefix of a key.
pub(super) fn last_prefix(key: &Key) -> Option<usize> {
    key.parts.iter().rposition(|part| part.prefixes().is_some())
}
