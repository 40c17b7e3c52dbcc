//! A range of time.

use crate::pb;

/// From a time (included) to a time (not included).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRange {
    /// The first time in it.
    pub from: i64,
    /// The first time after it.
    pub to: i64,
}

impl TimeRange {
    /// All of time.
    pub const ALL: Self = Self { from: 0, to: i64::MAX };

    pub(crate) fn to_pb(self) -> Option<pb::TimeRange> {
        let number = |time: i64| Some(time.max(0) as u64);
        (self != Self::ALL).then(|| pb::TimeRange { from: number(self.from), to: number(self.to) })
    }
}

impl Default for TimeRange {
    fn default() -> Self {
        Self::ALL
    }
}
