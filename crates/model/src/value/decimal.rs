//! A decimal number of any length, exact.

use std::cmp::Ordering;
use std::fmt;

/// The greatest exponent a decimal may have, up or down: far beyond what databases keep, and six digits in a key.
pub(super) const MAX_EXPONENT: i32 = 499_999;

/// An exact decimal number: `0.d₁d₂d₃… × 10^exponent` with a sign. Numbers that are equal are the same value:
/// `1.50` is `1.5`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    /// Digits 0 to 9; the first and the last are not 0. Empty for zero.
    digits: Vec<u8>,
    /// 0 for zero.
    exponent: i32,
}

impl Decimal {
    /// The number of a sign, digits and an exponent; `None` when a digit is above 9 or the exponent too far.
    pub(super) fn from_parts(negative: bool, digits: &[u8], exponent: i64) -> Option<Self> {
        if digits.iter().any(|digit| *digit > 9) {
            return None;
        }
        let Some(first) = digits.iter().position(|digit| *digit != 0) else {
            return Some(Self { negative: false, digits: Vec::new(), exponent: 0 });
        };
        let last = digits.iter().rposition(|digit| *digit != 0)?;
        let exponent = exponent.checked_sub(i64::try_from(first).ok()?)?;
        let exponent = i32::try_from(exponent)
            .ok()
            .filter(|exponent| (-MAX_EXPONENT..=MAX_EXPONENT).contains(exponent))?;
        Some(Self { negative, digits: digits.get(first..=last)?.to_vec(), exponent })
    }

    /// Whether it is below zero.
    pub(super) fn is_negative(&self) -> bool {
        self.negative
    }

    /// The digits without zeros at either end; none for zero.
    pub(super) fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The power of ten by which `0.digits` is multiplied.
    pub(super) fn exponent(&self) -> i32 {
        self.exponent
    }

    /// Reads `12`, `-0.5`, `+1.50`, `.5`, `5.` or `1e-7`.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, power) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, power.parse::<i64>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let digit = |byte: u8| byte.is_ascii_digit().then(|| byte.wrapping_sub(b'0'));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(digit).collect::<Option<_>>()?;
        Self::from_parts(negative, &digits, power.checked_add(i64::try_from(whole.len()).ok()?)?)
    }

    /// Its remainder by `modulus`, from 0 up, if it is a whole number.
    pub(crate) fn rem_euclid(&self, modulus: u64) -> Option<u64> {
        let length = usize::try_from(self.exponent).ok()?;
        if modulus == 0 || length < self.digits.len() {
            return None;
        }
        let padded = self.digits.iter().chain(std::iter::repeat(&0)).take(length);
        let step = |rest: u128, digit: &u8| (rest * 10 + u128::from(*digit)) % u128::from(modulus);
        let rest = u64::try_from(padded.fold(0_u128, step)).ok()?;
        Some(if self.negative && rest != 0 { modulus - rest } else { rest })
    }
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        // A whole number always reads as a decimal.
        Self::parse(&number.to_string()).unwrap_or(Self { negative: false, digits: Vec::new(), exponent: 0 })
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.negative, number.digits.is_empty()) {
            (true, _) => -1,
            (false, true) => 0,
            (false, false) => 1,
        };
        let magnitude = || self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits));
        sign(self)
            .cmp(&sign(other))
            .then_with(|| if self.negative { magnitude().reverse() } else { magnitude() })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    /// Plain digits, or `d.ddde±n` where that would need more than 40 zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_ZEROS: i64 = 40;
        if self.negative {
            f.write_str("-")?;
        }
        let text: String = self.digits.iter().map(|digit| char::from(digit.wrapping_add(b'0'))).collect();
        let (length, exponent) = (i64::try_from(text.len()).unwrap_or(i64::MAX), i64::from(self.exponent));
        let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
        if text.is_empty() {
            f.write_str("0")
        } else if exponent > length + MAX_ZEROS || exponent < -MAX_ZEROS {
            let (first, rest) = text.split_at_checked(1).unwrap_or((&text, ""));
            let point = if rest.is_empty() { "" } else { "." };
            write!(f, "{first}{point}{rest}e{}", exponent - 1)
        } else if exponent <= 0 {
            write!(f, "0.{}{text}", zeros(-exponent))
        } else if exponent >= length {
            write!(f, "{text}{}", zeros(exponent - length))
        } else {
            let at = usize::try_from(exponent).unwrap_or(0);
            let (whole, fraction) = text.split_at_checked(at).unwrap_or((&text, ""));
            write!(f, "{whole}.{fraction}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text} should be a decimal"))
    }

    #[test]
    fn numbers_print_plainly() {
        for (text, printed) in [
            ("0", "0"),
            ("-0.00", "0"),
            ("1.50", "1.5"),
            ("+007", "7"),
            ("-.5", "-0.5"),
            ("5.", "5"),
            ("1e3", "1000"),
            ("12.34e1", "123.4"),
            ("1e-3", "0.001"),
            ("1e60", "1e60"),
            ("-1.25E-60", "-1.25e-60"),
            ("123456789012345678901234567890.5", "123456789012345678901234567890.5"),
        ] {
            assert_eq!(decimal(text).to_string(), printed, "{text}");
            assert_eq!(decimal(printed), decimal(text), "{text}");
        }
        assert_eq!(Decimal::from(i64::MIN).to_string(), i64::MIN.to_string());
    }

    #[test]
    fn order_is_that_of_the_numbers() {
        let rising =
            ["-1e9", "-10", "-9.5", "-9.49", "-0.1", "-0.01", "0", "0.01", "0.1", "9.49", "9.5", "10"];
        for pair in rising.windows(2) {
            assert!(decimal(pair[0]) < decimal(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn what_is_no_decimal_is_refused() {
        for text in
            ["", "-", ".", "1.2.3", "1e", "e5", "0x10", "1_000", "1e500000", "1e-500001", "١", "--1", "inf"]
        {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert!(Decimal::parse("1e99999999999999999999").is_none());
    }

    #[test]
    fn an_exponent_that_has_no_magnitude_is_refused() {
        assert_eq!(Decimal::from_parts(false, &[1], i64::from(i32::MIN)), None);
        assert_eq!(Decimal::from_parts(false, &[1], i64::MIN), None);
        assert_eq!(Decimal::from_parts(false, &[0, 1], i64::MIN), None);
    }

    #[test]
    fn remainders_count_from_zero_up() {
        assert_eq!(decimal("1234567890123456789012345678901").rem_euclid(1_000), Some(901));
        assert_eq!(decimal("-7").rem_euclid(5), Some(3));
        assert_eq!(decimal("1e3").rem_euclid(7), Some(6));
        assert_eq!(decimal("0").rem_euclid(7), Some(0));
        assert_eq!(decimal("0.5").rem_euclid(7), None);
        assert_eq!(decimal("5").rem_euclid(0), None);
    }
}
