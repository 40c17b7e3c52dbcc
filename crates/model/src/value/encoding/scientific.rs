//! Decimals and floats as text that sorts as the numbers do.
//!
//! A number is `0.d₁d₂d₃… × 10^exponent` without zeros at either end of its digits:
//!
//! ```text
//!   ! 00                                 minus infinity
//!   - exponent digits ~ 00               negative: each digit d is written as 9 − d
//!   0 00                                 zero
//!   1 exponent digits 00                 positive
//!   8 00                                 infinity
//!   9 00                                 not a number
//! ```
//!
//! The exponent has six characters: 500000 is added to it. `~` comes after all digits: of two negative numbers the
//! one with fewer digits is the greater. Floats have the fewest digits that read back as the same number; those sort as
//! the floats do, because rounding never changes an order.

use super::super::Decimal;
use super::input::{Input, Reason};

const MINUS_INFINITY: u8 = b'!';
const NEGATIVE: u8 = b'-';
const ZERO: u8 = b'0';
const POSITIVE: u8 = b'1';
const INFINITY: u8 = b'8';
const NOT_A_NUMBER: u8 = b'9';
const NEGATIVE_END: u8 = b'~';
const END: u8 = 0x00;

/// Characters of the exponent.
const EXPONENT_WIDTH: usize = 6;
/// Added to the exponent, so that it is never negative.
const EXPONENT_BIAS: i64 = 500_000;

/// Appends a decimal.
pub(super) fn encode(number: &Decimal, out: &mut Vec<u8>) {
    if number.digits().is_empty() {
        out.extend([ZERO, END]);
        return;
    }
    let exponent = format!("{:0EXPONENT_WIDTH$}", i64::from(number.exponent()) + EXPONENT_BIAS);
    let digits = number.digits().iter().map(|digit| digit.wrapping_add(b'0'));
    let characters = exponent.bytes().chain(digits);
    if number.is_negative() {
        out.push(NEGATIVE);
        out.extend(characters.map(complement));
        out.extend([NEGATIVE_END, END]);
    } else {
        out.push(POSITIVE);
        out.extend(characters);
        out.push(END);
    }
}

/// Takes a decimal.
pub(super) fn decode(input: &mut Input<'_>) -> Result<Decimal, Reason> {
    const WRONG: Reason = "there is no sign, exponent and digits of a number";
    let number = match input.until(END)? {
        [ZERO] => Decimal::from_parts(false, &[], 0),
        [POSITIVE, rest @ ..] => from_characters(false, rest),
        [NEGATIVE, rest @ .., NEGATIVE_END] => {
            from_characters(true, &rest.iter().copied().map(complement).collect::<Vec<_>>())
        }
        _ => None,
    };
    number.ok_or(WRONG)
}

/// Appends a float.
pub(super) fn encode_float(number: f64, out: &mut Vec<u8>) {
    let class = match number {
        f64::INFINITY => INFINITY,
        f64::NEG_INFINITY => MINUS_INFINITY,
        // The shortest text of a finite double always reads as a decimal; its exponent is far within the limit.
        _ => match Decimal::parse(&format!("{number:e}")) {
            Some(decimal) => return encode(&decimal, out),
            None => NOT_A_NUMBER,
        },
    };
    out.extend([class, END]);
}

/// Takes a float.
pub(super) fn decode_float(input: &mut Input<'_>) -> Result<f64, Reason> {
    for (class, number) in
        [(MINUS_INFINITY, f64::NEG_INFINITY), (INFINITY, f64::INFINITY), (NOT_A_NUMBER, f64::NAN)]
    {
        if input.skip(class) {
            return if input.skip(END) { Ok(number) } else { Err("the end mark is missing") };
        }
    }
    let number: f64 = decode(input)?.to_string().parse().map_err(|_| "there is no number")?;
    if number.is_finite() { Ok(number) } else { Err("the number is too great for 64 bits") }
}

/// The number of an exponent's characters and digits, both not complemented.
fn from_characters(negative: bool, characters: &[u8]) -> Option<Decimal> {
    let (exponent, digits) = characters.split_at_checked(EXPONENT_WIDTH)?;
    if !characters.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let exponent = std::str::from_utf8(exponent).ok()?.parse::<i64>().ok()? - EXPONENT_BIAS;
    let digits: Vec<u8> = digits.iter().map(|character| character.wrapping_sub(b'0')).collect();
    let number = Decimal::from_parts(negative, &digits, exponent)?;
    // Zeros at an end are never written.
    (number.digits().len() == digits.len() && !digits.is_empty()).then_some(number)
}

/// The nines' complement of a digit's character; other characters, which only bad input has, become no digits.
fn complement(character: u8) -> u8 {
    match character {
        b'0'..=b'9' => b'9' - (character - b'0'),
        _ => 0xFF,
    }
}
