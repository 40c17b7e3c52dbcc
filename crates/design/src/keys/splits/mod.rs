//! Where regions begin. A table of R regions has R − 1 split points; each is the first key of a region.

pub mod fit;
pub mod prefix;
pub mod quantile;
pub mod region_splitter;

use std::fmt;

/// How split points are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SplitMethod {
    /// Equal stretches of the prefixes; keys without a prefix are split at quantiles.
    #[default]
    Prefix,
    /// Quantiles of the real keys.
    Quantile,
    /// HBase's HexStringSplit.
    Hex,
    /// HBase's UniformSplit.
    Uniform,
    /// HBase's DecimalStringSplit.
    Decimal,
}

/// What quantiles weigh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Every key once, however often it is written.
    Rows,
    /// The bytes of the rows.
    Bytes,
    /// Every write.
    #[default]
    Writes,
}

/// Why there are no split points.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// No regions.
    #[error("a table cannot have 0 regions: give at least 1")]
    NoRegions,
    /// More regions than the method has points.
    #[error("{method} has points for at most {most} regions, not for {regions}")]
    TooMany {
        /// The method.
        method: SplitMethod,
        /// Regions that were asked for.
        regions: usize,
        /// The most that it can do.
        most: u64,
    },
}

impl SplitMethod {
    /// All methods.
    pub const ALL: [Self; 5] = [Self::Prefix, Self::Quantile, Self::Hex, Self::Uniform, Self::Decimal];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::Quantile => "quantile",
            Self::Hex => "hex",
            Self::Uniform => "uniform",
            Self::Decimal => "decimal",
        }
    }

    /// The method of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

impl fmt::Display for SplitMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Weight {
    /// All weights.
    pub const ALL: [Self; 3] = [Self::Rows, Self::Bytes, Self::Writes];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Bytes => "bytes",
            Self::Writes => "writes",
        }
    }

    /// The weight of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|weight| weight.name() == name)
    }
}

/// The region that a key lies in: how many split points are not above it.
pub fn region_of<S: AsRef<[u8]>>(splits: &[S], key: &[u8]) -> usize {
    splits.partition_point(|split| split.as_ref() <= key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_point_is_the_first_key_of_its_region() {
        let splits = [b"b".to_vec(), b"d".to_vec()];
        assert_eq!(
            [&b""[..], b"a~", b"b", b"c", b"d", b"z"].map(|key| region_of(&splits, key)),
            [0, 0, 1, 1, 2, 2]
        );
    }

    #[test]
    fn names_are_read_back() {
        assert!(SplitMethod::ALL.into_iter().all(|one| SplitMethod::from_name(one.name()) == Some(one)));
        assert!(Weight::ALL.into_iter().all(|one| Weight::from_name(one.name()) == Some(one)));
    }
}
