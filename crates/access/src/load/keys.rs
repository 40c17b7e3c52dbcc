//! The keys of rows that a load has written: which rows may be there already, and which are new for sure.
//!
//! A Bloom filter in blocks (Putze, Sanders and Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007): all bits of a
//! key lie in one line of the processor's cache. Filters grow in number, each four times as large as the one before; the last
//! may get too full, which makes more rows look as if they were there, and never fewer.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tablesmith_model::value::Value;
use xxhash_rust::xxh3::xxh3_128;

/// Bits of a block: a line of the cache.
const BLOCK_BITS: u64 = 512;
/// The first filter takes so many keys.
const FIRST_KEYS: usize = 1 << 16;
const GROWTH: usize = 4;
/// More filters than this are not made. They take 22 million keys, in 67 MB, or in 179 where they have to be surer.
const MOST_FILTERS: usize = 5;

/// How seldom a new key is taken for known by mistake. Looking for it in the store costs far more than its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sureness {
    /// For keys that a get or two find.
    OneInThousands,
    /// For keys that only a walk through the whole table finds.
    OneInManyMillions,
}

impl Sureness {
    /// Bits of a filter for each key that it takes.
    fn bits_a_key(self) -> usize {
        match self {
            Self::OneInThousands => 24,
            Self::OneInManyMillions => 64,
        }
    }

    /// Bits that stand for one key.
    fn bits_set(self) -> u32 {
        match self {
            Self::OneInThousands => 8,
            Self::OneInManyMillions => 12,
        }
    }
}

type Block = [u64; (BLOCK_BITS / 64) as usize];

/// Keys of rows, as far as rows that are new for sure must be told from others.
#[derive(Debug)]
pub(crate) enum Keys {
    /// The table has rows that nobody has looked at: each key may be there.
    Unknown,
    /// All keys that are there have gone through this.
    Known(Vec<Filter>),
}

#[derive(Debug)]
pub(crate) struct Filter {
    blocks: Vec<Block>,
    /// Bits that stand for one key.
    bits_set: u32,
    /// Keys that it still takes.
    room: usize,
}

impl Keys {
    /// Those of a table without rows.
    pub fn none() -> Self {
        Self::Known(Vec::new())
    }

    /// Adds a key; whether it may have been there already.
    pub fn may_have(&mut self, key: u128, sureness: Sureness) -> bool {
        let Self::Known(filters) = self else { return true };
        if filters.iter().any(|filter| filter.has(key)) {
            return true;
        }
        let is_full = filters.last().is_none_or(|filter| filter.room == 0);
        if is_full && filters.len() < MOST_FILTERS {
            filters.push(Filter::for_keys(FIRST_KEYS * GROWTH.pow(filters.len() as u32), sureness));
        }
        if let Some(filter) = filters.last_mut() {
            filter.add(key);
        }
        false
    }
}

impl Filter {
    fn for_keys(keys: usize, sureness: Sureness) -> Self {
        let blocks = keys * sureness.bits_a_key() / BLOCK_BITS as usize;
        Self { blocks: vec![Block::default(); blocks], bits_set: sureness.bits_set(), room: keys }
    }

    /// The block of a key: the upper half of the number spread over all blocks.
    fn block_of(&self, key: u128) -> usize {
        (((key >> 64) * self.blocks.len() as u128) >> 64) as usize
    }

    fn has(&self, key: u128) -> bool {
        let block = self.blocks.get(self.block_of(key));
        let is_set = |block: &Block, word: usize, bit| block.get(word).is_some_and(|at| at & bit != 0);
        block.is_some_and(|block| self.bits(key).all(|(word, bit)| is_set(block, word, bit)))
    }

    fn add(&mut self, key: u128) {
        let (block, bits) = (self.block_of(key), self.bits(key));
        let Some(block) = self.blocks.get_mut(block) else { return };
        for (word, bit) in bits {
            if let Some(at) = block.get_mut(word) {
                *at |= bit;
            }
        }
        self.room = self.room.saturating_sub(1);
    }

    /// The bits of a key in its block, from the lower end of its number.
    fn bits(&self, key: u128) -> impl Iterator<Item = (usize, u64)> + use<> {
        (0..self.bits_set).map(move |turn| {
            let at = (key >> (turn * BLOCK_BITS.ilog2())) as u64 % BLOCK_BITS;
            ((at / 64) as usize, 1 << (at % 64))
        })
    }
}

/// What a writer knows of the keys of tables that it has loaded: the next file of one goes on with it.
#[derive(Debug, Default)]
pub(crate) struct LoadedKeys(Mutex<HashMap<String, Keys>>);

impl LoadedKeys {
    fn tables(&self) -> MutexGuard<'_, HashMap<String, Keys>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of a table, to go on with; none when nothing of it was loaded.
    pub(super) fn take(&self, table: &str) -> Option<Keys> {
        self.tables().remove(table)
    }

    /// Nothing is known any more of a table.
    pub(crate) fn forget(&self, table: &str) {
        self.tables().remove(table);
    }

    pub(super) fn keep(&self, table: &str, keys: Keys) {
        self.tables().insert(table.to_owned(), keys);
    }
}

/// Numbers for the keys of rows. They are long, so that no two keys have one.
#[derive(Debug, Default)]
pub(super) struct KeyNumbers {
    /// Where the columns of the key stand in a row.
    columns: Vec<usize>,
    bytes: KeyBytes,
}

/// The bytes of a key, as its values are hashed.
#[derive(Debug, Default)]
struct KeyBytes(Vec<u8>);

impl Hasher for KeyBytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        xxh3_128(&self.0) as u64
    }
}

impl KeyNumbers {
    pub fn of(columns: Vec<usize>) -> Self {
        Self { columns, bytes: KeyBytes::default() }
    }

    /// The number of a row's key.
    pub fn number(&mut self, row: &[Value]) -> u128 {
        self.bytes.0.clear();
        for value in self.columns.iter().filter_map(|at| row.get(*at)) {
            value.hash(&mut self.bytes);
        }
        xxh3_128(&self.bytes.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(key: i64) -> u128 {
        KeyNumbers::of(vec![1]).number(&[Value::Null, Value::Int(key)])
    }

    #[test]
    fn a_key_that_came_is_known_and_few_others_are() {
        let keys_in_all = 500_000;
        let few = |sureness| {
            let mut keys = Keys::none();
            let mistaken = (0..keys_in_all).filter(|key| keys.may_have(number(*key), sureness)).count();
            assert!((0..keys_in_all).all(|key| keys.may_have(number(key), sureness)));
            mistaken
        };
        assert!(few(Sureness::OneInThousands) < 250);
        assert_eq!(few(Sureness::OneInManyMillions), 0);
        assert!(Keys::Unknown.may_have(number(1), Sureness::OneInThousands));
    }

    #[test]
    fn keys_of_several_columns_are_told_apart() {
        let text = |text: &str| Value::String(text.to_owned());
        let mut numbers = KeyNumbers::of(vec![0, 1]);
        assert_ne!(numbers.number(&[text("ab"), text("c")]), numbers.number(&[text("a"), text("bc")]));
        assert_ne!(numbers.number(&[text("1"), text("")]), numbers.number(&[Value::Int(1), text("")]));
    }
}
