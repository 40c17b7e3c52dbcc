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
            let drawn = draw(row);
            // Not `drawn >= chance`: a chance that is no number lets no row pass.
            !(drawn < self.chance)
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
