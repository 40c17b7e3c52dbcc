//! What is known of a group of values; partials of several regions add up.

use std::ops::AddAssign;

use super::Number;

/// What one region knows of one group. Partials of several regions add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// Rows with at least one cell in the group.
    pub rows: u64,
    /// Cells.
    pub cells: u64,
    /// Cells whose value is a number.
    pub numbers: u64,
    /// Their sum.
    pub sum: Number,
    /// The sum of their squares.
    pub sum_of_squares: Number,
    /// The least.
    pub min: Option<Number>,
    /// The greatest.
    pub max: Option<Number>,
}

impl Default for Partial {
    fn default() -> Self {
        Self {
            rows: 0,
            cells: 0,
            numbers: 0,
            sum: Number::Int(0),
            sum_of_squares: Number::Int(0),
            min: None,
            max: None,
        }
    }
}

impl Partial {
    /// Counts one more cell.
    pub fn add_cell(&mut self, number: Option<Number>) {
        self.cells += 1;
        if let Some(number) = number {
            self.numbers += 1;
            self.sum = self.sum.add(number);
            self.sum_of_squares = self.sum_of_squares.add(number.square());
            self.take_extremes(Some(number), Some(number));
        }
    }

    fn take_extremes(&mut self, min: Option<Number>, max: Option<Number>) {
        if let Some(min) = min {
            self.min = Some(self.min.filter(|&have| !min.less(have)).unwrap_or(min));
        }
        if let Some(max) = max {
            self.max = Some(self.max.filter(|&have| !have.less(max)).unwrap_or(max));
        }
    }
}

impl AddAssign for Partial {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.cells += other.cells;
        self.numbers += other.numbers;
        self.sum = self.sum.add(other.sum);
        self.sum_of_squares = self.sum_of_squares.add(other.sum_of_squares);
        self.take_extremes(other.min, other.max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partials_add_up() {
        let mut sum = Partial::default();
        let mut other = Partial::default();
        sum.add_cell(Some(Number::Int(3)));
        other.add_cell(Some(Number::Int(-4)));
        other.add_cell(None);
        sum += other;
        assert_eq!(
            (sum.cells, sum.numbers, sum.sum, sum.sum_of_squares),
            (3, 2, Number::Int(-1), Number::Int(25))
        );
        assert_eq!((sum.min, sum.max), (Some(Number::Int(-4)), Some(Number::Int(3))));
    }

    #[test]
    fn sums_do_not_overflow() {
        let mut partial = Partial::default();
        for _ in 0..4 {
            partial.add_cell(Some(Number::Int(i64::MIN.into())));
        }
        assert_eq!(partial.sum, Number::Int(4 * i128::from(i64::MIN)));
        assert!(partial.sum_of_squares.as_f64() > 3e38);
    }
}
