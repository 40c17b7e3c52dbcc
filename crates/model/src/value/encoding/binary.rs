//! The binary encoding of each type; drawn in the module above.

use super::super::{Date, Moment, Value, ValueType, float};
use super::input::{Input, Reason};
use super::{decimal_bytes, escape};

const FALSE: u8 = 0x01;
const TRUE: u8 = 0x02;
/// After eight bytes 00: the least whole number. 00 stands there for null.
const LEAST_INT: u8 = 0x01;

/// Appends the null of a type.
pub(super) fn null(value_type: ValueType, out: &mut Vec<u8>) {
    let zeros = match value_type {
        ValueType::String | ValueType::Bytes | ValueType::Decimal | ValueType::Bool => 1,
        ValueType::Date => 4,
        ValueType::Float | ValueType::Timestamp => 8,
        ValueType::Int => 9,
    };
    out.extend(std::iter::repeat_n(0, zeros));
}

/// Appends a value that is not null.
pub(super) fn encode(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => {}
        Value::String(text) => escape::escape(text.as_bytes(), out),
        Value::Bytes(bytes) => escape::escape(bytes, out),
        Value::Int(number) => {
            out.extend(flip(*number).to_be_bytes());
            if *number == i64::MIN {
                out.push(LEAST_INT);
            }
        }
        Value::Float(number) => out.extend(float::to_ordered_bits(*number).to_be_bytes()),
        Value::Decimal(number) => decimal_bytes::encode(number, out),
        Value::Bool(truth) => out.push(if *truth { TRUE } else { FALSE }),
        Value::Date(date) => out.extend((date.days().cast_unsigned() ^ (1 << 31)).to_be_bytes()),
        Value::Timestamp(moment) => out.extend(flip(moment.micros()).to_be_bytes()),
    }
}

/// Takes a value of a type.
pub(super) fn decode(value_type: ValueType, input: &mut Input<'_>) -> Result<Value, Reason> {
    let value = match value_type {
        ValueType::String => string(escape::unescape(input)?)?,
        ValueType::Bytes => escape::unescape(input)?.map(Value::Bytes),
        ValueType::Int => integer(input)?,
        ValueType::Float => floating(u64::from_be_bytes(input.array()?))?,
        ValueType::Decimal => decimal_bytes::decode(input)?.map(Value::Decimal),
        ValueType::Bool => match input.byte()? {
            0 => None,
            FALSE => Some(Value::Bool(false)),
            TRUE => Some(Value::Bool(true)),
            _ => return Err("the byte is neither null, false nor true"),
        },
        ValueType::Date => match u32::from_be_bytes(input.array()?) {
            0 => None,
            flipped => {
                let days = (flipped ^ (1 << 31)).cast_signed();
                Some(Value::Date(Date::from_days(days).ok_or("the year has more than four digits")?))
            }
        },
        ValueType::Timestamp => match u64::from_be_bytes(input.array()?) {
            0 => None,
            flipped => {
                let moment = Moment::from_micros(unflip(flipped));
                Some(Value::Timestamp(moment.ok_or("the year has more than four digits")?))
            }
        },
    };
    Ok(value.unwrap_or(Value::Null))
}

/// Text from bytes; shared with the text encoding.
pub(super) fn string(bytes: Option<Vec<u8>>) -> Result<Option<Value>, Reason> {
    let Some(bytes) = bytes else { return Ok(None) };
    String::from_utf8(bytes).map(|text| Some(Value::String(text))).map_err(|_| "the text is not UTF-8")
}

fn integer(input: &mut Input<'_>) -> Result<Option<Value>, Reason> {
    match u64::from_be_bytes(input.array()?) {
        0 => match input.byte()? {
            0 => Ok(None),
            LEAST_INT => Ok(Some(Value::Int(i64::MIN))),
            _ => Err("the byte after eight zeros is neither null nor the least number"),
        },
        flipped => Ok(Some(Value::Int(unflip(flipped)))),
    }
}

fn floating(ordered: u64) -> Result<Option<Value>, Reason> {
    if ordered == 0 {
        return Ok(None);
    }
    let number = float::from_ordered_bits(ordered);
    if float::to_ordered_bits(number) != ordered {
        return Err("the bits are a zero or a NaN that is never written");
    }
    Ok(Some(Value::Float(number)))
}

/// The number with its sign bit flipped: unsigned order is then the number's order.
fn flip(number: i64) -> u64 {
    number.cast_unsigned() ^ (1 << 63)
}

fn unflip(flipped: u64) -> i64 {
    (flipped ^ (1 << 63)).cast_signed()
}
