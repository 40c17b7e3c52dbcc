//! What a store has to do, counted.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

/// Operations of a store. Fractions are fine: most counts are averages over many calls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Operations {
    /// Calls from the client to a server.
    pub calls: f64,
    /// Seeks into a family: places where reading one of its files begins.
    pub seeks: f64,
    /// Rows that a server looks at.
    pub rows: f64,
    /// Cells that a server looks at.
    pub cells: f64,
    /// Bytes that a server reads.
    pub bytes: f64,
    /// Regions that a call goes to.
    pub regions: f64,
    /// Rows that are put or deleted.
    pub puts: f64,
    /// Bytes that are written, once for every family they go to.
    pub bytes_written: f64,
}

impl Operations {
    /// The names of the operations, in the order of [`Operations::amounts`].
    pub const NAMES: [&str; 8] =
        ["calls", "seeks", "rows", "cells", "bytes", "regions", "puts", "bytes_written"];

    /// Nothing to do.
    pub const NONE: Self = Self::from_amounts([0.0; 8]);

    /// The amounts, in the order of [`Operations::NAMES`].
    pub const fn amounts(&self) -> [f64; 8] {
        let Self { calls, seeks, rows, cells, bytes, regions, puts, bytes_written } = *self;
        [calls, seeks, rows, cells, bytes, regions, puts, bytes_written]
    }

    /// The operations of amounts in the order of [`Operations::NAMES`].
    pub const fn from_amounts(amounts: [f64; 8]) -> Self {
        let [calls, seeks, rows, cells, bytes, regions, puts, bytes_written] = amounts;
        Self { calls, seeks, rows, cells, bytes, regions, puts, bytes_written }
    }

    /// The amounts with their names.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, f64)> {
        Self::NAMES.into_iter().zip(self.amounts())
    }
}

impl Add for Operations {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            seeks: self.seeks + other.seeks,
            rows: self.rows + other.rows,
            cells: self.cells + other.cells,
            bytes: self.bytes + other.bytes,
            regions: self.regions + other.regions,
            puts: self.puts + other.puts,
            bytes_written: self.bytes_written + other.bytes_written,
        }
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

    #[test]
    fn amounts_stand_under_their_names() {
        let counted = Operations::from_amounts([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert_eq!((counted.calls, counted.bytes, counted.bytes_written), (1.0, 5.0, 8.0));
        assert!(counted.named().eq(Operations::NAMES.into_iter().zip((1..=8).map(f64::from))));
    }

    #[test]
    fn operations_add_up_and_scale() {
        let one = Operations::from_amounts([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let mut sum = one + one * 2.0;
        assert_eq!(sum, one * 3.0);
        sum += one;
        assert_eq!(sum, [one; 4].into_iter().sum());
    }
}
