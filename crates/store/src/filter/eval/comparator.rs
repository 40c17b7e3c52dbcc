//! Comparing a value with what a filter or a check-and-mutate gives.

use std::cmp::Ordering;

use bytes::Bytes;

use super::FilterError;
use super::pattern::Pattern;
use crate::filter::{BitOp, Comparator, CompareOp, RegexFlags};

/// A comparator that is ready to run: patterns are compiled, text is in lower case.
#[derive(Clone, Debug)]
pub struct CompiledComparator(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Binary(Bytes),
    BinaryPrefix(Bytes),
    Substring(String),
    Regex { pattern: Pattern, is_empty: bool },
    Bit { op: BitOp, bytes: Bytes },
    Null,
    Long(i64),
}

impl CompiledComparator {
    /// Prepares a comparator; refuses a pattern that is none.
    pub fn new(comparator: &Comparator) -> Result<Self, FilterError> {
        Ok(Self(match comparator {
            Comparator::Binary(bytes) => Kind::Binary(bytes.clone()),
            Comparator::BinaryPrefix(bytes) => Kind::BinaryPrefix(bytes.clone()),
            Comparator::Substring(text) => Kind::Substring(text.to_lowercase()),
            Comparator::Regex { pattern, flags, charset } => {
                let ignore_case = ignores_case(*flags, charset)?;
                Kind::Regex { pattern: Pattern::new(pattern, ignore_case)?, is_empty: pattern.is_empty() }
            }
            Comparator::Bit { op, bytes } => Kind::Bit { op: *op, bytes: bytes.clone() },
            Comparator::Null => Kind::Null,
            Comparator::Long(number) => Kind::Long(*number),
            Comparator::BinaryComponent { .. } => return Err(unsupported("BinaryComponentComparator")),
            Comparator::BigDecimal { .. } => return Err(unsupported("BigDecimalComparator")),
        }))
    }

    /// How what is given stands to the value: what is given is on the left. Comparators that only know "fits" and
    /// "does not fit" say `Equal` and `Greater`.
    fn order(&self, value: &[u8]) -> Ordering {
        let fits = |fits: bool| if fits { Ordering::Equal } else { Ordering::Greater };
        match &self.0 {
            Kind::Binary(given) => given.as_ref().cmp(value),
            Kind::BinaryPrefix(given) => given.as_ref().cmp(value.get(..given.len()).unwrap_or(value)),
            Kind::Substring(given) => fits(contains_in_any_case(value, given)),
            Kind::Regex { pattern, .. } => fits(pattern.is_found_in(&String::from_utf8_lossy(value))),
            Kind::Bit { op, bytes } => fits(any_bit(*op, bytes, value)),
            // A value that exists is never null, not even an empty one.
            Kind::Null => Ordering::Greater,
            Kind::Long(given) => given.cmp(&first_eight_bytes(value)),
        }
    }

    /// Whether HBase's check-and-mutate takes this comparator for "the column has no value".
    fn means_absent(&self) -> bool {
        match &self.0 {
            Kind::Binary(bytes) | Kind::BinaryPrefix(bytes) | Kind::Bit { bytes, .. } => bytes.is_empty(),
            Kind::Substring(text) => text.is_empty(),
            Kind::Regex { is_empty, .. } => *is_empty,
            Kind::Null => true,
            Kind::Long(_) => false,
        }
    }
}

/// Whether a pattern fits in any case; refuses flags and character sets other than those of HBase's filter language.
pub(in crate::filter) fn ignores_case(flags: RegexFlags, charset: &str) -> Result<bool, FilterError> {
    const IN_ANY_CASE: RegexFlags = RegexFlags(RegexFlags::DOT_ALL.0 | RegexFlags::CASE_INSENSITIVE.0);
    match (flags, charset) {
        (RegexFlags::DOT_ALL, "UTF-8") => Ok(false),
        (IN_ANY_CASE, "UTF-8") => Ok(true),
        _ => Err(unsupported("RegexStringComparator with other flags or another character set")),
    }
}

fn unsupported(what: &str) -> FilterError {
    FilterError::Unsupported { what: what.to_owned() }
}

/// Whether *given op value* holds, in the sense of check-and-mutate: `Less` means that what is given is less than
/// the value. [`CompareOp::NoOp`] holds never.
pub fn compare(op: CompareOp, comparator: &CompiledComparator, value: &[u8]) -> bool {
    holds(op, || comparator.order(value))
}

/// Whether the condition of a check-and-mutate holds for a column's newest value, `None` if it has none. A column
/// without a value fits no comparator, except one that gives nothing to compare with: that asks whether the value is
/// missing or empty (with [`CompareOp::NotEqual`], whether it is not).
pub fn check(op: CompareOp, comparator: &CompiledComparator, value: Option<&[u8]>) -> bool {
    if comparator.means_absent() {
        return value.is_none_or(<[u8]>::is_empty) == (op != CompareOp::NotEqual);
    }
    value.is_some_and(|value| compare(op, comparator, value))
}

/// What a filter compares with. Here the cell stands on the left: `Less` means that the cell is less.
#[derive(Debug)]
pub(super) struct Comparison {
    op: CompareOp,
    comparator: CompiledComparator,
}

impl Comparison {
    pub(super) fn new(op: CompareOp, comparator: &Comparator) -> Result<Self, FilterError> {
        Ok(Self { op, comparator: CompiledComparator::new(comparator)? })
    }

