//! A row as bytes: a letter for each value's type, then the value.
//!
//! ```text
//!   N                       null
//!   I F T D                 whole number, float, moment in microseconds, day: 8 bytes, big-endian
//!   B                       truth: 1 byte
//!   S Y C                   text, bytes, decimal as text: 4 bytes of length, then so many
//! ```

use tablesmith_model::value::{Date, Decimal, Moment, Value};

use crate::answer::operators::Row;

/// Puts a row behind what is there.
pub fn encode(row: &[Value], out: &mut Vec<u8>) {
    for value in row {
        match value {
            Value::Null => out.push(b'N'),
            Value::Int(number) => fixed(b'I', *number, out),
            Value::Float(number) => fixed(b'F', i64::from_be_bytes(number.to_be_bytes()), out),
            Value::Timestamp(moment) => fixed(b'T', moment.micros(), out),
            Value::Date(date) => fixed(b'D', date.days().into(), out),
            Value::Bool(truth) => out.extend([b'B', u8::from(*truth)]),
            Value::String(text) => long(b'S', text.as_bytes(), out),
            Value::Bytes(bytes) => long(b'Y', bytes, out),
            Value::Decimal(number) => long(b'C', number.to_string().as_bytes(), out),
        }
    }
}

fn fixed(letter: u8, number: i64, out: &mut Vec<u8>) {
    out.push(letter);
    out.extend(number.to_be_bytes());
}

fn long(letter: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(letter);
    // A value that long fits into no cell, so the length always fits.
    out.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend(bytes);
}

/// The row of bytes; none when they are not what [`encode`] writes.
pub fn decode(mut bytes: &[u8]) -> Option<Row> {
    let mut row = Vec::new();
    while let Some((letter, rest)) = bytes.split_first() {
        let (value, rest) = match letter {
            b'N' => (Value::Null, rest),
            b'B' => rest.split_first().map(|(truth, rest)| (Value::Bool(*truth != 0), rest))?,
            b'I' | b'F' | b'T' | b'D' => {
                let (number, rest) = rest.split_first_chunk::<8>()?;
                (of_number(*letter, *number)?, rest)
            }
            b'S' | b'Y' | b'C' => {
                let (length, rest) = rest.split_first_chunk::<4>()?;
                let (own, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
                (of_bytes(*letter, own)?, rest)
            }
            _ => return None,
        };
        row.push(value);
        bytes = rest;
    }
    Some(row)
}

fn of_number(letter: u8, bytes: [u8; 8]) -> Option<Value> {
    let number = i64::from_be_bytes(bytes);
    Some(match letter {
        b'F' => Value::Float(f64::from_be_bytes(bytes)),
        b'T' => Value::Timestamp(Moment::from_micros(number)?),
        b'D' => Value::Date(Date::from_days(i32::try_from(number).ok()?)?),
        _ => Value::Int(number),
    })
}

fn of_bytes(letter: u8, bytes: &[u8]) -> Option<Value> {
    let text = || std::str::from_utf8(bytes).ok();
    Some(match letter {
        b'S' => Value::String(text()?.to_owned()),
        b'C' => Value::Decimal(Decimal::parse(text()?)?),
        _ => Value::Bytes(bytes.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back() {
        let row = vec![
            Value::Null,
            Value::Int(i64::MIN),
            Value::Float(-0.5),
            Value::Float(f64::INFINITY),
            Value::Timestamp(Moment::MAX),
            Value::Date(Date::MIN),
            Value::Bool(true),
            Value::String("naïve\0".into()),
            Value::Bytes((0..=255).collect()),
            Value::Decimal(Decimal::parse("-12.50").unwrap()),
        ];
        let mut bytes = Vec::new();
        encode(&row, &mut bytes);
        assert_eq!(decode(&bytes), Some(row));
        for end in 1..bytes.len() {
            let cut = decode(&bytes[..end]);
            assert!(cut.is_none_or(|row| row.len() < 10), "a row that is cut off at {end}");
        }
        assert_eq!(decode(b"Q"), None);
    }
}
