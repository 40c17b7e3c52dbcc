//! One row: made from the seed and its id alone.

use fastrand::Rng;

/// Columns that a value can be in.
const COLUMNS: u32 = 12_000;
/// Values of a row in the paper's data: 0.9 % of 12,000.
pub const FULL_WIDTH: u32 = 108;
/// Rows that differ in more than their id.
const DIFFERENT: u64 = 50_000;

/// Makes rows, in any order.
#[derive(Clone, Copy, Debug)]
pub struct SparseRows {
    seed: u64,
    width: u32,
}

impl SparseRows {
    /// Rows of so many values on average, at most as many as there are columns.
    pub fn new(seed: u64, width: u32) -> Self {
        Self { seed, width: width.min(COLUMNS) }
    }

    /// Appends the line of an id, without its end: the id, a comma, and the pairs with a space between them.
    pub fn line(&self, id: u64, out: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        out.extend(digits.format(id).bytes());
        out.push(b',');
        self.pairs(id, |column, value| {
            if out.last() != Some(&b',') {
                out.push(b' ');
            }
            out.extend(digits.format(column).bytes());
            out.push(b':');
            out.push(b'0' + value);
        });
    }

    /// The columns that have a value, rising, each with it. Steps between columns are even by chance around the mean that
    /// fills the columns with as many values as there should be.
    pub fn pairs(&self, id: u64, mut each: impl FnMut(u32, u8)) {
        let Some(mean_step) = COLUMNS.checked_div(self.width) else { return };
        let mut random = Rng::with_seed(self.seed ^ (id % DIFFERENT).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut column = random.u32(0..mean_step.max(1));
        while column < COLUMNS {
            each(column + 1, random.u8(1..10));
            column += random.u32(1..=(2 * mean_step).saturating_sub(1).max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rows: SparseRows, id: u64) -> String {
        let mut line = Vec::new();
        rows.line(id, &mut line);
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn lines_are_as_long_and_as_full_as_the_papers() {
        let rows = SparseRows::new(1, FULL_WIDTH);
        let lines: Vec<String> = (1..=1_000).map(|id| line(rows, id)).collect();
        let bytes = lines.iter().map(|line| line.len() + 1).sum::<usize>() as f64 / 1_000.0;
        assert!((730.0..790.0).contains(&bytes), "3,070 MB of four million rows are 767 bytes each: {bytes}");
        let pairs = lines.iter().map(|line| line.matches(':').count()).sum::<usize>() as f64 / 1_000.0;
        assert!((106.0..110.0).contains(&pairs), "{pairs}");
    }

    #[test]
    fn rows_repeat_as_the_papers_do_but_for_their_id() {
        let rows = SparseRows::new(1, 5);
        let values = |id| line(rows, id).split_once(',').unwrap().1.to_owned();
        assert_eq!(values(7), values(7 + DIFFERENT));
        assert_ne!(values(7), values(8));
        assert_ne!(line(rows, 7), line(rows, 7 + DIFFERENT));
        assert_ne!(line(rows, 7), line(SparseRows::new(2, 5), 7));
    }

    #[test]
    fn columns_rise_and_any_width_goes() {
        for width in [0, 1, 5, 500, 12_000, u32::MAX] {
            let mut columns = Vec::new();
            SparseRows::new(3, width).pairs(9, |column, value| {
                assert!((1..10).contains(&value));
                columns.push(column);
            });
            assert!(columns.is_sorted_by(|one, other| one < other), "{width}");
            assert!(columns.last().is_none_or(|last| *last <= COLUMNS), "{width}");
        }
        assert_eq!(line(SparseRows::new(3, 0), 9), "9,");
    }
}
