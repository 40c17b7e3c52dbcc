//! A set of columns, by their index in the table.

use std::cmp::Ordering;
use std::fmt;

use smallvec::SmallVec;

/// Bits of a word.
const WORD_BITS: usize = 64;

/// A set of columns. Two words without allocation: most tables have at most 128 columns.
///
/// There is no zero word at the end, so that equal sets are equal and sort alike whatever they went through.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnSet {
    words: SmallVec<[u64; 2]>,
}

impl ColumnSet {
    /// No column.
    pub fn new() -> Self {
        Self::default()
    }

    /// The first columns.
    pub fn first(count: usize) -> Self {
        (0..count).collect()
    }

    /// Whether a column is in it.
    pub fn contains(&self, column: usize) -> bool {
        self.words.get(column / WORD_BITS).is_some_and(|word| word >> (column % WORD_BITS) & 1 == 1)
    }

    /// Adds a column; false when it was there.
    pub fn insert(&mut self, column: usize) -> bool {
        let index = column / WORD_BITS;
        if self.words.len() <= index {
            self.words.resize(index + 1, 0);
        }
        let bit = 1 << (column % WORD_BITS);
        let Some(word) = self.words.get_mut(index) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes a column out; false when it was not there.
    pub fn remove(&mut self, column: usize) -> bool {
        let was_there = self.contains(column);
        if let Some(word) = self.words.get_mut(column / WORD_BITS) {
            *word &= !(1 << (column % WORD_BITS));
        }
        self.trim();
        was_there
    }

    /// How many columns.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether they share a column.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether every column of it is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.len() <= other.words.len() && self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// The columns as the bits of one number, when none is beyond the 128th.
    pub fn to_bits(&self) -> Option<u128> {
        match *self.words.as_slice() {
            [] => Some(0),
            [low] => Some(u128::from(low)),
            [low, high] => Some(u128::from(high) << WORD_BITS | u128::from(low)),
            _ => None,
        }
    }

    /// How many columns both have.
    pub fn common_len(&self, other: &Self) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Which of two sets comes first: the one that has the lowest column that only one of them has.
    pub fn first_difference(&self, other: &Self) -> Ordering {
        let differing = self.words.iter().zip(&other.words).find(|(a, b)| a != b);
        match differing {
            Some((a, b)) if a & (1 << (a ^ b).trailing_zeros()) != 0 => Ordering::Less,
            Some(_) => Ordering::Greater,
            None => other.words.len().cmp(&self.words.len()),
        }
    }

    /// Adds the columns of the other.
    pub fn unite(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    /// Takes the columns of the other out.
    pub fn subtract(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= !b);
        self.trim();
    }

    /// The columns of both.
    pub fn union(&self, other: &Self) -> Self {
        let mut union = self.clone();
        union.unite(other);
        union
    }

    /// The columns that both have.
    pub fn intersection(&self, other: &Self) -> Self {
        let mut common = Self { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() };
        common.trim();
        common
    }

    /// The columns in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(index, word)| Bits(*word).map(move |bit| index * WORD_BITS + bit))
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

/// The bits that are set in a word, lowest first.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

impl FromIterator<usize> for ColumnSet {
    fn from_iter<I: IntoIterator<Item = usize>>(columns: I) -> Self {
        let mut set = Self::new();
        for column in columns {
            set.insert(column);
        }
        set
    }
}

impl fmt::Debug for ColumnSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_is_a_set_as_any_other() {
        let seed = 7;
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..2_000 {
            let mut draw =
                || -> BTreeSet<usize> { (0..random.usize(0..40)).map(|_| random.usize(0..200)).collect() };
            let (a, b) = (draw(), draw());
            let (mut x, y): (ColumnSet, ColumnSet) =
                (a.iter().copied().collect(), b.iter().copied().collect());
            let same = |set: &ColumnSet, plain: BTreeSet<usize>| {
                assert_eq!(
                    set.iter().collect::<Vec<_>>(),
                    plain.iter().copied().collect::<Vec<_>>(),
                    "seed {seed}"
                );
                assert_eq!((set.len(), set.is_empty()), (plain.len(), plain.is_empty()));
                assert_eq!(*set, plain.into_iter().collect());
            };
            same(&x.union(&y), &a | &b);
            same(&x.intersection(&y), &a & &b);
            assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            assert_eq!(x.is_subset(&y), a.is_subset(&b));
            assert!(x.intersection(&y).is_subset(&y));
            assert_eq!(x.common_len(&y), (&a & &b).len());
            let bits = a.iter().try_fold(0_u128, |bits, at| Some(bits | 1_u128.checked_shl(*at as u32)?));
            assert_eq!(x.to_bits(), bits);
            let expected = match (&a ^ &b).first() {
                Some(lowest) if a.contains(lowest) => Ordering::Less,
                Some(_) => Ordering::Greater,
                None => Ordering::Equal,
            };
            assert_eq!(x.first_difference(&y), expected);
            for column in &b {
                assert_eq!(x.contains(*column), a.contains(column));
                assert_eq!(x.remove(*column), a.contains(column));
            }
            same(&x, &a - &b);
            let mut z: ColumnSet = a.iter().copied().collect();
            z.subtract(&y);
            assert_eq!(z, x);
        }
    }
}
