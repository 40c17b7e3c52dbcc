//! Our type of a column that a database declares, and how a dump writes its values.

use tablesmith_model::value::ValueType;

use crate::dialect::Dialect;

/// How a dump writes the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// As they are.
    #[default]
    Plain,
    /// Bytes as PostgreSQL's `bytea` writes them: `\x` and two digits for each.
    Bytea,
    /// Bits as MySQL has them: the bytes of a number, the highest first.
    Bits,
}

/// Bits of the largest number with a sign that is still an `int`.
const INT_BITS: u32 = 63;

/// The type of a column by the words of its declaration. What no type of ours goes with is text: nothing is lost then.
pub(super) fn type_of(declaration: &str, dialect: Dialect) -> (ValueType, Notation) {
    let words = declaration.to_ascii_lowercase().replace(['"', '`'], "").replace("pg_catalog.", "");
    let mut each = words.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let first = each.next().unwrap_or_default();
    let is_whole = |word: &str| matches!(word, "int" | "integer" | "bigint");
    let value_type = match first {
        _ if words.contains('[') => ValueType::String,
        "bytea" => return (ValueType::Bytes, Notation::Bytea),
        "bit" if dialect == Dialect::MySql => return (bits(&words), Notation::Bits),
        // Its greatest values are beyond 64 bits with a sign.
        "bigint" | "int8" | "unsigned" if words.contains("unsigned") => ValueType::Decimal,
        "int" | "integer" | "bigint" | "smallint" | "tinyint" | "mediumint" | "int2" | "int4" | "int8"
        | "int16" | "int32" | "int64" | "serial" | "bigserial" | "smallserial" | "serial4" | "serial8"
        | "serial2" | "uint8" | "uint16" | "uint32" | "year" | "oid" => ValueType::Int,
        "float" | "float4" | "float8" | "float32" | "float64" | "double" | "real" => ValueType::Float,
        "numeric" | "decimal" | "dec" | "number" | "bignumeric" | "bigdecimal" => ValueType::Decimal,
        "bool" | "boolean" => ValueType::Bool,
        "date" | "date32" => ValueType::Date,
        "timestamp" | "timestamptz" | "datetime" | "datetime2" | "datetime64" => ValueType::Timestamp,
        "blob" | "tinyblob" | "mediumblob" | "longblob" | "binary" | "varbinary" | "bytes" | "image" => {
            ValueType::Bytes
        }
        "geometry" | "point" | "linestring" | "polygon" | "multipoint" | "multilinestring"
        | "multipolygon" | "geometrycollection"
            if dialect == Dialect::MySql =>
        {
            ValueType::Bytes
        }
        // SQLite takes types of several words: BIG INT, LONG INTEGER.
        _ if each.any(is_whole) => ValueType::Int,
        _ => ValueType::String,
    };
    (value_type, Notation::Plain)
}

/// `bit(1)` is a truth, more of them are a number.
fn bits(words: &str) -> ValueType {
    let digits: String = words.chars().filter(char::is_ascii_digit).collect();
    match digits.parse::<u32>() {
        Err(_) | Ok(0 | 1) => ValueType::Bool,
        Ok(bits) if bits <= INT_BITS => ValueType::Int,
        Ok(_) => ValueType::Decimal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_several_words_and_of_few_bits() {
        let of = |words: &str| type_of(words, Dialect::Sqlite).0;
        assert_eq!((of("BIG INT"), of("LONG INTEGER")), (ValueType::Int, ValueType::Int));
        assert_eq!(
            (of("UNSIGNED BIG INT"), of("VARYING CHARACTER(255)")),
            (ValueType::Decimal, ValueType::String)
        );
        assert_eq!(
            (of("interval"), of("point"), of("int[]")),
            (ValueType::String, ValueType::String, ValueType::String)
        );
        let bits = |words: &str| type_of(words, Dialect::MySql);
        assert_eq!(bits("bit(1)"), (ValueType::Bool, Notation::Bits));
        assert_eq!((bits("BIT(8)").0, bits("bit(64)").0), (ValueType::Int, ValueType::Decimal));
        assert_eq!(type_of("bit(3)", Dialect::Postgres), (ValueType::String, Notation::Plain));
        assert_eq!(type_of("\"pg_catalog\".\"bytea\"", Dialect::Postgres).0, ValueType::Bytes);
    }
}
