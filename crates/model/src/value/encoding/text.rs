//! The text encoding of each type; drawn in the module above.

use super::super::{Date, Moment, Value, ValueType};
use super::binary::string;
use super::input::{Input, Reason};
use super::{escape, scientific};

/// Digits of the greatest whole number of 64 bits.
const INT_DIGITS: usize = 19;
/// What a number and its nines' complement add up to.
const NINES: u64 = 9_999_999_999_999_999_999;

/// Appends a value that is not null.
pub(super) fn encode(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => {}
        Value::String(text) => escape::escape(text.as_bytes(), out),
        Value::Bytes(bytes) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            escape::escape(digits.as_bytes(), out);
        }
        Value::Int(number) => out.extend(integer_text(*number).as_bytes()),
        Value::Float(number) => scientific::encode_float(*number, out),
        Value::Decimal(number) => scientific::encode(number, out),
        Value::Bool(truth) => out.push(if *truth { b't' } else { b'f' }),
        Value::Date(date) => out.extend(date.to_string().as_bytes()),
        Value::Timestamp(moment) => out.extend(moment.to_fixed_text().as_bytes()),
    }
}

/// Takes a value of a type.
pub(super) fn decode(value_type: ValueType, input: &mut Input<'_>) -> Result<Value, Reason> {
    if input.skip(0) {
        return Ok(Value::Null);
    }
    Ok(match value_type {
        ValueType::String => string(escape::unescape(input)?)?.unwrap_or(Value::Null),
        ValueType::Bytes => Value::Bytes(from_hexadecimal(&escape::unescape(input)?.unwrap_or_default())?),
        ValueType::Int => Value::Int(integer(&input.array()?)?),
        ValueType::Float => Value::Float(scientific::decode_float(input)?),
        ValueType::Decimal => Value::Decimal(scientific::decode(input)?),
        ValueType::Bool => match input.byte()? {
            b'f' => Value::Bool(false),
            b't' => Value::Bool(true),
            _ => return Err("the letter is neither f nor t"),
        },
        ValueType::Date => Value::Date(date(&input.array()?)?),
        ValueType::Timestamp => Value::Timestamp(moment(&input.array()?)?),
    })
}

/// 20 characters that sort as the numbers do: `-` comes before `0`, and more below zero is less in nines' complement.
fn integer_text(number: i64) -> String {
    if number < 0 {
        let complement = NINES.saturating_sub(number.unsigned_abs());
        format!("-{complement:0INT_DIGITS$}")
    } else {
        format!("0{number:0INT_DIGITS$}")
    }
}

fn integer(text: &[u8; INT_DIGITS + 1]) -> Result<i64, Reason> {
    const WRONG: Reason = "there are not 20 characters of a whole number";
    let (sign, digits) = text.split_first().ok_or(WRONG)?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(WRONG);
    }
    let number: u64 = std::str::from_utf8(digits).map_err(|_| WRONG)?.parse().map_err(|_| WRONG)?;
    match sign {
        b'0' => i64::try_from(number).map_err(|_| WRONG),
        b'-' => match NINES.checked_sub(number).and_then(|magnitude| 0_i64.checked_sub_unsigned(magnitude)) {
            Some(number) if number < 0 => Ok(number),
            _ => Err(WRONG),
        },
        _ => Err(WRONG),
    }
}

fn from_hexadecimal(text: &[u8]) -> Result<Vec<u8>, Reason> {
    const WRONG: Reason = "there are not pairs of hexadecimal digits";
    if !text.len().is_multiple_of(2) {
        return Err(WRONG);
    }
    let nibble = |byte: &u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(WRONG),
    };
    text.chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => Ok(nibble(high)? << 4 | nibble(low)?),
            _ => Err(WRONG),
        })
        .collect()
}

fn date(text: &[u8; 10]) -> Result<Date, Reason> {
    let date = std::str::from_utf8(text).ok().and_then(Date::parse);
    date.ok_or("there is no date as YYYY-MM-DD")
}

fn moment(text: &[u8; 27]) -> Result<Moment, Reason> {
    let moment = std::str::from_utf8(text).ok().and_then(Moment::parse);
    let moment = moment.filter(|moment| moment.to_fixed_text().as_bytes() == text);
    moment.ok_or("there is no time as YYYY-MM-DDTHH:MM:SS.ffffffZ")
}
