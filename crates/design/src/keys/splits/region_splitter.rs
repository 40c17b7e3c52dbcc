//! The split points of HBase's RegionSplitter (HBase 2.6), as baselines: they divide an alphabet, not the keys.
//!
//! HexStringSplit and DecimalStringSplit divide 00000000–FFFFFFFF or 00000000–99999999 by whole-number division, so
//! that the last region gets what is left over, and print eight digits, small letters for hexadecimal ones. UniformSplit
//! divides the numbers of eight bytes.

use super::{SplitError, SplitMethod};

const HEX_VALUES: u64 = 1 << 32;
const DECIMAL_VALUES: u64 = 100_000_000;
const DIGITS: usize = 8;

/// The points of HexStringSplit.
pub fn hex(regions: usize) -> Result<Vec<Vec<u8>>, SplitError> {
    let points = points(SplitMethod::Hex, HEX_VALUES.into(), regions)?;
    Ok(points.map(|point| format!("{point:0DIGITS$x}").into_bytes()).collect())
}

/// The points of DecimalStringSplit.
pub fn decimal(regions: usize) -> Result<Vec<Vec<u8>>, SplitError> {
    let points = points(SplitMethod::Decimal, DECIMAL_VALUES.into(), regions)?;
    Ok(points.map(|point| format!("{point:0DIGITS$}").into_bytes()).collect())
}

/// The points of UniformSplit. HBase refuses one region; here it has no points.
pub fn uniform(regions: usize) -> Result<Vec<Vec<u8>>, SplitError> {
    let points = points(SplitMethod::Uniform, 1 << 64, regions)?;
    Ok(points.map(|point| point.to_be_bytes().to_vec()).collect())
}

/// Whole multiples of the quotient: what is left over is the last region's.
fn points(
    method: SplitMethod,
    values: u128,
    regions: usize,
) -> Result<impl Iterator<Item = u64>, SplitError> {
    let wanted = regions as u128;
    if wanted > values {
        return Err(SplitError::TooMany { method, regions, most: u64::try_from(values).unwrap_or(u64::MAX) });
    }
    let size = values.checked_div(wanted).ok_or(SplitError::NoRegions)?;
    Ok((1..wanted).map(move |region| u64::try_from(region * size).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(points: Vec<Vec<u8>>) -> Vec<String> {
        points.into_iter().map(|point| String::from_utf8(point).unwrap()).collect()
    }

    /// 2^32 / 10 = 429496729 (remainder 6) = 0x19999999; nine times it is 3865470561 = 0xE6666661.
    #[test]
    fn hexadecimal_points_are_hbases() {
        let points = texts(hex(10).unwrap());
        assert_eq!(points[0], "19999999");
        assert_eq!(points[1], "33333332");
        assert_eq!(points[8], "e6666661");
        assert_eq!(texts(hex(16).unwrap())[14], "f0000000");
        assert!(hex(1).unwrap().is_empty());
    }

    /// 10^8 / 3 = 33333333, twice that 66666666; 10^8 / 7 = 14285714, six times that 85714284.
    #[test]
    fn decimal_points_are_hbases() {
        assert_eq!(texts(decimal(3).unwrap()), ["33333333", "66666666"]);
        assert_eq!(texts(decimal(7).unwrap())[5], "85714284");
        assert_eq!(texts(decimal(1_000).unwrap())[0], "00100000");
    }

    /// 2^64 / 10 = 1844674407370955161 (remainder 6) = 0x1999999999999999; nine times it is 0xE666666666666661.
    #[test]
    fn uniform_points_are_hbases() {
        let points = uniform(10).unwrap();
        assert_eq!(points[0], [0x19, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99]);
        assert_eq!(points[8], [0xE6, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x61]);
        assert_eq!(
            uniform(4).unwrap(),
            [[0x40, 0, 0, 0, 0, 0, 0, 0], [0x80, 0, 0, 0, 0, 0, 0, 0], [0xC0, 0, 0, 0, 0, 0, 0, 0]]
        );
        assert!(uniform(1).unwrap().is_empty());
    }

    #[test]
    fn no_regions_and_too_many_are_refused() {
        assert_eq!(hex(0), Err(SplitError::NoRegions));
        let told = decimal(100_000_001).unwrap_err().to_string();
        assert!(told.contains("at most 100000000"), "{told}");
    }
}
