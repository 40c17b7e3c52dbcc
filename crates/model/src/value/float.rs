//! Floating-point numbers as keys need them: one zero, one NaN, and bits that sort as the numbers do.

/// The sign bit of a double.
const SIGN: u64 = 1 << 63;

/// The same number with `-0.0` made `0.0` and every NaN made one, so that what is equal has equal bytes.
pub(crate) fn canonical(number: f64) -> f64 {
    if number.is_nan() {
        f64::NAN
    } else if number == 0.0 {
        0.0
    } else {
        number
    }
}

/// Bits that sort as the numbers do, NaN last: the sign bit is flipped, and all bits of negative numbers.
/// No number has the bits 0.
pub(crate) fn to_ordered_bits(number: f64) -> u64 {
    let bits = canonical(number).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The number of [`to_ordered_bits`].
pub(crate) fn from_ordered_bits(ordered: u64) -> f64 {
    f64::from_bits(if ordered & SIGN == 0 { !ordered } else { ordered & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_sort_as_numbers_do() {
        let rising = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.5,
            -f64::MIN_POSITIVE,
            -5e-324,
            0.0,
            5e-324,
            f64::MIN_POSITIVE,
            1.0,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        for pair in rising.windows(2) {
            assert!(to_ordered_bits(pair[0]) < to_ordered_bits(pair[1]), "{pair:?}");
        }
        for number in rising {
            assert_eq!(from_ordered_bits(to_ordered_bits(number)).to_bits(), number.to_bits());
        }
    }

    #[test]
    fn there_is_one_zero_and_one_nan() {
        assert_eq!(to_ordered_bits(-0.0), to_ordered_bits(0.0));
        assert_eq!(to_ordered_bits(f64::from_bits(u64::MAX)), to_ordered_bits(f64::NAN));
    }
}
