//! Typed values: what a column can hold, how it is read and printed, and how it becomes bytes.
//!
//! ```text
//!  text (CSV, a log) ──Value::parse───▶ Value ──KeyEncoding───▶ bytes of a row key, sorted as the values are
//!  a literal of SQL  ──from_sql_literal──▶ │
//!                                          └────CellEncoding──▶ bytes of a cell
//! ```

mod cell_encoding;
mod date;
mod decimal;
mod decimal_sum;
mod encoding;
mod float;
mod moment;
mod parse;
mod sql_literal;
pub mod time_text;
mod value_type;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::bytes_text;

pub use cell_encoding::{CellEncoding, CellError};
pub use date::Date;
pub use decimal::Decimal;
pub use encoding::{DecodeError, EncodeError, KeyEncoding, escape};
pub use moment::Moment;
pub use parse::ParseError;
pub use sql_literal::from_sql_literal;
pub use value_type::ValueType;

/// A value of a column, or its absence.
///
/// Values are equal when their key bytes are: there is one zero and one NaN. Null sorts before everything, NaN after
/// every other float. Values of different types sort by type, which means nothing but is always the same.
#[derive(Clone, Debug)]
pub enum Value {
    /// No value.
    Null,
    /// Text.
    String(String),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// An exact decimal number.
    Decimal(Decimal),
    /// True or false.
    Bool(bool),
    /// Any bytes.
    Bytes(Vec<u8>),
    /// A day.
    Date(Date),
    /// A moment.
    Timestamp(Moment),
}

impl Value {
    /// The type; null has none.
    pub fn value_type(&self) -> Option<ValueType> {
        Some(match self {
            Self::Null => return None,
            Self::String(_) => ValueType::String,
            Self::Int(_) => ValueType::Int,
            Self::Float(_) => ValueType::Float,
            Self::Decimal(_) => ValueType::Decimal,
            Self::Bool(_) => ValueType::Bool,
            Self::Bytes(_) => ValueType::Bytes,
            Self::Date(_) => ValueType::Date,
            Self::Timestamp(_) => ValueType::Timestamp,
        })
    }

    /// Whether it is the absence of a value.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether a column of this type can hold it.
    pub fn fits(&self, value_type: ValueType) -> bool {
        self.value_type().is_none_or(|own| own == value_type)
    }

    /// The text that [`Value::parse`] reads back; null has none.
    pub fn text(&self) -> Option<String> {
        (!self.is_null()).then(|| self.to_string())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::String(text) => f.write_str(text),
            Self::Int(number) => number.fmt(f),
            // Debug is the shortest text that reads back as the same number, with an exponent where that is shorter.
            Self::Float(number) => write!(f, "{:?}", float::canonical(*number)),
            Self::Decimal(number) => number.fmt(f),
            Self::Bool(truth) => truth.fmt(f),
            Self::Bytes(bytes) => f.write_str(&bytes_text::to_text(bytes)),
            Self::Date(date) => date.fmt(f),
            Self::Timestamp(moment) => moment.fmt(f),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::String(one), Self::String(two)) => one.cmp(two),
            (Self::Int(one), Self::Int(two)) => one.cmp(two),
            (Self::Float(one), Self::Float(two)) => {
                float::to_ordered_bits(*one).cmp(&float::to_ordered_bits(*two))
            }
            (Self::Decimal(one), Self::Decimal(two)) => one.cmp(two),
            (Self::Bool(one), Self::Bool(two)) => one.cmp(two),
            (Self::Bytes(one), Self::Bytes(two)) => one.cmp(two),
            (Self::Date(one), Self::Date(two)) => one.cmp(two),
            (Self::Timestamp(one), Self::Timestamp(two)) => one.cmp(two),
            _ => self.value_type().cmp(&other.value_type()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value_type().hash(state);
        match self {
            Self::Null => {}
            Self::String(text) => text.hash(state),
            Self::Int(number) => number.hash(state),
            Self::Float(number) => float::to_ordered_bits(*number).hash(state),
            Self::Decimal(number) => number.hash(state),
            Self::Bool(truth) => truth.hash(state),
            Self::Bytes(bytes) => bytes.hash(state),
            Self::Date(date) => date.hash(state),
            Self::Timestamp(moment) => moment.hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_zero_and_one_nan() {
        assert_eq!(Value::Float(0.0), Value::Float(-0.0));
        assert_eq!(Value::Float(f64::NAN), Value::Float(-f64::NAN));
        assert_eq!(Value::Float(-0.0).to_string(), "0.0");
        assert_ne!(Value::Float(1.0), Value::Int(1));
    }

    #[test]
    fn null_comes_first_and_fits_everywhere() {
        assert!(Value::Null < Value::String(String::new()) && Value::Null < Value::Int(i64::MIN));
        assert!(ValueType::ALL.into_iter().all(|value_type| Value::Null.fits(value_type)));
        assert!(!Value::Int(1).fits(ValueType::Float));
        assert_eq!(Value::Null.text(), None);
    }
}
