//! The values that stand in a command, and how Ruby would turn them into text.

use bytes::Bytes;

/// A value as it is written in a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `nil`
    Nil,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// Any other number.
    Float(f64),
    /// A quoted literal or a symbol; any bytes.
    Text(Bytes),
    /// A bare name that stands for something else: `VERSIONS`, `org.apache.hadoop.hbase.HConstants::FOREVER`.
    Name(String),
    /// `[…]`
    Array(Vec<Value>),
    /// `{…}`, in the order written.
    Hash(Vec<(Value, Value)>),
    /// `Some.java.Class.new(…)`
    New {
        /// The class, with its package.
        class: String,
        /// What its constructor gets.
        arguments: Vec<Value>,
    },
}

impl Value {
    /// A text value.
    pub fn text(text: impl Into<Bytes>) -> Self {
        Self::Text(text.into())
    }

    /// What Ruby's `to_s` gives: keys and values may be written as numbers.
    pub fn to_bytes(&self) -> Bytes {
        match self {
            Self::Nil => Bytes::new(),
            Self::Text(text) => text.clone(),
            Self::Name(name) => Bytes::copy_from_slice(name.as_bytes()),
            other => other.inspect().into(),
        }
    }

    /// The same as text; bytes that are no UTF-8 are replaced, so this is for names and messages only.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.to_bytes()).into_owned()
    }

    /// What Ruby's `inspect` gives: the value as one would write it.
    pub fn inspect(&self) -> String {
        match self {
            Self::Nil => "nil".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::Float(value) => float_text(*value),
            Self::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
            Self::Name(name) => name.clone(),
            Self::Array(values) => format!("[{}]", join(values)),
            Self::Hash(pairs) => {
                let pairs: Vec<_> = pairs
                    .iter()
                    .map(|(key, value)| format!("{}=>{}", key.inspect(), value.inspect()))
                    .collect();
                format!("{{{}}}", pairs.join(", "))
            }
            Self::New { class, arguments } => format!("{class}.new({})", join(arguments)),
        }
    }

    /// Ruby's name for what kind of value this is.
    pub fn class(&self) -> &str {
        match self {
            Self::Nil => "NilClass",
            Self::Bool(true) => "TrueClass",
            Self::Bool(false) => "FalseClass",
            Self::Int(_) => "Integer",
            Self::Float(_) => "Float",
            Self::Text(_) | Self::Name(_) => "String",
            Self::Array(_) => "Array",
            Self::Hash(_) => "Hash",
            Self::New { class, .. } => class,
        }
    }
}

fn join(values: &[Value]) -> String {
    values.iter().map(Value::inspect).collect::<Vec<_>>().join(", ")
}

/// Ruby prints floats with a point at least, and with an exponent from 1e16 on and below 1e-4.
fn float_text(value: f64) -> String {
    let magnitude = value.abs();
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() }
    } else if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if digits.contains('.') { "" } else { ".0" };
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
        format!("{digits}{point}e{sign}{exponent:0>2}")
    } else {
        format!("{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_ruby_does() {
        for (value, text) in [
            (1.0, "1.0"),
            (-2.5, "-2.5"),
            (0.0, "0.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1.0e+16"),
            (1.25e100, "1.25e+100"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
        ] {
            assert_eq!(Value::Float(value).inspect(), text);
        }
        assert_eq!(Value::Int(-7).to_bytes(), "-7");
    }

    #[test]
    fn collections_print_as_they_are_written() {
        let hash = Value::Hash(vec![(
            Value::text("VERSIONS"),
            Value::Array(vec![Value::Int(3), Value::Nil, Value::text("a\"b")]),
        )]);
        assert_eq!(hash.inspect(), r#"{"VERSIONS"=>[3, nil, "a\"b"]}"#);
        assert_eq!(Value::Nil.to_bytes(), "");
    }
}
