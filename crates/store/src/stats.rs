//! What an operation cost, as far as the store knows. What it does not know is absent, never 0.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// Counts of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpStats {
    /// Cells that the store looked at to answer.
    pub cells: Option<u64>,
    /// Bytes of those cells.
    pub bytes: Option<u64>,
    /// Blocks that were read.
    pub blocks: Option<u64>,
    /// Times a reader was put somewhere in a family.
    pub seeks: Option<u64>,
    /// Regions that took part.
    pub regions: Option<u64>,
    /// Time spent in the store.
    pub time: Option<Duration>,
}

impl OpStats {
    /// What came since an earlier state of the same counts.
    pub fn since(&self, before: &Self) -> Self {
        let more =
            |now: Option<u64>, before: Option<u64>| now.map(|now| now.saturating_sub(before.unwrap_or(0)));
        Self {
            cells: more(self.cells, before.cells),
            bytes: more(self.bytes, before.bytes),
            blocks: more(self.blocks, before.blocks),
            seeks: more(self.seeks, before.seeks),
            regions: more(self.regions, before.regions),
            time: self.time.map(|now| now.saturating_sub(before.time.unwrap_or_default())),
        }
    }
}

impl AddAssign for OpStats {
    fn add_assign(&mut self, other: Self) {
        fn add(into: &mut Option<u64>, more: Option<u64>) {
            if let Some(more) = more {
                *into = Some(into.unwrap_or(0) + more);
            }
        }
        add(&mut self.cells, other.cells);
        add(&mut self.bytes, other.bytes);
        add(&mut self.blocks, other.blocks);
        add(&mut self.seeks, other.seeks);
        add(&mut self.regions, other.regions);
        if let Some(more) = other.time {
            self.time = Some(self.time.unwrap_or_default() + more);
        }
    }
}

/// An answer with what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// The answer.
    pub value: T,
    /// What it cost.
    pub stats: OpStats,
}

impl<T> Answer<T> {
    /// An answer of which nothing was counted.
    pub fn uncounted(value: T) -> Self {
        Self { value, stats: OpStats::default() }
    }

    /// The same costs, another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Answer<U> {
        Answer { value: change(self.value), stats: self.stats }
    }
}

impl<T> Answer<Vec<T>> {
    /// What regions answered side by side since `begun`, each with its own costs.
    pub fn of_regions(answers: Vec<(T, OpStats)>, begun: Instant) -> Self {
        let mut sum = OpStats::default();
        let mut value = Vec::with_capacity(answers.len());
        for (one, stats) in answers {
            sum += stats;
            value.push(one);
        }
        Self { value, stats: OpStats { time: Some(begun.elapsed()), ..sum } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unknown_stays_absent() {
        let mut sum = OpStats { cells: Some(1), ..OpStats::default() };
        sum += OpStats { cells: Some(2), regions: Some(1), ..OpStats::default() };
        assert_eq!(sum, OpStats { cells: Some(3), regions: Some(1), ..OpStats::default() });
    }
}
