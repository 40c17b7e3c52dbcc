//! Where a new table is cut: keys, a file of keys, or so many regions by an algorithm.

use bytes::Bytes;
use tablesmith_model::TableDescriptor;
use tablesmith_model::bytes_text::from_text;

use crate::arguments::{Options, convert};
use crate::error::ShellError;
use crate::language::Value;

/// More regions than any cluster has; the keys of so many still fit into memory.
const MAX_REGIONS: i64 = 1_000_000;

/// Takes the split keys out of the options.
pub fn take_splits(
    options: &mut Options,
    table: &mut TableDescriptor,
) -> Result<Option<Vec<Bytes>>, ShellError> {
    if let Some(path) = options.text("SPLITS_FILE")? {
        let content = std::fs::read(&path).map_err(|error| {
            ShellError::Argument(format!("the splits file {path} cannot be read: {error}"))
        })?;
        options.take("SPLITS");
        table.attributes.insert("SPLITS_FILE".to_owned(), path);
        let content = content.strip_suffix(b"\n").unwrap_or(&content);
        let lines = content.split(|&byte| byte == b'\n');
        return Ok(Some(lines.map(|line| key(line.strip_suffix(b"\r").unwrap_or(line))).collect()));
    }
    if let Some(keys) = options.take("SPLITS") {
        let keys = convert::array(keys, "SPLITS")?;
        let keys = keys.iter().map(|value| Ok(key(&convert::bytes(value, "a split key")?)));
        return keys.collect::<Result<_, ShellError>>().map(Some);
    }
    if !options.contains("NUMREGIONS") && !options.contains("SPLITALGO") {
        return Ok(None);
    }
    let missing = |what: &str| ShellError::Argument(format!("{what} must be specified"));
    let regions = options.long("NUMREGIONS")?.ok_or_else(|| missing("NUMREGIONS"))?;
    let algorithm = options.text("SPLITALGO")?.ok_or_else(|| missing("SPLITALGO"))?;
    by_algorithm(regions, &algorithm).map(Some)
}

/// Split keys take `\x` escapes whichever quotes they stand in.
pub fn key(text: &[u8]) -> Bytes {
    from_text(text).into()
}

/// A split point that a command is given, if any.
pub fn optional_key(value: Option<Value>) -> Result<Option<Bytes>, ShellError> {
    value.map(|value| Ok(key(&convert::bytes(&value, "the split key")?))).transpose()
}

fn by_algorithm(regions: i64, algorithm: &str) -> Result<Vec<Bytes>, ShellError> {
    if regions <= 1 {
        return Err(ShellError::Argument("NUMREGIONS must be greater than 1".to_owned()));
    }
    if regions > MAX_REGIONS {
        return Err(ShellError::Argument(format!("NUMREGIONS is at most {MAX_REGIONS}")));
    }
    let name = algorithm.rsplit(['.', '$']).next().unwrap_or(algorithm);
    let (range, print): (u128, fn(u128) -> Bytes) = match name {
        "HexStringSplit" => (1 << 32, |key| format!("{key:08x}").into()),
        "DecimalStringSplit" => (100_000_000, |key| format!("{key:08}").into()),
        "UniformSplit" => (1 << 64, |key| {
            let [.., a, b, c, d, e, f, g, h] = key.to_be_bytes();
            Bytes::copy_from_slice(&[a, b, c, d, e, f, g, h])
        }),
        _ => {
            return Err(ShellError::Client {
                exception: "IOException",
                message: format!(
                    "SPLITALGO is HexStringSplit, UniformSplit or DecimalStringSplit, not '{algorithm}'"
                ),
            });
        }
    };
    let regions = u128::from(regions.unsigned_abs());
    let step = range / regions;
    Ok((1..regions).map(|region| print(region * step)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(regions: i64, algorithm: &str) -> Vec<String> {
        let keys = by_algorithm(regions, algorithm).unwrap();
        keys.iter().map(|key| tablesmith_model::bytes_text::to_text(key)).collect()
    }

    /// The keys are those that HBase makes.
    #[test]
    fn algorithms_cut_as_hbase_does() {
        assert_eq!(texts(3, "HexStringSplit"), ["55555555", "aaaaaaaa"]);
        assert_eq!(texts(10, "HexStringSplit")[..3], ["19999999", "33333332", "4ccccccb"]);
        assert_eq!(texts(3, "DecimalStringSplit"), ["33333333", "66666666"]);
        assert_eq!(texts(12, "DecimalStringSplit")[..3], ["08333333", "16666666", "24999999"]);
        assert_eq!(
            texts(10, "UniformSplit")[..3],
            ["\\x19\\x99\\x99\\x99\\x99\\x99\\x99\\x99", "33333332", "L\\xCC\\xCC\\xCC\\xCC\\xCC\\xCC\\xCB"]
        );
    }

    #[test]
    fn senseless_numbers_are_refused() {
        for (regions, algorithm, exception) in [
            (1, "HexStringSplit", "ArgumentError"),
            (i64::MAX, "UniformSplit", "ArgumentError"),
            (3, "x", "IOException"),
        ] {
            assert_eq!(by_algorithm(regions, algorithm).unwrap_err().exception(), exception);
        }
    }
}
