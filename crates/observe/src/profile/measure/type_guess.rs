//! The narrowest type that all values of a column have.
//!
//! Every value crosses out the types that it has not; what is left at the end is the answer. Most columns are down to
//! one or none after a few values, so that a value costs one test.

use tablesmith_model::value::{Date, Moment, Value, ValueType};

use super::extremes::Possible;

/// The types that are still possible, and what is needed to choose among them.
#[derive(Clone, Debug)]
pub struct TypeGuess {
    possible: u8,
    /// Digits after the point, when all values with a point have the same number.
    scale: Scale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Unseen,
    Same(usize),
    Mixed,
}

const INT: u8 = 1;
const DECIMAL: u8 = 2;
const FLOAT: u8 = 4;
const BOOL: u8 = 8;
const DATE: u8 = 16;
const TIMESTAMP: u8 = 32;
const NUMBERS: u8 = INT | DECIMAL | FLOAT;
const ALL: u8 = NUMBERS | BOOL | DATE | TIMESTAMP;

impl Default for TypeGuess {
    fn default() -> Self {
        Self { possible: ALL, scale: Scale::Unseen }
    }
}

impl TypeGuess {
    /// Sees a value. `quoted` values come from a format that marks text as text: they are no numbers.
    pub fn see(&mut self, value: &[u8], quoted: bool) {
        if quoted {
            self.possible &= DATE | TIMESTAMP;
        }
        if self.possible == 0 {
            return;
        }
        if self.possible & NUMBERS != 0 {
            self.see_number(value);
        }
        if self.possible & BOOL != 0 && !is_bool(value) {
            self.possible &= !BOOL;
        }
        if self.possible & DATE != 0 && !text_is(value, |text| Date::parse(text).is_some()) {
            self.possible &= !DATE;
        }
        if self.possible & TIMESTAMP != 0 && !text_is(value, |text| Moment::parse(text).is_some()) {
            self.possible &= !TIMESTAMP;
        }
    }

    fn see_number(&mut self, value: &[u8]) {
        match number(value) {
            Number::Int => {}
            Number::Long => self.possible &= !INT,
            Number::Point(digits) => {
                self.possible &= !INT;
                self.scale = match self.scale {
                    Scale::Unseen => Scale::Same(digits),
                    Scale::Same(same) if same == digits => self.scale,
                    _ => Scale::Mixed,
                };
            }
            Number::Exponent => self.possible &= !(INT | DECIMAL),
            Number::None => self.possible &= !NUMBERS,
        }
    }

    /// What the values can still be.
    pub fn possible(&self) -> Possible {
        Possible { numbers: self.possible & NUMBERS != 0, times: self.possible & (DATE | TIMESTAMP) != 0 }
    }

    /// The answer. A column without a value could hold anything: text.
    pub fn answer(&self) -> ValueType {
        let is = |types: u8| self.possible & types != 0;
        if self.possible == ALL {
            ValueType::String
        } else if is(INT) {
            ValueType::Int
        } else if is(DECIMAL) && self.scale != Scale::Mixed {
            // The same number of digits after the point in all rows: amounts, which are exact.
            ValueType::Decimal
        } else if is(FLOAT) {
            ValueType::Float
        } else if is(BOOL) {
            ValueType::Bool
        } else if is(DATE) {
            ValueType::Date
        } else if is(TIMESTAMP) {
            ValueType::Timestamp
        } else {
            ValueType::String
        }
    }
}

enum Number {
    /// Fits 64 bits.
    Int,
    /// Whole, but longer.
    Long,
    /// With so many digits after the point.
    Point(usize),
    /// With an exponent, or not finite.
    Exponent,
    None,
}

/// Which kind of number a text is. `007` is none: who writes zeros in front means a name.
fn number(text: &[u8]) -> Number {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (whole_part, rest) = digits.split_at_checked(whole).unwrap_or((digits, &[]));
    if let [b'0', _, ..] = whole_part {
        return Number::None;
    }
    match rest {
        [] if whole == 0 => Number::None,
        [] if whole < 19 => Number::Int,
        [] => long(text),
        [b'.', fraction @ ..]
            if whole > 0 && !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit) =>
        {
            Number::Point(fraction.len())
        }
        _ => inexact(text),
    }
}

fn long(text: &[u8]) -> Number {
    let fits = text_is(text, |text| text.parse::<i64>().is_ok());
    if fits { Number::Int } else { Number::Long }
}

fn inexact(text: &[u8]) -> Number {
    let is_float = text_is(text, |text| Value::parse(ValueType::Float, text).is_ok());
    if is_float && !text.starts_with(b"+") && !text.contains(&b' ') { Number::Exponent } else { Number::None }
}

fn is_bool(text: &[u8]) -> bool {
    text.eq_ignore_ascii_case(b"true") || text.eq_ignore_ascii_case(b"false")
}

fn text_is(value: &[u8], test: impl Fn(&str) -> bool) -> bool {
    std::str::from_utf8(value).is_ok_and(test)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(values: &[&str]) -> ValueType {
        let mut guess = TypeGuess::default();
        values.iter().for_each(|value| guess.see(value.as_bytes(), false));
        guess.answer()
    }

    #[test]
    fn each_type_is_known_by_its_values() {
        for (values, expected) in [
            (&["1", "-20", "9223372036854775807"][..], ValueType::Int),
            (&["1", "9223372036854775808"], ValueType::Decimal),
            (&["1.50", "-0.25", "3"], ValueType::Decimal),
            (&["1.5", "0.25"], ValueType::Float),
            (&["1", "1e9"], ValueType::Float),
            (&["NaN", "inf"], ValueType::Float),
            (&["true", "False"], ValueType::Bool),
            (&["2024-02-29", "1999-12-31"], ValueType::Date),
            (&["2024-02-29T23:59:59Z", "2024-01-01 00:00"], ValueType::Timestamp),
            (&["2024-01-01 00:00:00.123456+02:00"], ValueType::Timestamp),
            (&["a", "1"], ValueType::String),
            (&["007"], ValueType::String),
            (&["0", "0.5"], ValueType::Decimal),
            (&["+5"], ValueType::String),
            (&["-"], ValueType::String),
            (&["2023-02-29"], ValueType::String),
            (&["2024-13-01"], ValueType::String),
            (&["2024-01-01", "2024-01-01 00:00"], ValueType::Timestamp),
            (&["1e999"], ValueType::String),
            (&["2024-01-01 24:00"], ValueType::String),
            (&["1", "true"], ValueType::String),
            (&[], ValueType::String),
        ] {
            assert_eq!(guess(values), expected, "{values:?}");
            let read = |value: &&str| Value::parse(expected, value).is_ok();
            assert!(values.iter().all(read), "{values:?} are no values of what they are said to be");
        }
    }

    #[test]
    fn quoted_digits_are_text_and_quoted_dates_are_dates() {
        let mut digits = TypeGuess::default();
        digits.see(b"17", true);
        assert_eq!(digits.answer(), ValueType::String);
        let mut date = TypeGuess::default();
        date.see(b"2024-01-01", true);
        assert_eq!(date.answer(), ValueType::Date);
    }
}
