//! Decimal numbers of any length as bytes.
//!
//! A number is `0.d₁d₂d₃… × 10^exponent` without zeros at either end of its digits:
//!
//! ```text
//!   offset  bytes  what
//!   0       1      00 null, 01 negative, 02 zero, 03 positive
//!   1       4      the exponent, big-endian, sign bit flipped      ┐ not for null and zero;
//!   5       …      two digits a byte: 10·d₁ + d₂ + 1, so 01 … 64   │ every bit of a negative number's
//!   end     1      00                                              ┘ bytes is complemented
//! ```
//!
//! A number of greater magnitude has a greater exponent or, with the same, greater digits; one whose digits begin
//! another's ends first. Complementing turns that order around for negative numbers.

use super::super::Decimal;
use super::input::{Input, Reason};

const NULL: u8 = 0x00;
const NEGATIVE: u8 = 0x01;
const ZERO: u8 = 0x02;
const POSITIVE: u8 = 0x03;
const END: u8 = 0x00;

/// Appends a number.
pub(super) fn encode(number: &Decimal, out: &mut Vec<u8>) {
    if number.digits().is_empty() {
        out.push(ZERO);
        return;
    }
    let (class, mask) = if number.is_negative() { (NEGATIVE, 0xFF) } else { (POSITIVE, 0x00) };
    out.push(class);
    let exponent = (number.exponent().cast_unsigned() ^ (1 << 31)).to_be_bytes();
    let pairs = number.digits().chunks(2).map(|pair| match pair {
        [tens, ones] => tens * 10 + ones + 1,
        [tens] => tens * 10 + 1,
        _ => END,
    });
    out.extend(exponent.into_iter().chain(pairs).chain([END]).map(|byte| byte ^ mask));
}

/// Takes a number; `None` is null.
pub(super) fn decode(input: &mut Input<'_>) -> Result<Option<Decimal>, Reason> {
    let (negative, mask) = match input.byte()? {
        NULL => return Ok(None),
        ZERO => return Ok(Decimal::from_parts(false, &[], 0)),
        NEGATIVE => (true, 0xFF),
        POSITIVE => (false, 0x00),
        _ => return Err("the first byte is not the sign of a decimal"),
    };
    let exponent = u32::from_be_bytes(input.array::<4>()?.map(|byte| byte ^ mask)) ^ (1 << 31);
    let pairs = input.until(END ^ mask)?;
    let mut digits = Vec::with_capacity(pairs.len() * 2);
    for pair in pairs.iter().map(|byte| (byte ^ mask).wrapping_sub(1)) {
        if pair > 99 {
            return Err("a byte is not two digits");
        }
        digits.extend([pair / 10, pair % 10]);
    }
    let number = Decimal::from_parts(negative, &digits, i64::from(exponent.cast_signed()));
    let number = number.ok_or("the exponent is too great")?;
    let is_as_written =
        number.exponent() == exponent.cast_signed() && number.digits().len().div_ceil(2) == pairs.len();
    if is_as_written { Ok(Some(number)) } else { Err("there are zeros at an end of the digits") }
}
