//! The rows of one strand on their way: what is there, and what is still to be read.

use std::vec;

use tablesmith_model::plan::Strand;
use tablesmith_model::row::successor;
use tablesmith_store::{OpStats, Row, RowBound, Scan, Scanner};

use super::fetch::Portion;

/// The rows of one strand.
pub(super) struct Stream {
    /// What of the strand is not yet read.
    pub strand: Strand,
    /// Which server has it, as a number; none when that is not known.
    pub server: Option<usize>,
    /// Between two portions.
    pub scanner: Option<Box<dyn Scanner>>,
    pub state: State,
    /// What is handed out at present.
    rows: vec::IntoIter<Row>,
    /// What was read ahead, and its bytes.
    ahead: Option<(Vec<Row>, u64)>,
    /// What scanners that are closed have cost, and the open one.
    closed_stats: OpStats,
    open_stats: OpStats,
}

/// What a stream does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It can read on.
    Idle,
    /// A portion is on its way.
    Reading,
    /// All is read.
    Ended,
}

impl Stream {
    pub fn new(strand: Strand, server: Option<usize>) -> Self {
        Self {
            strand,
            server,
            scanner: None,
            state: State::Idle,
            rows: Vec::new().into_iter(),
            ahead: None,
            closed_stats: OpStats::default(),
            open_stats: OpStats::default(),
        }
    }

    /// The next row, if it is there.
    pub fn next_row(&mut self) -> Option<Row> {
        match self.rows.next() {
            Some(row) => Some(row),
            None => {
                self.rows = self.ahead.take()?.0.into_iter();
                self.rows.next()
            }
        }
    }

    /// All rows of one portion, if they are there.
    pub fn next_portion(&mut self) -> Option<Vec<Row>> {
        let rows = self.rows.by_ref().collect::<Vec<_>>();
        if rows.is_empty() { self.ahead.take().map(|(rows, _)| rows) } else { Some(rows) }
    }

    /// Whether a row must come before anything else can.
    pub fn is_dry(&self) -> bool {
        self.state != State::Ended && self.buffered_rows() == 0
    }

    /// Whether it can read ahead.
    pub fn has_room(&self) -> bool {
        self.state == State::Idle && self.ahead.is_none()
    }

    pub fn buffered_rows(&self) -> usize {
        self.rows.len() + self.ahead.as_ref().map_or(0, |(rows, _)| rows.len())
    }

    pub fn ahead_bytes(&self) -> u64 {
        self.ahead.as_ref().map_or(0, |(_, bytes)| *bytes)
    }

    pub fn stats(&self) -> OpStats {
        let mut stats = self.closed_stats;
        stats += self.open_stats;
        stats
    }

    /// Takes in a portion that was on its way.
    pub fn receive(&mut self, portion: Portion, falls: bool) {
        let Portion { rows, bytes, scanner, is_last, stats } = portion;
        self.state = if is_last { State::Ended } else { State::Idle };
        self.scanner = scanner.filter(|_| !is_last);
        self.open_stats = stats;
        if self.scanner.is_none() {
            self.closed_stats += std::mem::take(&mut self.open_stats);
        }
        if let Some(last) = rows.last() {
            if falls {
                self.strand.range.end = Some(last.row.to_vec());
            } else {
                self.strand.range.start = successor(&last.row);
            }
        }
        if self.rows.len() == 0 && self.ahead.is_none() {
            self.rows = rows.into_iter();
        } else {
            self.ahead = Some((rows, bytes));
        }
    }

    /// The scan of what is not yet read.
    pub fn scan(&self, falls: bool) -> Scan {
        let range = &self.strand.range;
        let low = match range.start.as_slice() {
            [] => RowBound::Open,
            start => RowBound::Included(start.to_vec().into()),
        };
        let high = range.end.as_ref().map_or(RowBound::Open, |end| RowBound::Excluded(end.clone().into()));
        let (start, stop) = if falls { (high, low) } else { (low, high) };
        Scan { start, stop, reversed: falls, ..Scan::default() }
    }
}
