//! Remainders without division: every row is reduced several times, and a division takes longer than the rest.

use tablesmith_model::key::Modulus;

/// A modulus with its reciprocal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reducer {
    modulus: u64,
    /// (2^64 − 1) / modulus: the high half of a product with it is the quotient, or one less.
    reciprocal: u64,
    /// 2^64 reduced, for the high half of a digest.
    carry: u64,
}

impl Reducer {
    pub(super) fn new(modulus: Modulus) -> Self {
        let modulus = modulus.get();
        let carry = (u128::from(u64::MAX) + 1) % u128::from(modulus);
        Self { modulus, reciprocal: u64::MAX / modulus, carry: u64::try_from(carry).unwrap_or(0) }
    }

    /// The remainder of a number.
    #[inline]
    pub(super) fn of(self, number: u64) -> u64 {
        let quotient = high_half(number, self.reciprocal);
        self.once(number.wrapping_sub(quotient.wrapping_mul(self.modulus)))
    }

    /// The remainder of a number below twice the modulus, without a branch that nobody could foresee.
    #[inline]
    fn once(self, number: u64) -> u64 {
        let is_over = 0_u64.wrapping_sub(u64::from(number >= self.modulus));
        number.wrapping_sub(self.modulus & is_over)
    }

    /// The remainder of a digest, read as one number of 128 bits.
    #[inline]
    pub(super) fn of_digest(self, digest: u128) -> u64 {
        if self.modulus > u64::from(u32::MAX) {
            return u64::try_from(digest % u128::from(self.modulus)).unwrap_or(0);
        }
        // Both factors are below 2^32, so the product fits.
        let high = self.of(self.of((digest >> 64) as u64) * self.carry);
        self.once(high + self.of(digest as u64))
    }

    /// A random number scaled to be below the modulus.
    #[inline]
    pub(super) fn scaled(self, random: u64) -> u64 {
        high_half(random, self.modulus)
    }
}

#[inline]
fn high_half(one: u64, two: u64) -> u64 {
    ((u128::from(one) * u128::from(two)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_those_of_division() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..200_000 {
            let modulus = random.u64(1..) >> random.u32(0..64);
            let modulus = modulus.max(1);
            let reducer = Reducer::new(Modulus::new(modulus).unwrap());
            let (number, digest) = (random.u64(..) >> random.u32(0..64), random.u128(..));
            assert_eq!(reducer.of(number), number % modulus, "{number} % {modulus}");
            assert_eq!(
                u128::from(reducer.of_digest(digest)),
                digest % u128::from(modulus),
                "{digest} % {modulus}"
            );
            assert!(reducer.scaled(number) < modulus);
        }
        let one = Reducer::new(Modulus::new(1).unwrap());
        assert_eq!((one.of(u64::MAX), one.of_digest(u128::MAX)), (0, 0));
    }
}
