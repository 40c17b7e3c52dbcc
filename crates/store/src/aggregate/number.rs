//! Numbers in cells, and sums of them.

/// How bytes are a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Not at all: count only.
    None,
    /// Eight bytes, big-endian, two's complement.
    I64,
    /// Four bytes, big-endian, two's complement.
    I32,
    /// Eight bytes, big-endian IEEE 754.
    F64,
    /// Decimal digits.
    Text,
}

impl ValueType {
    /// The number in a value, if it is one.
    pub fn number(self, value: &[u8]) -> Option<Number> {
        match self {
            Self::None => None,
            Self::I64 => value.try_into().ok().map(|bytes| Number::Int(i64::from_be_bytes(bytes).into())),
            Self::I32 => value.try_into().ok().map(|bytes| Number::Int(i32::from_be_bytes(bytes).into())),
            Self::F64 => value.try_into().ok().map(|bytes| Number::Float(f64::from_be_bytes(bytes))),
            Self::Text => {
                let text = std::str::from_utf8(value).ok()?.trim();
                let whole = text.parse::<i64>().ok().map(|number| Number::Int(number.into()));
                whole.or_else(|| text.parse::<f64>().ok().map(Number::Float))
            }
        }
    }
}

/// A sum that stays exact as long as all it adds is whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// Any other.
    Float(f64),
}

impl Number {
    /// As a floating-point number.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(number) => number as f64,
            Self::Float(number) => number,
        }
    }

    pub(super) fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => {
                a.checked_add(b).map_or(Self::Float(a as f64 + b as f64), Self::Int)
            }
            (a, b) => Self::Float(a.as_f64() + b.as_f64()),
        }
    }

    pub(super) fn square(self) -> Self {
        match self {
            Self::Int(a) => a.checked_mul(a).map_or(Self::Float(a as f64 * a as f64), Self::Int),
            Self::Float(a) => Self::Float(a * a),
        }
    }

    pub(super) fn less(self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a < b,
            (a, b) => a.as_f64() < b.as_f64(),
        }
    }
}
