//! How bytes are printed, where not as HBase's `toStringBinary` does: `{COLUMNS => 'f:count:toLong'}`.

use tablesmith_model::bytes_text::to_text;

use crate::error::ShellError;

/// The class whose methods these are.
const CLASS: &str = "org.apache.hadoop.hbase.util.Bytes";

/// A method of HBase's `Bytes` that makes text of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Converter {
    /// Printable characters as they are, the others as `\xNN`.
    #[default]
    StringBinary,
    /// UTF-8.
    String,
    /// Hexadecimal digits.
    Hex,
    /// Two bytes, big-endian.
    Short,
    /// Four bytes, big-endian.
    Int,
    /// Eight bytes, big-endian.
    Long,
    /// Four bytes of IEEE 754.
    Float,
    /// Eight bytes of IEEE 754.
    Double,
    /// One byte; zero is false.
    Boolean,
}

impl Converter {
    const ALL: [Self; 9] = [
        Self::StringBinary,
        Self::String,
        Self::Hex,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
        Self::Boolean,
    ];

    /// The method's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::StringBinary => "toStringBinary",
            Self::String => "toString",
            Self::Hex => "toHex",
            Self::Short => "toShort",
            Self::Int => "toInt",
            Self::Long => "toLong",
            Self::Float => "toFloat",
            Self::Double => "toDouble",
            Self::Boolean => "toBoolean",
        }
    }

    /// The converter of a method's name, also as Ruby would write it: `toLong`, `to_long`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|converter| {
            let letters = name.chars().filter(|&letter| letter != '_');
            converter.name().eq_ignore_ascii_case(&letters.collect::<String>())
        })
    }

    /// The converter that stands behind a column, if it is one: a method's name, or `c(class).method`.
    pub fn from_suffix(suffix: &str) -> Result<Option<Self>, ShellError> {
        match suffix.strip_prefix("c(").and_then(|rest| rest.split_once(").")) {
            Some((class, method)) => Self::from_options(Some(method), Some(class)).map(Some),
            None => Ok(Self::from_name(suffix)),
        }
    }

    /// The converter of the options `FORMATTER` and `FORMATTER_CLASS`.
    pub fn from_options(method: Option<&str>, class: Option<&str>) -> Result<Self, ShellError> {
        if let Some(class) = class
            && class != CLASS
        {
            return Err(ShellError::Name(format!("unknown class '{class}': bytes are formatted by {CLASS}")));
        }
        let Some(method) = method else { return Ok(Self::default()) };
        Self::from_name(method).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|converter| converter.name()).collect();
            ShellError::Name(format!(
                "unknown method '{method}': bytes are formatted by one of {}",
                names.join(", ")
            ))
        })
    }

    /// The bytes as text. Numbers want as many bytes as they have; more are left out, as HBase does.
    pub fn apply(self, bytes: &[u8]) -> Result<String, ShellError> {
        Ok(match self {
            Self::StringBinary => to_text(bytes),
            Self::String => String::from_utf8_lossy(bytes).into_owned(),
            Self::Hex => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            Self::Short => i16::from_be_bytes(self.head(bytes)?).to_string(),
            Self::Int => i32::from_be_bytes(self.head(bytes)?).to_string(),
            Self::Long => i64::from_be_bytes(self.head(bytes)?).to_string(),
            Self::Float => format!("{:?}", f32::from_be_bytes(self.head(bytes)?)),
            Self::Double => format!("{:?}", f64::from_be_bytes(self.head(bytes)?)),
            Self::Boolean => match bytes {
                [byte] => (*byte != 0).to_string(),
                _ => return Err(self.wrong_length(bytes, 1)),
            },
        })
    }

    fn head<const N: usize>(self, bytes: &[u8]) -> Result<[u8; N], ShellError> {
        bytes.first_chunk().copied().ok_or_else(|| self.wrong_length(bytes, N))
    }

    fn wrong_length(self, bytes: &[u8], wanted: usize) -> ShellError {
        let (name, length) = (self.name(), bytes.len());
        ShellError::illegal(format!("{name} wants {wanted} bytes, there are {length}: {}", to_text(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_numbers() {
        for (converter, bytes, text) in [
            (Converter::Long, &5_i64.to_be_bytes()[..], "5"),
            (Converter::Int, &(-5_i32).to_be_bytes()[..], "-5"),
            (Converter::Int, b"\0\0\0\x07more", "7"),
            (Converter::Short, b"\x01\x00", "256"),
            (Converter::Double, &1.5_f64.to_be_bytes()[..], "1.5"),
            (Converter::Boolean, b"\x01", "true"),
            (Converter::Hex, b"\x0a\xff", "0aff"),
            (Converter::String, "é".as_bytes(), "é"),
            (Converter::StringBinary, "é".as_bytes(), "\\xC3\\xA9"),
        ] {
            assert_eq!(converter.apply(bytes).unwrap(), text, "{converter:?}");
        }
        assert_eq!(Converter::Long.apply(b"short").unwrap_err().exception(), "IllegalArgumentException");
    }

    #[test]
    fn names_in_both_spellings() {
        assert_eq!(Converter::from_name("to_string_binary"), Some(Converter::StringBinary));
        assert_eq!(Converter::from_suffix("c(my.Class).toInt").unwrap_err().exception(), "NameError");
        assert_eq!(Converter::from_options(None, Some("my.Class")).unwrap_err().exception(), "NameError");
        assert_eq!(Converter::from_options(Some("toInt"), Some(CLASS)).unwrap(), Converter::Int);
    }
}
