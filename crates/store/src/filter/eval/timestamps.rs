//! `TimestampsFilter`: cells of exactly these times.

use tablesmith_model::{Cell, Timestamp};

use super::rule::Rule;
use super::{FilterError, Hint, ReturnCode};

/// Leaves a column below the lowest time; between two times it may jump to the older one.
#[derive(Debug)]
pub(super) struct Timestamps {
    sorted: Vec<Timestamp>,
    can_hint: bool,
}

impl Timestamps {
    pub(super) fn new(timestamps: &[Timestamp], can_hint: bool) -> Result<Self, FilterError> {
        if let Some(&timestamp) = timestamps.iter().find(|&&timestamp| timestamp < 0) {
            return Err(FilterError::NegativeTimestamp { timestamp });
        }
        let mut sorted = timestamps.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        Ok(Self { sorted, can_hint })
    }
}

impl Rule for Timestamps {
    fn row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        let lowest = self.sorted.first().copied().unwrap_or(Timestamp::MAX);
        if self.sorted.binary_search(&cell.timestamp).is_ok() {
            ReturnCode::Include
        } else if cell.timestamp < lowest {
            ReturnCode::NextColumn
        } else if self.can_hint {
            ReturnCode::SeekHint
        } else {
            ReturnCode::Skip
        }
    }

    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        if !self.can_hint {
            return None;
        }
        let below = self.sorted.partition_point(|&timestamp| timestamp < cell.timestamp);
        let next = below.checked_sub(1).and_then(|at| self.sorted.get(at));
        let timestamp = next.copied().unwrap_or(Timestamp::MIN);
        Some(Hint { timestamp, ..Hint::column_of(cell, cell.qualifier.clone()) })
    }

    fn is_hinting(&self) -> bool {
        true
    }
}
