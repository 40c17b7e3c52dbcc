//! Prefix lengths of texts in `DELTA_BYTE_ARRAY`: each text repeats the beginning of the one before it, so that a small
//! page can hold many large texts.

use super::thrift::Compact;

/// Miniblocks have a multiple of this many values, all of one width in bits.
const MINIBLOCK_MULTIPLE: usize = 32;

/// How many values a block of `DELTA_BINARY_PACKED` has.
pub(super) fn count(block: &[u8]) -> Option<u64> {
    Some(Deltas::new(block)?.left)
}

/// The largest sum of `window` lengths in a row, at most twice too large; of all lengths when there are fewer.
pub(super) fn largest_sum(block: &[u8], window: u64) -> Option<u64> {
    let (mut largest, mut sum, mut seen) = (0_u64, 0_u64, 0);
    let mut deltas = Deltas::new(block)?;
    while let Some(length) = deltas.next() {
        if seen == window {
            (sum, seen) = (0, 0);
        }
        // What is below 0 is refused by the reader.
        sum = sum.saturating_add(u64::try_from(length).unwrap_or(0));
        seen += 1;
        largest = largest.max(sum);
    }
    // A window lies over two of these at most.
    Some(largest.saturating_mul(2))
}

/// The numbers of a block of `DELTA_BINARY_PACKED`.
struct Deltas<'b> {
    rest: &'b [u8],
    left: u64,
    value: i32,
    is_first: bool,
    miniblocks: usize,
    miniblock_values: usize,
    min_delta: i64,
    widths: &'b [u8],
    /// The miniblock being read: its bits, how many of its values were read, and the width of each.
    bits: &'b [u8],
    read: usize,
    width: usize,
}

impl<'b> Deltas<'b> {
    fn new(block: &'b [u8]) -> Option<Self> {
        let mut rest = block;
        let values = usize::try_from(varint(&mut rest)?).ok()?;
        let miniblocks = usize::try_from(varint(&mut rest)?).ok()?;
        let left = varint(&mut rest)?;
        let value = zigzag(&mut rest)? as i32;
        let miniblock_values = values.checked_div(miniblocks)?;
        if miniblock_values == 0 || !miniblock_values.is_multiple_of(MINIBLOCK_MULTIPLE) {
            return None;
        }
        Some(Self {
            rest,
            left,
            value,
            is_first: true,
            miniblocks,
            miniblock_values,
            min_delta: 0,
            widths: &[],
            bits: &[],
            read: miniblock_values,
            width: 0,
        })
    }

    /// The next number; none at the end or where the block is cut off.
    fn next(&mut self) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        if std::mem::take(&mut self.is_first) {
            return Some(self.value);
        }
        if self.read == self.miniblock_values {
            self.next_miniblock()?;
        }
        let delta = unpack(self.bits, self.read * self.width, self.width)?;
        self.read += 1;
        self.value = self.value.wrapping_add(self.min_delta.wrapping_add_unsigned(delta) as i32);
        Some(self.value)
    }

    fn next_miniblock(&mut self) -> Option<()> {
        if self.widths.is_empty() {
            self.min_delta = zigzag(&mut self.rest)?;
            (self.widths, self.rest) = self.rest.split_at_checked(self.miniblocks)?;
        }
        let (width, widths) = self.widths.split_first()?;
        (self.width, self.widths, self.read) = (usize::from(*width), widths, 0);
        let bytes = self.miniblock_values.checked_mul(self.width)? / 8;
        // The last one may be cut where its values end.
        let end = bytes.min(self.rest.len());
        (self.bits, self.rest) = self.rest.split_at_checked(end)?;
        Some(())
    }
}

/// A number of `width` bits at a place in bits, the lowest bit first.
pub(super) fn unpack(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let mut number = 0;
    let mut taken = 0;
    while taken < width {
        let byte = *bytes.get((at + taken) / 8)?;
        let skipped = (at + taken) % 8;
        if taken < u64::BITS as usize {
            number |= u64::from(byte >> skipped) << taken;
        }
        taken += 8 - skipped;
    }
    let unused = (u64::BITS as usize).saturating_sub(width);
    Some(if width == 0 { 0 } else { number << unused >> unused })
}

/// A number of seven bits a byte, taken from the beginning of a text.
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    Compact::new(rest).varint().ok()
}

fn zigzag(rest: &mut &[u8]) -> Option<i64> {
    Compact::new(rest).zigzag().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(block: &[u8]) -> Vec<i32> {
        let mut deltas = Deltas::new(block).unwrap();
        std::iter::from_fn(|| deltas.next()).collect()
    }

    /// The example of the format's specification: blocks of 128 values in 4 miniblocks, deltas 2 bits wide.
    #[test]
    fn numbers_come_as_the_specification_says() {
        let mut block = vec![0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0];
        block.extend([0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0]);
        assert_eq!(all(&block), [7, 5, 3, 1, 2, 3, 4, 5]);
        assert_eq!(count(&block), Some(8));
        assert_eq!(largest_sum(&block, 100), Some(2 * 30));
        assert_eq!(largest_sum(&block, 3), Some(2 * 15));
    }

    #[test]
    fn damaged_blocks_end() {
        assert_eq!(count(&[]), None);
        assert_eq!(count(&[0x80, 1, 0, 8, 14]), None, "no miniblocks");
        assert_eq!(count(&[0x80; 20]), None, "a number without an end");
        assert_eq!(all(&[0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0]), [7], "the first stands in the header");
    }

    #[test]
    fn bits_are_taken_from_the_lowest_on() {
        assert_eq!(unpack(&[0b1010_0110, 0b1], 1, 3), Some(0b011));
        assert_eq!(unpack(&[0b1010_0110, 0b1], 5, 4), Some(0b1101));
        assert_eq!(unpack(&[0xFF; 8], 0, 64), Some(u64::MAX));
        assert_eq!(unpack(&[], 0, 0), Some(0));
        assert_eq!(unpack(&[1], 0, 9), None);
    }
}
