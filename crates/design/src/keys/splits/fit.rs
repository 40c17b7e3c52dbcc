//! Whether split points go with the alphabet of the keys.

use tablesmith_model::bytes_text;

use super::SplitMethod;
use crate::keys::judge::SplitLoad;

/// What keys look like, as far as split points care.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyShape {
    /// How all keys begin.
    pub common: Vec<u8>,
    /// The kind of characters that follow.
    pub alphabet: Alphabet,
    /// How many different bytes stand where keys first differ.
    pub first_bytes: usize,
}

/// A kind of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// 0 to 9.
    Decimal,
    /// 0 to 9 and a to f.
    HexSmall,
    /// 0 to 9 and A to F.
    HexCapital,
    /// Anything that prints.
    Text,
    /// Any bytes.
    Bytes,
}

/// Bytes of a key, behind what all have in common, that split points look at.
const LOOKED_AT: usize = 8;

impl KeyShape {
    /// What some keys, in order, look like.
    pub fn of<'k>(keys: impl Iterator<Item = &'k [u8]>) -> Self {
        let keys: Vec<&[u8]> = keys.collect();
        let (first, last) =
            (keys.first().copied().unwrap_or_default(), keys.last().copied().unwrap_or_default());
        let common: Vec<u8> =
            first.iter().zip(last).take_while(|(one, two)| one == two).map(|(one, _)| *one).collect();
        let mut seen = [false; 256];
        let mut firsts = [false; 256];
        for key in &keys {
            let mut rest = key.iter().skip(common.len()).take(LOOKED_AT).peekable();
            mark(&mut firsts, rest.peek().copied());
            rest.for_each(|byte| mark(&mut seen, Some(byte)));
        }
        let all = |accept: fn(&u8) -> bool| (0..=255).zip(seen).all(|(byte, seen)| !seen || accept(&byte));
        let alphabet = if all(u8::is_ascii_digit) {
            Alphabet::Decimal
        } else if all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f')) {
            Alphabet::HexSmall
        } else if all(|byte| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F')) {
            Alphabet::HexCapital
        } else if all(|byte| matches!(byte, 0 | b' '..=b'~')) {
            Alphabet::Text
        } else {
            Alphabet::Bytes
        };
        Self { common, alphabet, first_bytes: firsts.into_iter().filter(|seen| *seen).count() }
    }
}

fn mark(seen: &mut [bool; 256], byte: Option<&u8>) {
    if let Some(seen) = byte.and_then(|byte| seen.get_mut(usize::from(*byte))) {
        *seen = true;
    }
}

/// What is wrong with split points over keys, in sentences.
pub fn warnings<'k>(
    method: SplitMethod,
    load: &SplitLoad,
    sorted: impl Iterator<Item = &'k [u8]>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    if matches!(method, SplitMethod::Hex | SplitMethod::Uniform | SplitMethod::Decimal) {
        warnings.extend(misfit(method, &KeyShape::of(sorted)));
    }
    let regions = load.rows.len();
    if regions < load.asked
        && matches!(method, SplitMethod::Quantile | SplitMethod::Prefix)
        && load.region_rows.max > 0.0
    {
        warnings.push(format!(
            "only {regions} of {} regions could be made: there are too few different keys, or single keys weigh more \
             than a region should",
            load.asked
        ));
    }
    let empty = load.rows.iter().filter(|rows| **rows == 0.0).count();
    if empty > 0 && load.region_rows.max > 0.0 {
        warnings.push(format!("{empty} of {regions} regions get no row under these split points"));
    }
    warnings
}

/// Why the points of an alphabet do not go with keys, as a sentence.
pub fn misfit(method: SplitMethod, shape: &KeyShape) -> Option<String> {
    let instead = "take quantile split points, or prefix ones with a prefix";
    if !shape.common.is_empty() {
        let common = bytes_text::to_text(&shape.common);
        return Some(format!(
            "all keys begin with \"{common}\", and the points of {method} divide the first bytes: nearly all rows go to one \
             region; {instead}"
        ));
    }
    let why = match (method, shape.alphabet) {
        (SplitMethod::Hex, Alphabet::HexSmall) | (SplitMethod::Decimal, Alphabet::Decimal) => return None,
        (SplitMethod::Uniform, Alphabet::Bytes) if shape.first_bytes > 128 => return None,
        (SplitMethod::Hex, Alphabet::Decimal) => {
            "hexadecimal points over decimal keys: regions from a to f stay empty".to_owned()
        }
        (SplitMethod::Hex, Alphabet::HexCapital) => {
            "hexadecimal points with small letters over keys with capital ones: A to F sort before a, so that they all go \
             to one region"
                .to_owned()
        }
        (SplitMethod::Decimal, Alphabet::HexSmall | Alphabet::HexCapital) => {
            "decimal points over hexadecimal keys: all that begin with a letter go to the last region".to_owned()
        }
        (SplitMethod::Uniform, _) => format!(
            "byte arithmetic over keys that begin with only {} different bytes of 256: most regions stay empty",
            shape.first_bytes
        ),
        (_, alphabet) => format!("the points of {method} are digits, and the keys are {}", alphabet.name()),
    };
    Some(format!("{why}; {instead}"))
}

impl Alphabet {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decimal => "decimal digits",
            Self::HexSmall => "hexadecimal digits",
            Self::HexCapital => "hexadecimal digits with capital letters",
            Self::Text => "other text",
            Self::Bytes => "bytes",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(method: SplitMethod, keys: &[&str]) -> Option<String> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        misfit(method, &KeyShape::of(keys.into_iter().map(str::as_bytes)))
    }

    #[test]
    fn points_that_go_with_the_keys_are_not_warned_of() {
        assert_eq!(told(SplitMethod::Hex, &["0a", "ff"]), None);
        assert_eq!(told(SplitMethod::Decimal, &["01", "99"]), None);
        let keys: Vec<Vec<u8>> = (0..=255_u8).map(|byte| vec![byte, 7]).collect();
        assert_eq!(misfit(SplitMethod::Uniform, &KeyShape::of(keys.iter().map(Vec::as_slice))), None);
    }

    #[test]
    fn points_of_another_alphabet_are_warned_of() {
        let cases = [
            (SplitMethod::Hex, &["01", "99"][..], "from a to f"),
            (SplitMethod::Hex, &["0A", "FF"], "capital"),
            (SplitMethod::Hex, &["xa", "yf"], "other text"),
            (SplitMethod::Decimal, &["0a", "ff"], "begin with a letter"),
            (SplitMethod::Uniform, &["0a", "ff"], "2 different bytes"),
            (SplitMethod::Decimal, &["user123", "user456"], "begin with \"user\""),
        ];
        for (method, keys, expected) in cases {
            let told = told(method, keys).unwrap();
            assert!(told.contains(expected) && told.contains("quantile"), "{told}");
        }
    }

    #[test]
    fn no_keys_have_no_shape_to_misfit() {
        assert_eq!(KeyShape::of(std::iter::empty()).alphabet, Alphabet::Decimal);
    }
}
