//! MD5 of fields and lines, and its remainder.
//!
//! The digest is of the value's text, as a client in any language can compute it, and its remainder is that of the
//! digest read as one number of 128 bits, first byte first (Zdravevski, Lameski, Kulakov: *Row key designs of NoSQL
//! database tables and their impact on write performance*, PDP 2016, listing 1).

use std::borrow::Cow;

use md5::{Digest, Md5};

use super::Modulus;
use crate::value::Value;

/// Bytes of an MD5 digest.
pub const DIGEST_BYTES: usize = 16;

/// Between the values of several fields, so that `a, bc` and `ab, c` are different.
pub const BETWEEN: u8 = 0x00;

/// The digest of one value.
pub(super) fn of_value(value: &Value) -> [u8; DIGEST_BYTES] {
    of_bytes(&plain_bytes(value))
}

/// The digest of several values.
pub(super) fn of_values(values: &[&Value]) -> [u8; DIGEST_BYTES] {
    let texts: Vec<Cow<'_, [u8]>> = values.iter().map(|value| plain_bytes(value)).collect();
    of_bytes(&texts.join(&BETWEEN))
}

/// The digest of bytes.
#[inline]
pub fn of_bytes(bytes: &[u8]) -> [u8; DIGEST_BYTES] {
    Md5::digest(bytes).into()
}

/// The digest as one number, reduced.
pub fn reduce(digest: [u8; DIGEST_BYTES], modulus: Modulus) -> u64 {
    let rest = u128::from_be_bytes(digest) % u128::from(modulus.get());
    u64::try_from(rest).unwrap_or(0)
}

/// Appends what is hashed of a value, for those who hash many and keep the buffer.
pub fn append_text(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => {}
        Value::String(text) => out.extend_from_slice(text.as_bytes()),
        Value::Bytes(bytes) => out.extend_from_slice(bytes),
        Value::Int(number) => append_number(*number, out),
        _ => out.extend_from_slice(value.to_string().as_bytes()),
    }
}

/// Appends the decimal digits of a number, without the machinery of formatting.
fn append_number(number: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(number_text(number, &mut [0; NUMBER_BYTES]));
}

/// Bytes that the text of a number has at most: a sign and 19 digits.
pub const NUMBER_BYTES: usize = 20;

/// The decimal text of a number, two digits at a time: whoever hashes millions of ids waits for this.
#[inline]
pub fn number_text(number: i64, text: &mut [u8; NUMBER_BYTES]) -> &[u8] {
    let mut rest = number.unsigned_abs();
    let mut from = NUMBER_BYTES;
    for pair in text.rchunks_exact_mut(2) {
        let two = (rest % 100) as u8;
        pair.copy_from_slice(&[b'0' + two / 10, b'0' + two % 10]);
        rest /= 100;
        from -= 2;
        if rest == 0 {
            from += usize::from(two < 10);
            break;
        }
    }
    if let Some(sign) = from.checked_sub(1).and_then(|before| text.get_mut(before)).filter(|_| number < 0) {
        *sign = b'-';
        from -= 1;
    }
    text.get(from..).unwrap_or_default()
}

/// What is hashed: the bytes of a string as they are, anything else as text; null is nothing.
fn plain_bytes(value: &Value) -> Cow<'_, [u8]> {
    match value {
        Value::Null => Cow::Borrowed(&[]),
        Value::String(text) => Cow::Borrowed(text.as_bytes()),
        Value::Bytes(bytes) => Cow::Borrowed(bytes),
        _ => Cow::Owned(value.to_string().into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        // RFC 1321, A.5.
        let digest = of_value(&Value::String("abc".into()));
        assert_eq!(u128::from_be_bytes(digest), 0x9001_5098_3cd2_4fb0_d696_3f7d_28e1_7f72);
        assert_eq!(of_value(&Value::Int(7)), of_value(&Value::String("7".into())));
    }

    #[test]
    fn the_remainder_is_that_of_the_whole_number() {
        let digest = of_value(&Value::String("abc".into()));
        let expected = 0x9001_5098_3cd2_4fb0_d696_3f7d_28e1_7f72_u128 % 1_000_000;
        assert_eq!(u128::from(reduce(digest, Modulus::new(1_000_000).unwrap())), expected);
    }

    #[test]
    fn what_is_appended_is_what_is_hashed() {
        let ints = [0, 7, -1, 10, 99, 100, -100, 12_345, 1_234_567_890, i64::MAX, i64::MIN].map(Value::Int);
        let others = [Value::Null, Value::String("ä".into()), Value::Bytes(vec![0, 255]), Value::Float(1.5)];
        for value in ints.iter().chain(&others) {
            let mut text = Vec::new();
            append_text(value, &mut text);
            assert_eq!(text, plain_bytes(value).as_ref(), "{value}");
        }
    }

    #[test]
    fn where_fields_meet_matters() {
        let text = |text: &str| Value::String(text.into());
        let of = |one: &str, two: &str| of_values(&[&text(one), &text(two)]);
        assert_ne!(of("a", "bc"), of("ab", "c"));
        assert_eq!(of_values(&[&text("a")]), of_value(&text("a")));
    }
}
