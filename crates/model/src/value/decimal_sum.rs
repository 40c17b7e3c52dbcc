//! Sums of decimals, exact.

use super::Decimal;

impl Decimal {
    /// The sum of both. A sum whose exponent no decimal has stays what the greater one is.
    pub fn plus(&self, other: &Self) -> Self {
        let lowest = |number: &Self| i64::from(number.exponent()) - number.digits().len() as i64;
        let highest = i64::from(self.exponent().max(other.exponent()));
        let low = lowest(self).min(lowest(other));
        if self.digits().is_empty() {
            return other.clone();
        }
        if other.digits().is_empty() {
            return self.clone();
        }
        // One place more for what is carried over.
        let places = usize::try_from(highest - low).unwrap_or(0) + 1;
        let (one, two) = (aligned(self, highest, places), aligned(other, highest, places));
        let (digits, negative) = if self.is_negative() == other.is_negative() {
            (added(&one, &two), self.is_negative())
        } else if one >= two {
            (taken(&one, &two), self.is_negative())
        } else {
            (taken(&two, &one), other.is_negative())
        };
        let greater = if one >= two { self } else { other };
        Self::from_parts(negative, &digits, highest + 1).unwrap_or_else(|| greater.clone())
    }
}

/// The digits in so many places, the first of which is that before the highest exponent.
fn aligned(number: &Decimal, highest: i64, places: usize) -> Vec<u8> {
    let zeros = usize::try_from(highest - i64::from(number.exponent())).unwrap_or(0) + 1;
    let mut digits = vec![0; zeros];
    digits.extend(number.digits());
    digits.resize(places, 0);
    digits
}

/// Adds digit by digit from the last on.
fn added(one: &[u8], two: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut digits: Vec<u8> = one
        .iter()
        .zip(two)
        .rev()
        .map(|(one, two)| {
            let sum = one + two + carry;
            carry = sum / 10;
            sum % 10
        })
        .collect();
    digits.reverse();
    digits
}

/// Takes the lesser from the greater, digit by digit from the last on.
fn taken(greater: &[u8], lesser: &[u8]) -> Vec<u8> {
    let mut borrowed = 0;
    let mut digits: Vec<u8> = greater
        .iter()
        .zip(lesser)
        .rev()
        .map(|(greater, lesser)| {
            let (have, take) = (*greater, lesser + borrowed);
            borrowed = u8::from(have < take);
            have + borrowed * 10 - take
        })
        .collect();
    digits.reverse();
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_whole_numbers() {
        let mut state = 5_i64;
        for _ in 0..2_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (one, two) = (state >> 40, (state << 13) >> 45);
            let sum = Decimal::from(one).plus(&Decimal::from(two));
            assert_eq!(sum, Decimal::from(one + two), "{one} + {two}");
        }
    }

    #[test]
    fn sums_of_fractions_are_exact() {
        for (one, two, sum) in [
            ("0.1", "0.2", "0.3"),
            ("-0.1", "0.1", "0"),
            ("999.99", "0.01", "1000"),
            ("1e30", "-1e-5", "999999999999999999999999999999.99999"),
            ("0", "-2.5", "-2.5"),
            ("12.5", "-20", "-7.5"),
        ] {
            let decimal = |text: &str| Decimal::parse(text).unwrap();
            assert_eq!(decimal(one).plus(&decimal(two)), decimal(sum), "{one} + {two}");
            assert_eq!(decimal(two).plus(&decimal(one)), decimal(sum), "{two} + {one}");
        }
    }
}
