//! The data of the comparison, and the bytes in which the engine stores it (drawn in the engine's `key` and `value`).

use bytes::Bytes;

pub const FAMILY: &str = "f";
pub const TIMESTAMP: i64 = 1_700_000_000_000;
const VALUE_BYTES: usize = 32;
const PUT: u8 = 4;
const FIRST_GENERATION: u32 = 1;

/// Bytes of a cell as stored.
pub fn cell_bytes() -> usize {
    stored_key(&row(0), &qualifier(0)).len() + stored_value(&value(0, 0, 0)).len()
}

pub fn row(number: u64) -> Bytes {
    format!("row{number:012}").into()
}

pub fn qualifier(column: u64) -> Bytes {
    format!("c{column:02}").into()
}

pub fn value(seed: u64, number: u64, column: u64) -> Bytes {
    let mut value = Vec::with_capacity(VALUE_BYTES);
    let mut state = random(seed ^ column, number);
    while value.len() < VALUE_BYTES {
        value.extend_from_slice(&state.to_be_bytes());
        state = random(state, column);
    }
    value.into()
}

/// A place for each number, spread over all of them.
pub fn shuffled(number: u64, among: u64) -> u64 {
    // 7919 is a prime that does not divide the numbers of rows in use, so this is a permutation.
    number * 7_919 % among
}

/// SplitMix64 of two numbers.
pub fn random(seed: u64, number: u64) -> u64 {
    let mut z = (seed ^ number.rotate_left(32)).wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

pub fn row_prefix(row: &[u8]) -> Vec<u8> {
    [row, &[0, 0]].concat()
}

pub fn stored_key(row: &[u8], qualifier: &[u8]) -> Vec<u8> {
    let timestamp = (!TIMESTAMP.cast_unsigned()).to_be_bytes();
    let generation = (!FIRST_GENERATION).to_be_bytes();
    [row, &[0, 0], qualifier, &[0, 0], &timestamp, &[!PUT], &generation].concat()
}

pub fn stored_value(value: &[u8]) -> Vec<u8> {
    [&[0], value].concat()
}
