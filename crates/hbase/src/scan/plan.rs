//! Where a scan goes next. Pure functions.

use bytes::Bytes;

use super::assembler::Reached;
use crate::region::Region;
use crate::region::cache::Seek;
use crate::request::reads;
use crate::{Scan, pb};

/// The place where the next scanner begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub row: Bytes,
    pub include: bool,
}

impl Start {
    pub fn of(scan: &Scan) -> Self {
        let (row, include) = reads::bound(&scan.start);
        Self { row, include }
    }

    /// Which region has the first row.
    pub fn seek(&self, reversed: bool) -> Seek<'_> {
        match reversed {
            true if self.row.is_empty() || !self.include => Seek::Before(&self.row),
            _ => Seek::Row(&self.row),
        }
    }

    /// After a failure: behind what was handed out. In the middle of a row that row is read again.
    pub fn after(self, reached: &Reached) -> Self {
        match reached {
            Reached::Nothing => self,
            Reached::Row(row) => Self { row: row.clone(), include: false },
            Reached::Cell(cell) => Self { row: cell.shared_row(), include: true },
        }
    }
}

/// What follows a portion.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The same scanner has more.
    SameScanner,
    /// The region is read, another one follows.
    Region(Start),
    /// That was all.
    End,
}

/// How far the servers have read, as heartbeats tell.
#[derive(Debug, Default)]
pub(super) struct ScanProgress {
    cursor: Option<Bytes>,
}

impl ScanProgress {
    /// Whether a reply without rows from the same scanner shows that the server has read on. A server that looks for rows
    /// that pass a filter may have none for hours, and says now and then where it is.
    pub fn is_shown_by(&mut self, scan: &Scan, response: &pb::ScanResponse) -> bool {
        let Some(row) = response.cursor.as_ref().and_then(|cursor| cursor.row.clone()) else { return false };
        let is_further = match &self.cursor {
            None => true,
            Some(before) if scan.reversed => row < before,
            Some(before) => row > before,
        };
        if is_further {
            self.cursor = Some(row);
        }
        is_further
    }

    /// Another scanner begins where it begins.
    pub fn begin_again(&mut self) {
        self.cursor = None;
    }
}

/// What a reply says about how to go on.
pub(super) fn next(scan: &Scan, region: &Region, response: &pb::ScanResponse) -> Next {
    if response.more_results == Some(false) {
        return Next::End;
    }
    if response.more_results_in_region != Some(false) && response.scanner_id.is_some() {
        return Next::SameScanner;
    }
    let (stop, include_stop) = reads::bound(&scan.stop);
    if scan.reversed {
        if region.start.is_empty() || (!stop.is_empty() && region.start <= stop) {
            return Next::End;
        }
        return Next::Region(Start { row: region.start.clone(), include: false });
    }
    let past_stop = !stop.is_empty() && (region.end > stop || (region.end == stop && !include_stop));
    if region.end.is_empty() || past_stop {
        return Next::End;
    }
    Next::Region(Start { row: region.end.clone(), include: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RowBound;

    fn region(start: &'static str, end: &'static str) -> Region {
        Region { start: start.into(), end: end.into(), ..Region::meta() }
    }

    fn exhausted() -> pb::ScanResponse {
        pb::ScanResponse {
            more_results: Some(true),
            more_results_in_region: Some(false),
            scanner_id: Some(1),
            ..Default::default()
        }
    }

    fn start(row: &'static str, include: bool) -> Start {
        Start { row: row.into(), include }
    }

    #[test]
    fn forward_goes_on_at_the_end_of_the_region() {
        let next_of =
            |stop: RowBound, end| next(&Scan { stop, ..Scan::all() }, &region("b", end), &exhausted());
        assert_eq!(next_of(RowBound::Open, "d"), Next::Region(start("d", true)));
        assert_eq!(next_of(RowBound::Open, ""), Next::End);
        assert_eq!(next_of(RowBound::Excluded("d".into()), "d"), Next::End);
        assert_eq!(next_of(RowBound::Included("d".into()), "d"), Next::Region(start("d", true)));
        assert_eq!(next_of(RowBound::Excluded("c".into()), "d"), Next::End);
    }

    #[test]
    fn backward_goes_on_before_the_start_of_the_region() {
        let scan = |stop| Scan { stop, ..Scan::all().reversed() };
        let next_of = |stop, first| next(&scan(stop), &region(first, "z"), &exhausted());
        assert_eq!(next_of(RowBound::Open, "b"), Next::Region(start("b", false)));
        assert_eq!(next_of(RowBound::Open, ""), Next::End);
        assert_eq!(next_of(RowBound::Included("b".into()), "b"), Next::End);
        assert_eq!(next_of(RowBound::Excluded("a".into()), "b"), Next::Region(start("b", false)));
        assert_eq!(start("b", false).seek(true), Seek::Before(b"b"));
        assert_eq!(start("", true).seek(true), Seek::Before(b""));
        assert_eq!(start("b", true).seek(true), Seek::Row(b"b"));
    }

    #[test]
    fn a_heartbeat_is_progress_only_when_its_cursor_moves_on() {
        let at = |row: Option<&'static str>| pb::ScanResponse {
            cursor: row.map(|row| pb::Cursor { row: Some(row.into()) }),
            ..Default::default()
        };
        for (scan, rows) in [(Scan::all(), ["a", "b"]), (Scan::all().reversed(), ["b", "a"])] {
            let mut progress = ScanProgress::default();
            assert!(!progress.is_shown_by(&scan, &at(None)));
            let [first, second] = rows.map(|row| at(Some(row)));
            assert!(progress.is_shown_by(&scan, &first) && !progress.is_shown_by(&scan, &first));
            assert!(progress.is_shown_by(&scan, &second) && !progress.is_shown_by(&scan, &first));
        }
    }

    #[test]
    fn the_server_can_end_the_whole_scan() {
        let response = pb::ScanResponse { more_results: Some(false), ..exhausted() };
        assert_eq!(next(&Scan::all(), &region("", "d"), &response), Next::End);
    }

    #[test]
    fn after_a_failure_the_last_row_is_not_read_twice() {
        assert_eq!(start("a", true).after(&Reached::Nothing), start("a", true));
        assert_eq!(start("a", true).after(&Reached::Row("k".into())), start("k", false));
    }
}
