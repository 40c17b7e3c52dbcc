//! Quantiles of real keys: the i-th split point is the key below which i/R of the weight lies.

/// A key in order, with its weight.
pub type Weighed<'k> = (&'k [u8], u64);

/// The split points of keys that are sorted. Fewer than R − 1 when single keys weigh more than a region should: a
/// region cannot be split inside a key.
pub fn splits(sorted: &[Weighed<'_>], regions: usize) -> Vec<Vec<u8>> {
    let total: u128 = sorted.iter().map(|(_, weight)| u128::from(*weight)).sum();
    let mut splits: Vec<Vec<u8>> = Vec::new();
    let regions = regions as u128;
    // The least weight below the next split point; compared first, as most keys are far from one.
    let least = |next: u128| if next < regions { (next * total).div_ceil(regions) } else { u128::MAX };
    let (mut below, mut next) = (0_u128, 1_u128);
    let mut threshold = least(next);
    let mut before: Option<&[u8]> = None;
    for (key, weight) in sorted {
        if below >= threshold && before.is_some_and(|before| before != *key) {
            splits.push(between(before.unwrap_or_default(), key));
            while below >= threshold {
                next += 1;
                threshold = least(next);
            }
        }
        below += u128::from(*weight);
        before = Some(key);
    }
    splits
}

/// The shortest beginning of `key` that is above `before`: a split point that people can read.
pub fn between(before: &[u8], key: &[u8]) -> Vec<u8> {
    let common = before.iter().zip(key).take_while(|(one, two)| one == two).count();
    key.iter().take(common + 1).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::region_of;
    use super::*;

    fn weighed(keys: &[Vec<u8>]) -> Vec<Weighed<'_>> {
        keys.iter().map(|key| (key.as_slice(), 1)).collect()
    }

    #[test]
    fn equal_parts_are_cut_off() {
        let keys: Vec<Vec<u8>> = (0..100).map(|number| format!("user{number:03}").into_bytes()).collect();
        let points = splits(&weighed(&keys), 10);
        assert_eq!(points.len(), 9);
        assert_eq!(points[0], b"user01");
        let mut rows = [0; 10];
        keys.iter().for_each(|key| rows[region_of(&points, key)] += 1);
        assert_eq!(rows, [10; 10]);
    }

    #[test]
    fn weights_move_the_points() {
        let keys = [(&b"a"[..], 90), (b"b", 5), (b"c", 5)];
        assert_eq!(splits(&keys, 2), [b"b"]);
        // The tenths of ten regions all lie in the first key, the last twentieth begins with the third.
        assert_eq!(splits(&keys, 10), [b"b"]);
        assert_eq!(splits(&keys, 20), [b"b", b"c"]);
    }

    #[test]
    fn a_key_that_weighs_more_than_a_region_is_not_cut() {
        let keys = [(&b"a"[..], 1), (b"hot", 98), (b"hot", 98), (b"z", 1)];
        let points = splits(&keys, 4);
        assert_eq!(points, [b"z"]);
        assert!(splits(&[], 4).is_empty());
        assert!(splits(&keys, 1).is_empty());
    }

    #[test]
    fn points_are_short() {
        assert_eq!(between(b"user017", b"user100"), b"user1");
        assert_eq!(between(b"", b"x"), b"x");
        assert_eq!(between(b"ab", b"abc"), b"abc");
    }
}
