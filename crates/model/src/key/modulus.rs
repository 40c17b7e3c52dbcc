//! Remainders as prefixes of fixed width: they sort as numbers, and a scan can go through all of them.

use std::num::NonZero;

use crate::value::{Decimal, KeyEncoding, Value};

/// How many different prefixes there are: 0 up to, not including, this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Modulus(NonZero<u64>);

impl Modulus {
    /// A modulus of at least 1.
    pub fn new(modulus: u64) -> Option<Self> {
        NonZero::new(modulus).map(Self)
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0.get()
    }

    /// The remainder of a whole number, also of one written as a string; null counts as 0. None for anything else.
    pub fn remainder_of(self, value: &Value) -> Option<u64> {
        match value {
            Value::Null => Some(0),
            Value::Int(number) => {
                let rest = i128::from(*number).rem_euclid(i128::from(self.get()));
                u64::try_from(rest).ok()
            }
            Value::Decimal(number) => number.rem_euclid(self.get()),
            Value::String(text) => Decimal::parse(text)?.rem_euclid(self.get()),
            _ => None,
        }
    }

    /// Bytes that every prefix takes: as few as hold the greatest one, at least one.
    pub fn width(self, encoding: KeyEncoding) -> usize {
        let greatest = self.get() - 1;
        match encoding {
            KeyEncoding::Binary => {
                usize::try_from((u64::BITS - greatest.leading_zeros()).div_ceil(8)).unwrap_or(8).max(1)
            }
            KeyEncoding::Text => greatest.to_string().len(),
        }
    }

    /// Appends a prefix; a number that is too great is reduced first.
    pub fn encode(self, encoding: KeyEncoding, number: u64, out: &mut Vec<u8>) {
        let number = number % self.0;
        let width = self.width(encoding);
        match encoding {
            KeyEncoding::Binary => {
                let skip = size_of::<u64>().saturating_sub(width);
                out.extend(number.to_be_bytes().into_iter().skip(skip));
            }
            KeyEncoding::Text => out.extend(format!("{number:0width$}").bytes()),
        }
    }

    /// The prefix at the beginning of `bytes`, and what follows it.
    pub fn decode(self, encoding: KeyEncoding, bytes: &[u8]) -> Option<(u64, &[u8])> {
        let (prefix, rest) = bytes.split_at_checked(self.width(encoding))?;
        let number = match encoding {
            KeyEncoding::Binary => prefix.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte)),
            KeyEncoding::Text if prefix.iter().all(u8::is_ascii_digit) => {
                std::str::from_utf8(prefix).ok()?.parse().ok()?
            }
            KeyEncoding::Text => return None,
        };
        (number < self.get()).then_some((number, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_as_small_as_they_can_be() {
        for (modulus, binary, text) in
            [(1, 1, 1), (10, 1, 1), (11, 1, 2), (256, 1, 3), (257, 2, 3), (65_536, 2, 5), (u64::MAX, 8, 20)]
        {
            let modulus = Modulus::new(modulus).unwrap();
            assert_eq!(modulus.width(KeyEncoding::Binary), binary, "{modulus:?}");
            assert_eq!(modulus.width(KeyEncoding::Text), text, "{modulus:?}");
        }
        assert_eq!(Modulus::new(0), None);
    }

    #[test]
    fn prefixes_sort_as_numbers_and_come_back() {
        for encoding in KeyEncoding::ALL {
            let modulus = Modulus::new(1_000).unwrap();
            let mut before = Vec::new();
            for number in 0..1_000 {
                let mut bytes = Vec::new();
                modulus.encode(encoding, number, &mut bytes);
                assert!(before < bytes, "{number}");
                before = bytes.clone();
                bytes.push(b'!');
                assert_eq!(modulus.decode(encoding, &bytes), Some((number, &b"!"[..])));
            }
        }
        assert_eq!(Modulus::new(1_000).unwrap().decode(KeyEncoding::Binary, &[0x03, 0xE8]), None);
        assert_eq!(Modulus::new(1_000).unwrap().decode(KeyEncoding::Text, b"+12"), None);
    }
}
