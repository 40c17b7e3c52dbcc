//! Operators and comparators as text.

use bytes::Bytes;

use super::arguments::Argument;
use super::error::{ParseError, Problem};
use crate::filter::{BitOp, Comparator, CompareOp, RegexFlags};

/// An operator, its sign and its word.
const OPERATORS: [(CompareOp, &str, &str); 7] = [
    (CompareOp::Less, "<", "LESS"),
    (CompareOp::LessOrEqual, "<=", "LESS_OR_EQUAL"),
    (CompareOp::Equal, "=", "EQUAL"),
    (CompareOp::NotEqual, "!=", "NOT_EQUAL"),
    (CompareOp::GreaterOrEqual, ">=", "GREATER_OR_EQUAL"),
    (CompareOp::Greater, ">", "GREATER"),
    // It has no sign in HBase's language.
    (CompareOp::NoOp, "NO_OP", "NO_OP"),
];

/// Whether a filter takes every operator with every comparator, or signs for order only with what has an order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pairing {
    Any,
    Sensible,
}

/// Whether the comparator knows only "fits" and "does not fit", in the eyes of HBase's parser.
fn is_text(comparator: &Comparator) -> bool {
    matches!(comparator, Comparator::Substring(_) | Comparator::Regex { .. })
}

fn is_sign_refused(op: CompareOp, comparator: &Comparator, pairing: Pairing) -> bool {
    pairing == Pairing::Sensible
        && is_text(comparator)
        && !matches!(op, CompareOp::Equal | CompareOp::NotEqual)
}

/// Reads an operator and a comparator.
pub(super) fn parse(
    operator: &Argument<'_>,
    comparator: &Argument<'_>,
    pairing: Pairing,
) -> Result<(CompareOp, Comparator), ParseError> {
    let text = operator.bare().unwrap_or_default();
    let is = |name: &str| name.as_bytes() == text;
    let (op, _, word) = OPERATORS
        .into_iter()
        .find(|(_, sign, word)| is(sign) || is(word))
        .ok_or_else(|| operator.expected("one of <, <=, =, !=, >=, > without quotes"))?;
    let value = parse_comparator(comparator)?;
    if !is(word) && is_sign_refused(op, &value, pairing) {
        return Err(Problem::OperatorForText.at(operator.offset));
    }
    Ok((op, value))
}

fn parse_comparator(argument: &Argument<'_>) -> Result<Comparator, ParseError> {
    let expected = || {
        argument.expected(
            "a comparator in single quotes: 'binary:…', 'binaryprefix:…', 'substring:…', 'regexstring:…' or \
             'regexstringnocase:…'",
        )
    };
    let bytes = argument.quoted()?;
    let colon = bytes.iter().position(|&byte| byte == b':').ok_or_else(expected)?;
    let value = bytes.slice(colon + 1..);
    let text = || String::from_utf8_lossy(&value).into_owned();
    Ok(match bytes.get(..colon).unwrap_or_default() {
        b"binary" => Comparator::Binary(value),
        b"binaryprefix" => Comparator::BinaryPrefix(value),
        b"substring" => Comparator::Substring(text()),
        b"regexstring" => Comparator::regex(text()),
        b"regexstringnocase" => Comparator::regex_in_any_case(text()),
        b"bitand" => Comparator::Bit { op: BitOp::And, bytes: value },
        b"bitor" => Comparator::Bit { op: BitOp::Or, bytes: value },
        b"bitxor" => Comparator::Bit { op: BitOp::Xor, bytes: value },
        b"null" if value.is_empty() => Comparator::Null,
        b"long" => text().parse().map(Comparator::Long).map_err(|_| expected())?,
        _ => return Err(expected()),
    })
}

/// The operator as text: the sign if HBase takes it with this comparator.
pub(super) fn print_operator(op: CompareOp, comparator: &Comparator, pairing: Pairing) -> &'static str {
    let found = OPERATORS.iter().find(|(other, ..)| *other == op);
    let use_word = is_sign_refused(op, comparator, pairing);
    found.map_or("NO_OP", |(_, sign, word)| if use_word { word } else { sign })
}

/// The comparator as text, not yet in quotes.
pub(super) fn print_comparator(comparator: &Comparator) -> Vec<u8> {
    let (kind, value) = match comparator {
        Comparator::Binary(bytes) => ("binary", bytes.clone()),
        Comparator::BinaryPrefix(bytes) => ("binaryprefix", bytes.clone()),
        Comparator::Substring(text) => ("substring", Bytes::copy_from_slice(text.as_bytes())),
        Comparator::Regex { pattern, flags, .. } => {
            let kind = if *flags == RegexFlags::DOT_ALL { "regexstring" } else { "regexstringnocase" };
            (kind, Bytes::copy_from_slice(pattern.as_bytes()))
        }
        Comparator::Bit { op: BitOp::And, bytes } => ("bitand", bytes.clone()),
        Comparator::Bit { op: BitOp::Or, bytes } => ("bitor", bytes.clone()),
        Comparator::Bit { op: BitOp::Xor, bytes } => ("bitxor", bytes.clone()),
        // These two have no text: filters with them are refused before.
        Comparator::BinaryComponent { bytes, .. } => ("binarycomponent", bytes.clone()),
        Comparator::BigDecimal { unscaled, .. } => ("bigdecimal", unscaled.clone()),
        Comparator::Null => ("null", Bytes::new()),
        Comparator::Long(number) => ("long", number.to_string().into()),
    };
    [kind.as_bytes(), b":", &value].concat()
}
