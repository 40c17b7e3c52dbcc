//! The keys that are compared: the paper's four designs (section III) and the plain id.

use tablesmith_model::key::{Key, KeyCodec, KeyError, KeyInput, PartError};
use tablesmith_model::value::{KeyEncoding, Value, ValueType};

/// Digits of a padded id: room for ids to grow, as those do for which splits cannot be known beforehand.
pub const ID_DIGITS: usize = 10;
/// The paper's number of prefixes, MP.
pub const MODULUS: u64 = 1_000_000;

/// One of the keys that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyDesign {
    /// A prefix by chance (III-C).
    Random,
    /// The remainder of the id (III-D).
    Mod,
    /// The remainder of the id's digest (III-E).
    Md5Mod,
    /// The remainder of the digest of the whole line (III-F).
    Md5LineMod,
    /// The padded id alone.
    Plain,
}

impl KeyDesign {
    /// All of them, the paper's in its order.
    pub const ALL: [Self; 5] = [Self::Random, Self::Mod, Self::Md5Mod, Self::Md5LineMod, Self::Plain];

    /// The name of the strategy.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Mod => "mod",
            Self::Md5Mod => "md5_mod",
            Self::Md5LineMod => "md5_line_mod",
            Self::Plain => "plain",
        }
    }

    /// The parts of its key with so many prefixes.
    pub fn parts(self, modulus: u64) -> Vec<String> {
        let prefix = match self {
            Self::Random => Some(format!("random({modulus})")),
            Self::Mod => Some(format!("mod(id, {modulus})")),
            Self::Md5Mod => Some(format!("md5_mod(id, {modulus})")),
            Self::Md5LineMod => Some(format!("md5_line_mod({modulus})")),
            Self::Plain => None,
        };
        prefix.into_iter().chain([format!("pad(id, {ID_DIGITS})")]).collect()
    }

    /// Whether the prefix is made from the line.
    pub fn hashes_line(self) -> bool {
        self == Self::Md5LineMod
    }

    /// What makes its keys, as readable text.
    pub fn codec(self, modulus: u64) -> Result<KeyCodec, DesignError> {
        let key = Key::parse(&self.parts(modulus), KeyEncoding::Text)?;
        Ok(key.codec(|field| (field == "id").then_some(ValueType::Int))?)
    }
}

/// A key that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// A part is not one.
    #[error(transparent)]
    Part(#[from] PartError),
    /// The parts do not go with an id.
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// The split points i · MP / R of section III-B, as text of as many digits as a prefix has. The plain key gets the same
/// ones: they are made for prefixes, and say nothing about where ids will be.
pub fn splits(regions: usize, modulus: u64) -> Vec<Vec<u8>> {
    let digits = modulus.saturating_sub(1).to_string().len();
    let regions = regions as u64;
    (1..regions).map(|region| format!("{:0digits$}", region * modulus / regions).into_bytes()).collect()
}

/// A row, as far as its key needs it.
#[derive(Debug)]
pub struct IdRow {
    id: Value,
    line: Vec<u8>,
    random: fastrand::Rng,
}

impl IdRow {
    /// The row of an id; its random prefix depends on the seed and the id alone, so that it is the same in every run.
    pub fn new(id: u64, seed: u64) -> Self {
        let mut row = Self { id: Value::Int(0), line: Vec::new(), random: fastrand::Rng::new() };
        row.set(id, seed, |_| ());
        row
    }

    /// Makes it the row of another id, and has its line written when there is to be one.
    pub fn set(&mut self, id: u64, seed: u64, line: impl FnOnce(&mut Vec<u8>)) {
        self.id = Value::Int(i64::try_from(id).unwrap_or(i64::MAX));
        self.random = fastrand::Rng::with_seed(seed ^ id.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.line.clear();
        line(&mut self.line);
    }
}

impl KeyInput for IdRow {
    fn value(&self, field: &str) -> Option<&Value> {
        (field == "id").then_some(&self.id)
    }

    fn line(&self) -> Option<&[u8]> {
        (!self.line.is_empty()).then_some(&self.line)
    }

    fn random_below(&mut self, bound: u64) -> Option<u64> {
        (bound > 0).then(|| self.random.u64(..bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(design: KeyDesign, id: u64) -> String {
        let mut row = IdRow::new(id, 1);
        row.set(id, 1, |line| line.extend(b"7,1:1"));
        String::from_utf8(design.codec(MODULUS).unwrap().encode(&mut row).unwrap()).unwrap()
    }

    #[test]
    fn keys_are_the_papers() {
        assert_eq!(key(KeyDesign::Plain, 7), "0000000007");
        assert_eq!(key(KeyDesign::Mod, 3_000_007), "0000070003000007");
        // The decimal value of md5("7") ends so.
        assert_eq!(key(KeyDesign::Md5Mod, 7), "9755550000000007");
        assert_eq!(key(KeyDesign::Md5LineMod, 7).len(), 16);
        assert_eq!(key(KeyDesign::Random, 7), key(KeyDesign::Random, 7));
        assert_ne!(key(KeyDesign::Random, 7)[..6], key(KeyDesign::Random, 8)[..6]);
    }

    #[test]
    fn split_points_divide_the_prefixes() {
        let text = |splits: Vec<Vec<u8>>| {
            splits.into_iter().map(|s| String::from_utf8(s).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(text(splits(4, MODULUS)), ["250000", "500000", "750000"]);
        assert_eq!(text(splits(3, 100)), ["33", "66"]);
        assert!(splits(1, MODULUS).is_empty() && splits(0, MODULUS).is_empty());
    }
}
