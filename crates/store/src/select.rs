//! Looking for rows inside the regions: those that a scan brings anything of, or those that differ between two times. Only
//! their keys are answered.

use std::time::{Duration, Instant};

use bytes::Bytes;
use tablesmith_model::{Cell, TimeRange, Timestamp};

use crate::Scan;
use crate::filter::Filter;

/// Looks for rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    /// Which cells are looked at: rows, columns, versions, time range, filter. Limit, batch and caching mean nothing here:
    /// every region answers alone, for all of its rows.
    pub scan: Scan,
    /// Which rows are answered.
    pub which: Which,
    /// Cells with this value are looked at as if they were not there.
    pub nothing: Option<Bytes>,
}

/// Which rows are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that have any cell.
    Any,
    /// Those that have a version of one time and none of another.
    Between {
        /// One time.
        before: TimeRange,
        /// The other.
        after: TimeRange,
    },
}

/// What one region found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionRows {
    /// The region's name.
    pub region: String,
    /// The server that has it.
    pub server: String,
    /// How long the region's answer took.
    pub took: Duration,
    /// The rows, in the order of the scan; between two times those that have a version of the later one alone.
    pub rows: Vec<Bytes>,
    /// Between two times, the rows that have a version of the earlier one alone.
    pub gone: Vec<Bytes>,
}

impl Select {
    /// The rows that a scan brings anything of.
    pub fn any(scan: Scan) -> Self {
        Self { scan, which: Which::Any, nothing: None }
    }

    /// The scan, of whole rows.
    pub fn whole_rows(&self) -> Scan {
        Scan { limit: None, batch: None, caching: None, ..self.scan.clone() }
    }

    /// A filter that leaves out versions of other times, where the times are single ones.
    pub fn only_times(&self) -> Option<Filter> {
        let Which::Between { before, after } = self.which else { return None };
        let is_one = |range: &TimeRange| range.from_ms().checked_add(1) == Some(range.until_ms());
        if ![before, after].iter().all(is_one) {
            return None;
        }
        let mut timestamps = vec![before.from_ms(), after.from_ms()];
        timestamps.sort_unstable();
        timestamps.dedup();
        Some(Filter::Timestamps { timestamps, can_hint: false })
    }
}

/// Picks the rows of one region, row by row.
#[derive(Clone, Debug)]
pub struct Selector {
    which: Which,
    nothing: Option<Bytes>,
    row: Bytes,
    has_before: bool,
    has_after: bool,
    rows: Vec<Bytes>,
    gone: Vec<Bytes>,
}

impl Selector {
    /// Nothing seen yet.
    pub fn new(select: &Select) -> Self {
        Self {
            which: select.which,
            nothing: select.nothing.clone(),
            row: Bytes::new(),
            has_before: false,
            has_after: false,
            rows: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Looks at the cells of a row, or of a part of it.
    pub fn add(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.go_to_row(&cell.row);
            self.add_cell(cell.timestamp, &cell.value);
        }
    }

    /// Goes on to a row, or stays in it.
    pub fn go_to_row(&mut self, row: &Bytes) {
        if self.row != row {
            self.leave_row();
            self.row = row.clone();
        }
    }

    /// Looks at a cell of the present row.
    #[inline]
    pub fn add_cell(&mut self, timestamp: Timestamp, value: &[u8]) {
        if self.nothing.as_deref() == Some(value) {
            return;
        }
        match self.which {
            Which::Any => self.has_after = true,
            Which::Between { before, after } => {
                self.has_before |= before.contains(timestamp);
                self.has_after |= after.contains(timestamp);
            }
        }
    }

    /// Whether more cells of the present row can change anything.
    #[inline]
    pub fn wants_more(&self) -> bool {
        match self.which {
            Which::Any => !self.has_after,
            Which::Between { .. } => !(self.has_before && self.has_after),
        }
    }

    fn leave_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        match (std::mem::take(&mut self.has_before), std::mem::take(&mut self.has_after)) {
            // A key that stays must not keep alive what it was cut from.
            (false, true) => self.rows.push(Bytes::copy_from_slice(&row)),
            (true, false) => self.gone.push(Bytes::copy_from_slice(&row)),
            _ => {}
        }
    }

    /// What a region found, which it began to look for at a moment.
    pub fn finish(mut self, region: String, server: String, begun: Instant) -> RegionRows {
        self.leave_row();
        RegionRows { region, server, took: begun.elapsed(), rows: self.rows, gone: self.gone }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(select: &Select, cells: &[(&'static str, Timestamp, &'static str)]) -> (Vec<Bytes>, Vec<Bytes>) {
        let mut selector = Selector::new(select);
        for (row, timestamp, value) in cells {
            selector.add(&[Cell::put(*row, "f", "q", *timestamp, *value)]);
        }
        let RegionRows { rows, gone, .. } = selector.finish(String::new(), String::new(), Instant::now());
        (rows, gone)
    }

    #[test]
    fn rows_of_one_time_alone_are_found() {
        let which = Which::Between { before: TimeRange::at(1).unwrap(), after: TimeRange::at(5).unwrap() };
        let select = Select { which, nothing: Some("-".into()), ..Select::any(Scan::all()) };
        let cells = [
            ("both", 5, "x"),
            ("both", 1, "x"),
            ("later", 5, "x"),
            ("neither", 3, "x"),
            ("earlier", 5, "-"),
            ("earlier", 1, "x"),
        ];
        assert_eq!(found(&select, &cells), (vec!["later".into()], vec!["earlier".into()]));
        assert!(select.only_times().is_some());
    }

    #[test]
    fn any_cell_is_enough() {
        let cells = [("a", 1, "x"), ("a", 2, "x"), ("b", 1, "x")];
        assert_eq!(found(&Select::any(Scan::all()), &cells), (vec!["a".into(), "b".into()], vec![]));
        assert_eq!(Select::any(Scan::all()).only_times(), None);
    }
}