    /// As [`Self::new`], and refuses the operator that compares nothing.
    pub(super) fn with_operator(op: CompareOp, comparator: &Comparator) -> Result<Self, FilterError> {
        if op == CompareOp::NoOp { Err(FilterError::NoOperator) } else { Self::new(op, comparator) }
    }

    pub(super) fn holds(&self, bytes: &[u8]) -> bool {
        holds(self.op, || self.comparator.order(bytes).reverse())
    }
}

fn holds(op: CompareOp, order: impl FnOnce() -> Ordering) -> bool {
    match op {
        CompareOp::Less => order().is_lt(),
        CompareOp::LessOrEqual => order().is_le(),
        CompareOp::Equal => order().is_eq(),
        CompareOp::NotEqual => order().is_ne(),
        CompareOp::GreaterOrEqual => order().is_ge(),
        CompareOp::Greater => order().is_gt(),
        CompareOp::NoOp => false,
    }
}

/// Whether `value`, read as UTF-8 and in lower case, contains `text`, which is in lower case.
fn contains_in_any_case(value: &[u8], text: &str) -> bool {
    if !value.is_ascii() {
        return String::from_utf8_lossy(value).to_lowercase().contains(text);
    }
    text.is_empty() || value.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text.as_bytes()))
}

/// Whether the bits of two byte strings of the same length, combined, are not all zero.
fn any_bit(op: BitOp, given: &[u8], value: &[u8]) -> bool {
    let combine = |(given, value): (&u8, &u8)| match op {
        BitOp::And => given & value,
        BitOp::Or => given | value,
        BitOp::Xor => given ^ value,
    };
    given.len() == value.len() && given.iter().zip(value).any(|pair| combine(pair) != 0)
}

/// The value as a big-endian integer. A longer value counts with its first eight bytes; a shorter one, of which HBase
/// would read what lies behind it, as if zeroes came after it.
fn first_eight_bytes(value: &[u8]) -> i64 {
    let mut bytes = [0; 8];
    for (byte, given) in bytes.iter_mut().zip(value) {
        *byte = *given;
    }
    i64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(comparator: Comparator) -> CompiledComparator {
        CompiledComparator::new(&comparator).unwrap()
    }

    fn fits(comparator: Comparator, value: &[u8]) -> bool {
        compare(CompareOp::Equal, &compiled(comparator), value)
    }

    #[test]
    fn in_a_check_what_is_given_stands_on_the_left() {
        let five = compiled(Comparator::Binary("5".into()));
        assert!(compare(CompareOp::Less, &five, b"6") && !compare(CompareOp::Less, &five, b"4"));
        assert!(compare(CompareOp::GreaterOrEqual, &five, b"5") && !compare(CompareOp::NoOp, &five, b"5"));
        let filter = Comparison::new(CompareOp::Less, &Comparator::Binary("5".into())).unwrap();
        assert!(filter.holds(b"4") && !filter.holds(b"6"));
    }

    #[test]
    fn nothing_given_asks_for_nothing_stored() {
        let none = compiled(Comparator::Binary(Bytes::new()));
        for op in [CompareOp::Equal, CompareOp::Less, CompareOp::Greater] {
            assert!(check(op, &none, None) && check(op, &none, Some(b"")) && !check(op, &none, Some(b"x")));
        }
        assert!(!check(CompareOp::NotEqual, &none, None) && check(CompareOp::NotEqual, &none, Some(b"x")));
        let some = compiled(Comparator::Binary("x".into()));
        assert!(!check(CompareOp::NotEqual, &some, None) && check(CompareOp::Equal, &some, Some(b"x")));
    }

    #[test]
    fn text_fits_in_any_case() {
        let text = |text: &str| Comparator::Substring(text.to_owned());
        assert!(fits(text("AbC"), b"xxaBcxx") && fits(text(""), b"") && !fits(text("abc"), b"ab"));
        assert!(fits(text("ä"), "xÄx".as_bytes()) && fits(text("k"), "\u{212A}".as_bytes()));
        assert!(fits(text("\u{FFFD}"), b"\xff"));
    }

    #[test]
    fn a_prefix_compares_as_far_as_it_goes() {
        let prefix = compiled(Comparator::BinaryPrefix("ab".into()));
        assert!(compare(CompareOp::Equal, &prefix, b"abc") && compare(CompareOp::Greater, &prefix, b"a"));
        assert!(compare(CompareOp::Less, &prefix, b"ac"));
    }

    #[test]
    fn bits_need_the_same_length() {
        let bits = |op, bytes: &'static [u8]| Comparator::Bit { op, bytes: bytes.into() };
        assert!(fits(bits(BitOp::And, &[1, 0]), &[1, 1]) && !fits(bits(BitOp::And, &[1, 0]), &[2, 1]));
        assert!(fits(bits(BitOp::Or, &[0, 0]), &[0, 1]) && !fits(bits(BitOp::Xor, &[3, 3]), &[3, 3]));
        assert!(!fits(bits(BitOp::Or, &[1]), &[1, 1]));
    }

    #[test]
    fn numbers_compare_with_their_sign_and_null_with_nothing() {
        let five = compiled(Comparator::Long(5));
        assert!(compare(CompareOp::Greater, &five, &(-7i64).to_be_bytes()));
        assert!(compare(CompareOp::Equal, &five, &5i64.to_be_bytes()));
        assert!(
            !fits(Comparator::Null, b"") && compare(CompareOp::Greater, &compiled(Comparator::Null), b"")
        );
    }
}
