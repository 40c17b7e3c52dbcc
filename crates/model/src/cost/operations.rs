//! What a store has to do, counted.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

/// Names each operation once: its field, what one of it is called, and what it is.
macro_rules! operations {
    ($($name:ident, $one:literal, $meaning:literal;)+) => {
        /// Operations of a store. Fractions are fine: most counts are averages over many calls.
        #[derive(Clone, Copy, Debug, Default, PartialEq, schemars::JsonSchema)]
        #[schemars(default)]
        pub struct Operations {
            $(#[doc = $meaning] pub $name: f64,)+
        }

        impl Operations {
            /// How many kinds of operations there are.
            pub const COUNT: usize = [$($one),+].len();

            /// The names of the operations, in the order of [`Operations::amounts`].
            pub const NAMES: [&str; Self::COUNT] = [$(stringify!($name)),+];

            /// What one operation of each kind is called.
            pub const SINGULARS: [&str; Self::COUNT] = [$($one),+];

            /// What each operation is, in a sentence.
            pub const MEANINGS: [&str; Self::COUNT] = [$($meaning),+];

            /// The amounts, in the order of [`Operations::NAMES`].
            pub const fn amounts(&self) -> [f64; Self::COUNT] {
                [$(self.$name),+]
            }

            /// The operations of amounts in the order of [`Operations::NAMES`].
            pub const fn from_amounts(amounts: [f64; Self::COUNT]) -> Self {
                let [$($name),+] = amounts;
                Self { $($name),+ }
            }
        }
    };
}

operations! {
    calls, "call", "Calls from the client to the store, there and back.";
    regions, "region", "Regions in which a scan is begun; a get and a write need none.";
    seeks, "seek", "Seeks into a family, each with the block where reading begins: one a family and region of a scan, one a family and row of a get.";
    rows, "row", "Rows that a read goes through, however many of their families it reads.";
    family_rows, "row and family", "Rows that a read goes through, counted once for every family that is read.";
    cells, "cell", "Cells of the families that are read, whether they are asked for or not.";
    bytes, "byte", "Bytes of those cells, as stored.";
    cells_returned, "cell returned", "Cells that are asked for and go to the client.";
    bytes_returned, "byte returned", "Bytes of the cells that go to the client.";
    write_calls, "call that writes", "Calls that write, each of which has to be made safe; they are calls, too.";
    puts, "put", "Rows that are put or deleted, however many families they go to.";
    family_puts, "put and family", "Rows that are put or deleted, counted once for every family that is written to.";
    cells_written, "cell written", "Cells that are written, counted once for every family that they go to.";
    bytes_written, "byte written", "Bytes that are written, counted once for every family that they go to.";
}

impl Operations {
    /// Nothing to do.
    pub const NONE: Self = Self::from_amounts([0.0; Self::COUNT]);

    /// The amounts with their names.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, f64)> {
        Self::NAMES.into_iter().zip(self.amounts())
    }
}

impl Add for Operations {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut sums = self.amounts();
        sums.iter_mut().zip(other.amounts()).for_each(|(sum, amount)| *sum += amount);
        Self::from_amounts(sums)
    }
}

impl AddAssign for Operations {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Operations {
    type Output = Self;

    /// So many times the same: a rate, or a share.
    fn mul(self, factor: f64) -> Self {
        Self::from_amounts(self.amounts().map(|amount| amount * factor))
    }
}

impl Sum for Operations {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::NONE, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted() -> Operations {
        let mut next = 0.0;
        Operations::from_amounts([0.0; Operations::COUNT].map(|_| {
            next += 1.0;
            next
        }))
    }

    #[test]
    fn amounts_stand_under_their_names() {
        let counted = counted();
        assert_eq!((counted.calls, counted.cells, counted.bytes_written), (1.0, 6.0, 14.0));
        assert!(counted.named().eq(Operations::NAMES.into_iter().zip((1..=14).map(f64::from))));
    }

    #[test]
    fn operations_add_up_and_scale() {
        let one = counted();
        let mut sum = one + one * 2.0;
        assert_eq!(sum, one * 3.0);
        sum += one;
        assert_eq!(sum, [one; 4].into_iter().sum());
    }
}
