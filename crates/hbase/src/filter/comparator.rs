//! Comparators.

use bytes::{BufMut, Bytes, BytesMut};
use hbase_types::{BitOp, Comparator, CompareOp};
use prost::Message;

use super::class_name;
use crate::pb;

/// An operator as it travels.
pub(crate) fn compare_type(op: CompareOp) -> pb::CompareType {
    match op {
        CompareOp::Less => pb::CompareType::Less,
        CompareOp::LessOrEqual => pb::CompareType::LessOrEqual,
        CompareOp::Equal => pb::CompareType::Equal,
        CompareOp::NotEqual => pb::CompareType::NotEqual,
        CompareOp::GreaterOrEqual => pb::CompareType::GreaterOrEqual,
        CompareOp::Greater => pb::CompareType::Greater,
        CompareOp::NoOp => pb::CompareType::NoOp,
    }
}

/// A comparator's message.
pub(crate) fn to_pb(comparator: &Comparator) -> pb::Comparator {
    let (class, serialized) = match comparator {
        Comparator::Binary(bytes) => ("BinaryComparator", comparing(bytes.clone())),
        Comparator::BinaryPrefix(bytes) => ("BinaryPrefixComparator", comparing(bytes.clone())),
        Comparator::BinaryComponent { bytes, offset } => {
            let message = pb::BinaryComponentComparator { value: bytes.clone(), offset: *offset };
            ("BinaryComponentComparator", message.encode_to_vec())
        }
        Comparator::BigDecimal { unscaled, scale } => {
            ("BigDecimalComparator", comparing(decimal_bytes(unscaled, *scale)))
        }
        Comparator::Bit { op, bytes } => ("BitComparator", bit_message(*op, bytes).encode_to_vec()),
        Comparator::Long(number) => {
            ("LongComparator", comparing(Bytes::copy_from_slice(&number.to_be_bytes())))
        }
        Comparator::Null => ("NullComparator", pb::NullComparator {}.encode_to_vec()),
        Comparator::Regex { pattern, flags, charset } => {
            let message = pb::RegexStringComparator {
                pattern: pattern.clone(),
                pattern_flags: flags.0,
                charset: charset.clone(),
                engine: Some("JAVA".to_owned()),
            };
            ("RegexStringComparator", message.encode_to_vec())
        }
        Comparator::Substring(text) => {
            ("SubstringComparator", pb::SubstringComparator { substr: text.to_lowercase() }.encode_to_vec())
        }
    };
    pb::Comparator { name: class_name(class), serialized_comparator: Some(serialized.into()) }
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
    use hbase_types::RegexFlags;

    use super::*;

    fn decoded<M: Message + Default>(comparator: &Comparator, class: &str) -> M {
        let message = to_pb(comparator);
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
