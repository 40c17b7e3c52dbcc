//! The keys that are compared, by name.

mod make;

use std::fmt;

use tablesmith_model::key::{Key, Modulus, Part};

use super::setup::Setup;

/// The name of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StrategyName {
    /// The id as it is.
    Plain,
    /// A prefix by chance (section III-C of the paper).
    Random,
    /// The remainder of the id (section III-D).
    Mod,
    /// The remainder of the whole id's MD5 (section III-E).
    Md5Mod,
    /// The remainder of the MD5 of a part of the id (section III-G).
    Md5ModPart,
    /// The remainder of the whole line's MD5 (section III-F).
    Md5LineMod,
    /// The first column's text backwards.
    Reverse,
    /// The first column's whole MD5.
    Hash,
    /// The stretch of time first.
    Bucket,
    /// The newest first.
    Desc,
}

/// A strategy that goes with the ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Its name.
    pub name: StrategyName,
    /// The key that it makes.
    pub key: Key,
}

/// A strategy that does not go with the ids, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name.
    pub name: StrategyName,
    /// Why, as a sentence.
    pub reason: String,
}

impl StrategyName {
    /// All strategies, the plain key first.
    pub const ALL: [Self; 10] = [
        Self::Plain,
        Self::Random,
        Self::Mod,
        Self::Md5Mod,
        Self::Md5ModPart,
        Self::Md5LineMod,
        Self::Reverse,
        Self::Hash,
        Self::Bucket,
        Self::Desc,
    ];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Random => "random",
            Self::Mod => "mod",
            Self::Md5Mod => "md5_mod",
            Self::Md5ModPart => "md5_mod_part",
            Self::Md5LineMod => "md5_line_mod",
            Self::Reverse => "reverse",
            Self::Hash => "hash",
            Self::Bucket => "bucket",
            Self::Desc => "desc",
        }
    }

    /// The strategy of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }

    /// What it does, in a few words.
    pub fn what(self) -> &'static str {
        match self {
            Self::Plain => "the id as it is",
            Self::Random => "a random prefix, then the id",
            Self::Mod => "the id's remainder, then the id",
            Self::Md5Mod => "the remainder of the whole id's MD5, then the id",
            Self::Md5ModPart => "the remainder of the MD5 of the id's entity, then the id",
            Self::Md5LineMod => "the remainder of the whole line's MD5, then the id",
            Self::Reverse => "the first column backwards, then the rest of the id",
            Self::Hash => "the first column's whole MD5, then the id",
            Self::Bucket => "the stretch of time, then the id",
            Self::Desc => "the id with its time falling",
        }
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Strategy {
    /// How many prefixes the key begins with; none when it does not begin with one.
    pub fn prefixes(&self) -> Option<Modulus> {
        self.key.parts.first().and_then(Part::prefixes)
    }

    /// The same key over another number of prefixes.
    pub fn with_prefixes(&self, modulus: Modulus) -> Key {
        let mut key = self.key.clone();
        match key.parts.first_mut() {
            Some(Part::Md5Mod { modulus: own, .. } | Part::Mod { modulus: own, .. }) => *own = modulus,
            Some(Part::Random(own) | Part::Md5LineMod(own)) => *own = modulus,
            _ => {}
        }
        key
    }
}

/// The plain key, to compare with; none when the id has none.
pub(super) fn plain(setup: &Setup) -> Option<Strategy> {
    make::key(StrategyName::Plain, setup).ok().map(|key| Strategy { name: StrategyName::Plain, key })
}

/// The strategies that are asked for and go with the ids, and those that do not.
pub fn strategies(setup: &Setup) -> (Vec<Strategy>, Vec<LeftOut>) {
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    let asked = |name: &StrategyName| setup.strategies.is_empty() || setup.strategies.contains(name);
    for name in StrategyName::ALL.into_iter().filter(asked) {
        match make::key(name, setup) {
            Ok(key) => found.push(Strategy { name, key }),
            Err(reason) => left_out.push(LeftOut { name, reason }),
        }
    }
    (found, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_has_a_name_that_is_read_back() {
        for name in StrategyName::ALL {
            assert_eq!(StrategyName::from_name(name.name()), Some(name));
            assert!(!name.what().is_empty());
        }
        assert_eq!(StrategyName::from_name("salt"), None);
    }
}
