//! One pattern of a `FuzzyRowFilter`: which rows fit it, and which is the next row that can.

/// What a wildcard of the mask is turned into when the filter is made.
const WILDCARD: i8 = 2;
/// What "must fit" is turned into.
const FIXED: i8 = -1;

/// A key, and for each of its bytes a mask. Callers give 0 (fixed) and 1 (anything); while running a mask byte is
/// anded with the row's: -1 (all bits) for fixed, 0 for anything.
#[derive(Debug)]
pub(super) struct Pattern {
    key: Vec<u8>,
    mask: Vec<i8>,
    /// All mask bytes are 0 or -1.
    is_settled: bool,
}

impl Pattern {
    pub(super) fn new(key: &[u8], mask: &[u8]) -> Self {
        let mut mask: Vec<i8> = mask.iter().map(|&byte| byte.cast_signed()).collect();
        // A mask that is already made of the two inner values is taken as it is.
        if mask.iter().any(|&byte| byte != FIXED && byte != WILDCARD) {
            for byte in &mut mask {
                match *byte {
                    0 => *byte = FIXED,
                    1 => *byte = WILDCARD,
                    _ => {}
                }
            }
        }
        let free = |(&byte, &mask): (&u8, &i8)| if mask == WILDCARD { 0 } else { byte };
        let key = key.iter().zip(&mask).map(free).collect();
        Self { key, mask, is_settled: false }
    }

    /// Whether a row fits, as far as the shorter of row and pattern goes.
    pub(super) fn fits(&mut self, row: &[u8]) -> bool {
        self.settle();
        let mut triples = row.iter().zip(&self.key).zip(&self.mask);
        triples.all(|((&row, &key), &mask)| row & mask.cast_unsigned() == key)
    }

    /// Each look at a row shifts the mask by two bits: 2 becomes 0, -1 and 0 stay. A caller's mask byte that is
    /// neither 0 nor 1 wanders to one of them over several cells, as it does in HBase.
    fn settle(&mut self) {
        if !self.is_settled {
            for byte in &mut self.mask {
                *byte >>= 2;
            }
            self.is_settled = self.mask.iter().all(|&byte| byte == 0 || byte == FIXED);
        }
    }

    /// The nearest row behind `row`, in the direction of the scan, that can fit; `None` if there is none.
    pub(super) fn next_row(&self, row: &[u8], reversed: bool) -> Option<Vec<u8>> {
        let (lowest, highest) = if reversed { (u8::MAX, 0) } else { (0, u8::MAX) };
        let mut next = self.key.clone();
        next.resize(row.len().max(self.key.len()), lowest);
        let mut to_step = None;
        let mut is_behind = false;
        for (at, byte) in next.iter_mut().enumerate() {
            let given = row.get(at).copied().unwrap_or(0);
            if self.is_free(at) {
                *byte = given;
                if given != highest {
                    to_step = Some(at);
                }
            } else if self.mask.get(at) == Some(&FIXED) && given != *byte {
                is_behind = (given < *byte) != reversed;
                break;
            }
        }
        if !is_behind {
            self.step(&mut next, to_step?, lowest, reversed);
        }
        if !reversed {
            self.trim_free_end(&mut next, to_step);
        }
        Some(next)
    }

    /// Moves the free byte at `at` on by one, and all free bytes after it back to the begin.
    fn step(&self, next: &mut [u8], at: usize, lowest: u8, reversed: bool) {
        for (position, byte) in next.iter_mut().enumerate().skip(at) {
            if position == at {
                *byte = if reversed { byte.wrapping_sub(1) } else { byte.wrapping_add(1) };
            } else if self.is_free(position) {
                *byte = lowest;
            }
        }
    }

    /// Cuts free bytes off the end, up to the one that was moved: a shorter row that fits must not be jumped over.
    fn trim_free_end(&self, next: &mut Vec<u8>, to_step: Option<usize>) {
        let fixed_bytes = self.mask.iter().rposition(|&mask| mask != 0).map_or(0, |last| last + 1);
        next.truncate(fixed_bytes.max(to_step.map_or(0, |at| at + 1)));
    }

    fn is_free(&self, at: usize) -> bool {
        self.mask.get(at).is_none_or(|&mask| mask == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(key: &[u8], mask: &[u8]) -> Pattern {
        let mut pattern = Pattern::new(key, mask);
        pattern.fits(b"");
        pattern
    }

    #[test]
    fn free_bytes_fit_anything_and_short_rows_fit_as_far_as_they_go() {
        let mut pattern = pattern(b"a?c", &[0, 1, 0]);
        assert!(
            pattern.fits(b"abc") && pattern.fits(b"a\xffcd") && pattern.fits(b"ax") && !pattern.fits(b"abd")
        );
    }

    #[test]
    fn the_next_row_forwards() {
        let next = |row: &[u8]| pattern(b"a?c", &[0, 1, 0]).next_row(row, false);
        assert_eq!(next(b"Z"), Some(b"a\0c".to_vec()));
        assert_eq!(next(b"abd"), Some(b"acc".to_vec()));
        assert_eq!(next(b"abb"), Some(b"abc".to_vec()));
        assert_eq!(next(b"b"), None);
        assert_eq!(next(b"a\xffd"), None);
        assert_eq!(pattern(b"a??", &[0, 1, 1]).next_row(b"Zyx", false), Some(b"a".to_vec()));
    }

    #[test]
    fn the_next_row_backwards() {
        let next = |row: &[u8]| pattern(b"a?c", &[0, 1, 0]).next_row(row, true);
        assert_eq!(next(b"b"), Some(b"a\0c".to_vec()));
        assert_eq!(next(b"abb"), Some(b"aac".to_vec()));
        assert_eq!(next(b"abdx"), Some(b"abc\xff".to_vec()));
        assert_eq!(next(b"Z"), None);
    }
}
