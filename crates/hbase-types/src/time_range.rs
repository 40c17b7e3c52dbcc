//! A range of timestamps, lower bound in, upper bound out.

use crate::Timestamp;

/// Timestamps `from_ms <= t < until_ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeRange {
    from_ms: Timestamp,
    until_ms: Timestamp,
}

/// Why a time range is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeRangeError {
    /// A bound is below zero.
    #[error("timestamp cannot be negative: {from_ms} to {until_ms}")]
    Negative {
        /// The lower bound given.
        from_ms: Timestamp,
        /// The upper bound given.
        until_ms: Timestamp,
    },
    /// The upper bound is below the lower one.
    #[error("the end of a time range ({until_ms}) comes before its start ({from_ms})")]
    Backwards {
        /// The lower bound given.
        from_ms: Timestamp,
        /// The upper bound given.
        until_ms: Timestamp,
    },
}

impl TimeRange {
    /// All timestamps.
    pub const ALL: Self = Self { from_ms: 0, until_ms: Timestamp::MAX };

    /// The range from `from_ms` up to, not including, `until_ms`.
    pub fn new(from_ms: Timestamp, until_ms: Timestamp) -> Result<Self, TimeRangeError> {
        if from_ms < 0 || until_ms < 0 {
            return Err(TimeRangeError::Negative { from_ms, until_ms });
        }
        if until_ms < from_ms {
            return Err(TimeRangeError::Backwards { from_ms, until_ms });
        }
        Ok(Self { from_ms, until_ms })
    }

    /// Just one timestamp.
    pub fn at(timestamp: Timestamp) -> Result<Self, TimeRangeError> {
        Self::new(timestamp, timestamp.saturating_add(1))
    }

    /// The lower bound, included.
    pub fn from_ms(self) -> Timestamp {
        self.from_ms
    }

    /// The upper bound, not included. The greatest number there is means "no bound".
    pub fn until_ms(self) -> Timestamp {
        self.until_ms
    }

    /// Whether `timestamp` lies in the range.
    pub fn contains(self, timestamp: Timestamp) -> bool {
        timestamp >= self.from_ms && !self.is_after(timestamp)
    }

    /// Whether `timestamp` is too new for the range.
    pub fn is_after(self, timestamp: Timestamp) -> bool {
        self.until_ms != Timestamp::MAX && timestamp >= self.until_ms
    }
}

impl Default for TimeRange {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_bound_in_upper_bound_out() {
        let range = TimeRange::new(10, 20).unwrap();
        assert!(!range.contains(9) && range.contains(10) && range.contains(19) && !range.contains(20));
        assert!(range.is_after(20) && !range.is_after(19));
        assert!(TimeRange::ALL.contains(Timestamp::MAX));
    }

    #[test]
    fn bad_ranges_are_refused() {
        assert_eq!(TimeRange::new(-1, 5), Err(TimeRangeError::Negative { from_ms: -1, until_ms: 5 }));
        assert_eq!(TimeRange::new(6, 5), Err(TimeRangeError::Backwards { from_ms: 6, until_ms: 5 }));
    }
}
