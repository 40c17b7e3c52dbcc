//! `RandomRowFilter`: each row with a certain chance.

use tablesmith_model::Cell;

use super::ReturnCode;
use super::rule::Rule;

/// Draws from the row's key instead of a generator, so that the same rows come every time.
#[derive(Debug)]
pub(super) struct RandomRow {
    chance: f32,
    filter_row: bool,
}

impl RandomRow {
    pub(super) fn new(chance: f32) -> Self {
        Self { chance, filter_row: false }
    }
}

impl Rule for RandomRow {
    fn reset(&mut self) {
        self.filter_row = false;
    }

    fn row_key(&mut self, row: &[u8]) -> bool {
        self.filter_row = if self.chance < 0.0 {
            true
        } else if self.chance > 1.0 {
            false
        } else {
            // A chance that is no number lets no row pass.
            let passes = draw(row) < self.chance;
            !passes
        };
        self.filter_row
    }

    fn cell(&mut self, _cell: &Cell) -> ReturnCode {
        if self.filter_row { ReturnCode::NextRow } else { ReturnCode::Include }
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.filter_row
    }
}

/// A number in 0..1 from a row's key: FNV-1a with a fixed seed, its bits mixed as SplitMix64 does.
fn draw(row: &[u8]) -> f32 {
    const SEED: u64 = 0xCBF2_9CE4_8422_2325;
    const FNV_PRIME: u64 = 0x0100_0000_01B3;
    const MANTISSA_BITS: u32 = 24;
    let hash = row.iter().fold(SEED, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME));
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let bits = (mixed ^ (mixed >> 31)) >> (u64::BITS - MANTISSA_BITS);
    bits as f32 / (1u32 << MANTISSA_BITS) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::testing::reader::{rows, rows_of};

    #[test]
    fn about_so_many_rows_pass_and_always_the_same() {
        let keys: Vec<String> = (0..1000).map(|number| format!("row{number:04}")).collect();
        let cells = rows_of(keys.iter().map(String::as_str));
        let count = |chance| rows(&Filter::RandomRow(chance), &cells, false).len();
        assert!((150..350).contains(&count(0.25)), "{}", count(0.25));
        assert_eq!([count(-0.1), count(0.0), count(1.1), count(f32::NAN)], [0, 0, 1000, 0]);
        assert_eq!(
            rows(&Filter::RandomRow(0.5), &cells, false),
            rows(&Filter::RandomRow(0.5), &cells, false)
        );
    }

    #[test]
    fn draws_lie_between_zero_and_one() {
        assert!(
            (0..1000u32).map(|number| draw(&number.to_be_bytes())).all(|drawn| (0.0..1.0).contains(&drawn))
        );
    }
}
