//! Equal stretches of the prefixes: the i-th split point is i·MP/R, for MP prefixes and R regions (Zdravevski et al.,
//! section III-B). The digest of `hash` is split in the same way, its first 32 bits being the prefix.

use tablesmith_model::key::{Key, Modulus, Part};
use tablesmith_model::value::KeyEncoding;

/// How many values the first 32 bits of a digest have.
const DIGEST_PREFIXES: u64 = 1 << 32;

/// What a key begins with, as a number below a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leading {
    /// A remainder.
    Remainder(Modulus),
    /// The first 32 bits of a digest.
    Digest,
}

impl Leading {
    /// What a key begins with; none when that is no such number.
    pub fn of(key: &Key) -> Option<Self> {
        match key.parts.first()? {
            Part::Md5 { bytes: None, .. } => Some(Self::Digest),
            part => part.prefixes().map(Self::Remainder),
        }
    }

    /// How many there are.
    pub fn count(self) -> u64 {
        match self {
            Self::Remainder(modulus) => modulus.get(),
            Self::Digest => DIGEST_PREFIXES,
        }
    }

    /// The first number of each region but the first, none twice: fewer when there are more regions than numbers.
    pub fn bounds(self, regions: usize) -> Vec<u64> {
        let count = u128::from(self.count());
        let regions = (regions.max(1) as u128).min(count.max(1));
        let bound = |region: u128| u64::try_from(region * count / regions).unwrap_or(u64::MAX);
        let mut bounds: Vec<u64> = (1..regions).map(bound).filter(|bound| *bound > 0).collect();
        bounds.dedup();
        bounds
    }

    /// The bytes of a key that begins with this number.
    pub fn bytes(self, number: u64, encoding: KeyEncoding) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Remainder(modulus) => modulus.encode(encoding, number, &mut bytes),
            Self::Digest if encoding == KeyEncoding::Text => bytes.extend(format!("{number:08x}").bytes()),
            Self::Digest => bytes.extend(number.to_be_bytes().into_iter().skip(4)),
        }
        bytes
    }

    /// The split points.
    pub fn splits(self, regions: usize, encoding: KeyEncoding) -> Vec<Vec<u8>> {
        self.bounds(regions).into_iter().map(|bound| self.bytes(bound, encoding)).collect()
    }
}

/// What is not as it should be with so many prefixes and regions, in sentences.
pub fn warnings(prefixes: u64, regions: usize) -> Vec<String> {
    let wanted = regions as u64;
    let mut warnings = Vec::new();
    if prefixes < wanted {
        warnings.push(format!(
            "{regions} regions are more than there are prefixes ({prefixes}): only {prefixes} regions can be made from \
             the prefix; take more prefixes or fewer regions"
        ));
    } else if !prefixes.is_multiple_of(wanted.max(1)) {
        warnings.push(format!(
            "{prefixes} prefixes are not a multiple of {regions} regions: some regions get one prefix more than others; \
             take {} prefixes",
            prefixes.div_ceil(wanted.max(1)).saturating_mul(wanted)
        ));
    }
    if prefixes >= wanted && prefixes / wanted.max(1) < 2 && regions > 1 {
        warnings.push(format!(
            "every one of the {prefixes} prefixes is a region of its own: a server that is added later cannot get a new \
             region that is split by prefix; take several prefixes for each region"
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_points_are_made() {
        let leading = Leading::Remainder(Modulus::new(1_000_000).unwrap());
        let points = leading.splits(4, KeyEncoding::Text);
        assert_eq!(points, [b"250000".to_vec(), b"500000".to_vec(), b"750000".to_vec()]);
        assert!(leading.splits(1, KeyEncoding::Text).is_empty());
        assert_eq!(leading.splits(2, KeyEncoding::Binary), [vec![0x07, 0xA1, 0x20]]);
    }

    #[test]
    fn a_digest_is_split_by_its_first_bytes() {
        assert_eq!(Leading::Digest.splits(4, KeyEncoding::Binary)[0], [0x40, 0, 0, 0]);
        assert_eq!(Leading::Digest.splits(4, KeyEncoding::Text)[2], b"c0000000");
        let key = Key::parse(&["md5(id)", "id"], KeyEncoding::Binary).unwrap();
        assert_eq!(Leading::of(&key), Some(Leading::Digest));
        assert_eq!(Leading::of(&Key::of_fields(["id"])), None);
    }

    #[test]
    fn more_regions_than_prefixes_give_as_many_as_there_are() {
        assert_eq!(Leading::Remainder(Modulus::new(3).unwrap()).bounds(10), [1, 2]);
        assert_eq!(Leading::Remainder(Modulus::new(3).unwrap()).bounds(usize::MAX), [1, 2]);
        assert!(warnings(3, 10)[0].contains("more than there are prefixes"));
        assert!(warnings(100, 15)[0].contains("take 105 prefixes"));
        assert!(warnings(15, 15)[0].contains("region of its own"));
        assert!(warnings(990_000, 15).is_empty());
    }
}
