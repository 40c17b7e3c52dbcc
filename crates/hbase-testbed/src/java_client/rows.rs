//! The rows that the Java client writes and expects, so that another client can use the same ones.

use std::fmt::Write;

/// The family of all columns.
pub const FAMILY: &str = "f";

/// The key of a row by its number: 16 hexadecimal digits, spread evenly over all keys.
pub fn row_key(number: u64) -> String {
    let mut key = String::with_capacity(16);
    // Writing to a string cannot fail.
    let _ = write!(key, "{:016x}", mix(number));
    key
}

/// The value of all columns of a row: its key, repeated.
pub fn value(row_key: &str, value_bytes: usize) -> Vec<u8> {
    row_key.bytes().cycle().take(value_bytes).collect()
}

/// The qualifier of a column by its number.
pub fn qualifier(column: usize) -> String {
    format!("q{column:04}")
}

/// The number of the row that the Java client's `count`-th get asks for, in a table of so many rows.
pub fn drawn_row(count: u64, rows: u64) -> u64 {
    mix(!count).checked_rem(rows).unwrap_or(0)
}

/// Keys that cut a table into regions of about the same number of rows.
pub fn splits(regions: u32) -> Vec<String> {
    (1..regions).map(|region| format!("{:04x}", u64::from(region) * 0x1_0000 / u64::from(regions))).collect()
}

/// The first output of SplitMix64 for a seed (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// 2014, figure 17): a different number for each number, the same as in the Java client.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_what_they_were() {
        assert_eq!(row_key(0), "e220a8397b1dcdaf");
        assert_eq!(value(&row_key(0), 20), b"e220a8397b1dcdafe220");
        assert_eq!(qualifier(7), "q0007");
        assert_eq!(splits(4), ["4000", "8000", "c000"]);
        assert_eq!(splits(1), [""; 0]);
        assert!((0..100).all(|count| drawn_row(count, 10) < 10));
    }
}
