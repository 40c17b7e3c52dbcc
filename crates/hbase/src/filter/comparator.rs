//! Comparators: what a filter or a check-and-mutate compares values with.

use std::ops::BitOr;

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;

use super::class_name;
use crate::pb;

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
    /// Compares nothing. Only a dependent-column filter makes use of it.
    NoOp,
}

impl CompareOp {
    pub(crate) fn to_pb(self) -> pb::CompareType {
        match self {
            Self::Less => pb::CompareType::Less,
            Self::LessOrEqual => pb::CompareType::LessOrEqual,
            Self::Equal => pb::CompareType::Equal,
            Self::NotEqual => pb::CompareType::NotEqual,
            Self::GreaterOrEqual => pb::CompareType::GreaterOrEqual,
            Self::Greater => pb::CompareType::Greater,
            Self::NoOp => pb::CompareType::NoOp,
        }
    }
}

/// The bit operation of [`Comparator::Bit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOp {
    /// Both.
    And,
    /// Either.
    Or,
    /// One, not both.
    Xor,
}

/// Flags of a regular expression, as Java's `Pattern` numbers them. Combine them with `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegexFlags(pub i32);

impl RegexFlags {
    /// None at all: a dot does not fit the end of a line.
    pub const NONE: Self = Self(0);
    /// In any case, of ASCII letters.
    pub const CASE_INSENSITIVE: Self = Self(2);
    /// `^` and `$` fit at the ends of each line.
    pub const MULTILINE: Self = Self(8);
    /// A dot fits the end of a line too. HBase's default.
    pub const DOT_ALL: Self = Self(32);
    /// Together with [`Self::CASE_INSENSITIVE`]: in any case, of all letters.
    pub const UNICODE_CASE: Self = Self(64);
}

impl BitOr for RegexFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What a value is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Comparator {
    /// Byte by byte.
    Binary(Bytes),
    /// Byte by byte, as far as these bytes go.
    BinaryPrefix(Bytes),
    /// These bytes with those at an offset of the value.
    BinaryComponent {
        /// These bytes.
        bytes: Bytes,
        /// Where they are in the value.
        offset: u32,
    },
    /// As a decimal number of any size, in HBase's encoding of Java's `BigDecimal`.
    BigDecimal {
        /// The digits without the point: big-endian, two's complement, at least one byte.
        unscaled: Bytes,
        /// How many of the digits stand behind the point.
        scale: i32,
    },
    /// Whether the bits combined with these of the same length are not all zero.
    Bit {
        /// How they are combined.
        op: BitOp,
        /// These bits.
        bytes: Bytes,
    },
    /// As an 8-byte big-endian integer.
    Long(i64),
    /// Whether there is none.
    Null,
    /// Whether a pattern of `java.util.regex` is found in the text.
    Regex {
        /// The pattern.
        pattern: String,
        /// How it is read.
        flags: RegexFlags,
        /// The character set of the value, by Java's name.
        charset: String,
    },
    /// Whether this text is found in it, in any case.
    Substring(String),
}

impl Comparator {
    /// A pattern in UTF-8 text whose dot fits everything, as HBase has it when nothing else is said.
    pub fn regex(pattern: impl Into<String>) -> Self {
        Self::Regex { pattern: pattern.into(), flags: RegexFlags::DOT_ALL, charset: "UTF-8".to_owned() }
    }

    /// The decimal number `unscaled` × 10^-`scale`.
    pub fn decimal(unscaled: i128, scale: i32) -> Self {
        let bytes = unscaled.to_be_bytes();
        let sign = if unscaled < 0 { 0xFF } else { 0 };
        // Bytes that only repeat the sign are left out, as Java does, as long as the first one kept shows it.
        let repeated = (bytes.iter().zip(bytes.iter().skip(1)))
            .take_while(|(first, second)| **first == sign && (**second & 0x80) == (sign & 0x80))
            .count();
        Self::BigDecimal { unscaled: Bytes::copy_from_slice(bytes.get(repeated..).unwrap_or(&bytes)), scale }
    }

    pub(crate) fn to_pb(&self) -> pb::Comparator {
        let (class, serialized) = match self {
            Self::Binary(bytes) => ("BinaryComparator", comparing(bytes.clone())),
            Self::BinaryPrefix(bytes) => ("BinaryPrefixComparator", comparing(bytes.clone())),
            Self::BinaryComponent { bytes, offset } => {
                let message = pb::BinaryComponentComparator { value: bytes.clone(), offset: *offset };
                ("BinaryComponentComparator", message.encode_to_vec())
            }
            Self::BigDecimal { unscaled, scale } => {
                ("BigDecimalComparator", comparing(decimal_bytes(unscaled, *scale)))
            }
            Self::Bit { op, bytes } => ("BitComparator", bit_message(*op, bytes).encode_to_vec()),
            Self::Long(number) => {
                ("LongComparator", comparing(Bytes::copy_from_slice(&number.to_be_bytes())))
            }
            Self::Null => ("NullComparator", pb::NullComparator {}.encode_to_vec()),
            Self::Regex { pattern, flags, charset } => {
                let message = pb::RegexStringComparator {
                    pattern: pattern.clone(),
                    pattern_flags: flags.0,
                    charset: charset.clone(),
                    engine: Some("JAVA".to_owned()),
                };
                ("RegexStringComparator", message.encode_to_vec())
            }
            Self::Substring(text) => (
                "SubstringComparator",
                pb::SubstringComparator { substr: text.to_lowercase() }.encode_to_vec(),
            ),
        };
        pb::Comparator { name: class_name(class), serialized_comparator: Some(serialized.into()) }
    }
}

