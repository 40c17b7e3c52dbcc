//! Which figures of a group are wanted: some of them a store knows without looking at every cell itself.

use std::fmt;
use std::ops::{BitAnd, BitOr};

use super::Partial;

/// Some of the figures of a [`Partial`]. The others stay what they are without cells, on every store. Combine them with
/// `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Figures(u8);

impl Figures {
    /// How many rows.
    pub const ROWS: Self = Self(1);
    /// How many cells.
    pub const CELLS: Self = Self(1 << 1);
    /// How many cells are numbers.
    pub const NUMBERS: Self = Self(1 << 2);
    /// The sum of the numbers.
    pub const SUM: Self = Self(1 << 3);
    /// The sum of their squares.
    pub const SUM_OF_SQUARES: Self = Self(1 << 4);
    /// The least number.
    pub const MIN: Self = Self(1 << 5);
    /// The greatest number.
    pub const MAX: Self = Self(1 << 6);
    /// All figures.
    pub const ALL: Self = Self((1 << 7) - 1);
    /// All figures of numbers.
    pub const OF_NUMBERS: Self = Self(Self::ALL.0 & !Self::ROWS.0 & !Self::CELLS.0);
    /// What a mean is made of.
    pub const MEAN: Self = Self(Self::NUMBERS.0 | Self::SUM.0);

    const NAMED: [(Self, &'static str); 7] = [
        (Self::ROWS, "rows"),
        (Self::CELLS, "cells"),
        (Self::NUMBERS, "numbers"),
        (Self::SUM, "sum"),
        (Self::SUM_OF_SQUARES, "sum of squares"),
        (Self::MIN, "min"),
        (Self::MAX, "max"),
    ];

    /// Every figure alone.
    pub fn each() -> impl Iterator<Item = Self> {
        Self::NAMED.into_iter().map(|(figure, _)| figure)
    }

    /// Whether any of some figures is among these.
    pub fn has(self, some: Self) -> bool {
        self.0 & some.0 != 0
    }

    /// These figures of a group. `None` when they tell nothing: a group is there when it has a number, and where rows or
    /// cells are wanted when it has a cell.
    pub fn of(self, partial: &Partial) -> Option<Partial> {
        let is_there = partial.numbers > 0 || (partial.cells > 0 && self.has(Self::ROWS | Self::CELLS));
        is_there.then(|| self.pick(partial))
    }

    /// These figures of a group that is there.
    pub fn pick(self, partial: &Partial) -> Partial {
        let nothing = Partial::default();
        let from = |figure: Self| if self.has(figure) { partial } else { &nothing };
        Partial {
            rows: from(Self::ROWS).rows,
            cells: from(Self::CELLS).cells,
            numbers: from(Self::NUMBERS).numbers,
            sum: from(Self::SUM).sum,
            sum_of_squares: from(Self::SUM_OF_SQUARES).sum_of_squares,
            min: from(Self::MIN).min,
            max: from(Self::MAX).max,
        }
    }
}

impl Default for Figures {
    fn default() -> Self {
        Self::ALL
    }
}

impl BitOr for Figures {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Figures {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Self::NAMED.into_iter().filter(|(figure, _)| self.has(*figure)).map(|(_, name)| name);
        f.write_str(&names.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;

    fn partial(numbers: &[Option<i64>]) -> Partial {
        let mut partial = Partial { rows: 1, ..Partial::default() };
        numbers.iter().for_each(|number| partial.add_cell(number.map(|number| Number::Int(number.into()))));
        partial
    }

    #[test]
    fn figures_that_are_not_wanted_stay_as_without_cells() {
        let whole = partial(&[Some(3), Some(-3), None]);
        assert_eq!(Figures::ALL.of(&whole), Some(whole));
        let sum = Figures::SUM.of(&whole);
        assert_eq!(sum, Some(Partial::default()), "a sum of 0 is a sum");
        let extremes = (Figures::MIN | Figures::CELLS).of(&whole);
        assert_eq!(extremes, Some(Partial { cells: 3, min: Some(Number::Int(-3)), ..Partial::default() }));
    }

    #[test]
    fn a_group_without_numbers_is_there_only_where_cells_are_wanted() {
        let texts = partial(&[None]);
        assert_eq!(Figures::MEAN.of(&texts), None);
        assert_eq!(Figures::ROWS.of(&texts), Some(Partial { rows: 1, ..Partial::default() }));
        assert_eq!(Figures::ALL.of(&Partial::default()), None);
    }

    #[test]
    fn all_are_each_together() {
        assert_eq!(Figures::each().reduce(BitOr::bitor), Some(Figures::ALL));
        assert_eq!(Figures::MEAN.to_string(), "numbers, sum");
    }
}
