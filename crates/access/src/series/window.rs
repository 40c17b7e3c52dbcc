//! A stretch of times, with both ends.

use tablesmith_model::series::time;
use tablesmith_model::value::ValueType;

const DAY_MS: i64 = 86_400_000;

/// The times of a column from the first to the last; both are times that the column can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub first: i64,
    pub last: i64,
}

impl Window {
    /// The times of a column from `from` on and before `to`; `None` when there are none.
    pub fn new(from: i64, to: i64, time_type: ValueType) -> Option<Self> {
        let (least, greatest) = time::bounds(time_type);
        let (first, last) = (from.max(least), to.checked_sub(1)?.min(greatest));
        let (first, last) = match time_type {
            ValueType::Date => {
                let whole = last.div_euclid(DAY_MS) * DAY_MS;
                (first.checked_add(DAY_MS - 1)?.div_euclid(DAY_MS) * DAY_MS, whole)
            }
            _ => (first, last),
        };
        (first <= last).then_some(Self { first, last })
    }

    /// Just one time.
    pub fn at(at: i64) -> Self {
        Self { first: at, last: at }
    }

    /// Whether it has every time of its column.
    pub fn is_all(self, time_type: ValueType) -> bool {
        Self::new(i64::MIN, i64::MAX, time_type) == Some(self)
    }

    pub fn contains(self, at: i64) -> bool {
        (self.first..=self.last).contains(&at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_times_of_the_column() {
        let window = |from, to, value_type| Window::new(from, to, value_type).map(|it| (it.first, it.last));
        assert_eq!(window(5, 9, ValueType::Int), Some((5, 8)));
        assert_eq!(window(5, 5, ValueType::Int), None);
        assert_eq!(window(i64::MIN, i64::MIN, ValueType::Int), None);
        assert_eq!(window(1, 2 * DAY_MS, ValueType::Date), Some((DAY_MS, DAY_MS)));
        assert_eq!(window(1, DAY_MS, ValueType::Date), None);
        assert_eq!(window(-1, 1, ValueType::Date), Some((0, 0)));
        let (least, greatest) = time::bounds(ValueType::Timestamp);
        assert_eq!(window(i64::MIN, i64::MAX, ValueType::Timestamp), Some((least, greatest)));
    }
}