fn comparing(bytes: Bytes) -> Vec<u8> {
    pb::BytesComparator { comparable: pb::ByteArrayComparable { value: Some(bytes) } }.encode_to_vec()
}

fn bit_message(op: BitOp, bytes: &Bytes) -> pb::BitComparator {
    let op = match op {
        BitOp::And => pb::bit_comparator::BitwiseOp::And,
        BitOp::Or => pb::bit_comparator::BitwiseOp::Or,
        BitOp::Xor => pb::bit_comparator::BitwiseOp::Xor,
    };
    pb::BitComparator {
        comparable: pb::ByteArrayComparable { value: Some(bytes.clone()) },
        bitwise_op: op.into(),
    }
}

/// How HBase writes a decimal number: four bytes of scale, then the digits.
fn decimal_bytes(unscaled: &[u8], scale: i32) -> Bytes {
    let mut bytes = BytesMut::with_capacity(4 + unscaled.len());
    bytes.put_i32(scale);
    bytes.put_slice(unscaled);
    bytes.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded<M: Message + Default>(comparator: &Comparator, class: &str) -> M {
        let message = comparator.to_pb();
        assert_eq!(message.name, format!("org.apache.hadoop.hbase.filter.{class}"));
        M::decode(message.serialized_comparator.unwrap()).unwrap()
    }

    fn value_of(comparator: &Comparator, class: &str) -> Vec<u8> {
        decoded::<pb::BytesComparator>(comparator, class).comparable.value.unwrap().to_vec()
    }

    #[test]
    fn bytes_are_kept() {
        assert_eq!(value_of(&Comparator::Binary("ab".into()), "BinaryComparator"), b"ab");
        assert_eq!(value_of(&Comparator::BinaryPrefix("".into()), "BinaryPrefixComparator"), b"");
        assert_eq!(value_of(&Comparator::Long(-2), "LongComparator"), (-2i64).to_be_bytes());
        let part = Comparator::BinaryComponent { bytes: "x".into(), offset: 7 };
        let message: pb::BinaryComponentComparator = decoded(&part, "BinaryComponentComparator");
        assert_eq!((&message.value[..], message.offset), (&b"x"[..], 7));
        decoded::<pb::NullComparator>(&Comparator::Null, "NullComparator");
    }

    #[test]
    fn bits_keep_their_operation() {
        use pb::bit_comparator::BitwiseOp;
        for (op, wanted) in
            [(BitOp::And, BitwiseOp::And), (BitOp::Or, BitwiseOp::Or), (BitOp::Xor, BitwiseOp::Xor)]
        {
            let message: pb::BitComparator =
                decoded(&Comparator::Bit { op, bytes: "\x01".into() }, "BitComparator");
            assert_eq!(message.bitwise_op(), wanted);
            assert_eq!(message.comparable.value.unwrap(), "\x01");
        }
    }

    #[test]
    fn decimals_are_as_short_as_java_has_them() {
        for (number, digits) in [
            (0, &[0u8][..]),
            (127, &[127]),
            (128, &[0, 128]),
            (-1, &[0xFF]),
            (-128, &[0x80]),
            (-129, &[0xFF, 0x7F]),
            (314, &[1, 58]),
        ] {
            let wanted: Vec<u8> = [&[0, 0, 0, 2], digits].concat();
            assert_eq!(value_of(&Comparator::decimal(number, 2), "BigDecimalComparator"), wanted, "{number}");
        }
        let Comparator::BigDecimal { unscaled, .. } = Comparator::decimal(i128::MIN, 0) else {
            unreachable!()
        };
        assert_eq!(unscaled.len(), 16);
    }

    #[test]
    fn patterns_keep_their_flags() {
        let flags = RegexFlags::DOT_ALL | RegexFlags::CASE_INSENSITIVE;
        let comparator =
            Comparator::Regex { pattern: "a.*".to_owned(), flags, charset: "ISO-8859-1".to_owned() };
        let message: pb::RegexStringComparator = decoded(&comparator, "RegexStringComparator");
        assert_eq!((message.pattern.as_str(), message.pattern_flags), ("a.*", 34));
        assert_eq!((message.charset.as_str(), message.engine.as_deref()), ("ISO-8859-1", Some("JAVA")));
        let message: pb::RegexStringComparator = decoded(&Comparator::regex("^"), "RegexStringComparator");
        assert_eq!((message.pattern_flags, message.charset.as_str()), (32, "UTF-8"));
    }

    #[test]
    fn text_is_in_lower_case() {
        let message: pb::SubstringComparator =
            decoded(&Comparator::Substring("aBÄ".to_owned()), "SubstringComparator");
        assert_eq!(message.substr, "abä");
    }
}
