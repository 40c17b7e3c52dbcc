//! The part of a scan that lies in one region.

use std::cmp::Ordering;

use crate::{RowBound, Scan};
use bytes::Bytes;

/// The scan of a region's rows alone; `None` when the scan has none of them.
pub fn within(scan: &Scan, start: &Bytes, end: &Bytes) -> Option<Scan> {
    let (low, high) = if scan.reversed { (&scan.stop, &scan.start) } else { (&scan.start, &scan.stop) };
    let low = higher(open_when_empty(low), open_when_empty(&RowBound::Included(start.clone())));
    let high = lower(open_when_empty(high), open_when_empty(&RowBound::Excluded(end.clone())));
    if is_empty(&low, &high) {
        return None;
    }
    let (start, stop) = if scan.reversed { (high, low) } else { (low, high) };
    Some(Scan { start, stop, ..scan.clone() })
}

/// An empty key leaves its end open, whichever way it is given.
fn open_when_empty(bound: &RowBound) -> RowBound {
    match bound.row() {
        Some(row) if !row.is_empty() => bound.clone(),
        _ => RowBound::Open,
    }
}

/// Of two lower bounds the one that leaves less.
fn higher(one: RowBound, other: RowBound) -> RowBound {
    tighter(one, other, Ordering::Greater)
}

/// Of two upper bounds the one that leaves less.
fn lower(one: RowBound, other: RowBound) -> RowBound {
    tighter(one, other, Ordering::Less)
}

/// Of two bounds of the same kind the one whose row lies further inside; of the same row the one that leaves it out.
fn tighter(one: RowBound, other: RowBound, inside: Ordering) -> RowBound {
    let takes_one = match (one.row(), other.row()) {
        (Some(a), Some(b)) => match a.cmp(b) {
            Ordering::Equal => matches!(one, RowBound::Excluded(_)),
            order => order == inside,
        },
        (Some(_), None) => true,
        (None, _) => false,
    };
    if takes_one { one } else { other }
}

fn is_empty(low: &RowBound, high: &RowBound) -> bool {
    match (low, high) {
        (RowBound::Included(low), RowBound::Included(high)) => low > high,
        (low, high) => low.row().zip(high.row()).is_some_and(|(low, high)| low >= high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(
        start: RowBound,
        stop: RowBound,
        region: (&'static str, &'static str),
    ) -> Option<(RowBound, RowBound)> {
        let scan = Scan { start, stop, ..Scan::all() };
        let backwards = Scan { start: scan.stop.clone(), stop: scan.start.clone(), ..Scan::all().reversed() };
        let (start, end) = (Bytes::from(region.0), Bytes::from(region.1));
        let bounds = within(&scan, &start, &end).map(|scan| (scan.start, scan.stop));
        let reversed = within(&backwards, &start, &end).map(|scan| (scan.stop, scan.start));
        assert_eq!(bounds, reversed);
        bounds
    }

    fn included(row: &'static str) -> RowBound {
        RowBound::Included(row.into())
    }

    fn excluded(row: &'static str) -> RowBound {
        RowBound::Excluded(row.into())
    }

    #[test]
    fn a_region_cuts_both_ends() {
        let all = (RowBound::Open, RowBound::Open);
        assert_eq!(narrowed(RowBound::Open, RowBound::Open, ("", "")), Some(all));
        assert_eq!(
            narrowed(RowBound::Open, RowBound::Open, ("b", "d")),
            Some((included("b"), excluded("d")))
        );
        assert_eq!(narrowed(included("c"), included("d"), ("b", "d")), Some((included("c"), excluded("d"))));
        assert_eq!(narrowed(excluded("b"), included("c"), ("b", "d")), Some((excluded("b"), included("c"))));
        assert_eq!(narrowed(included(""), excluded(""), ("b", "")), Some((included("b"), RowBound::Open)));
    }

    #[test]
    fn regions_outside_are_left_out() {
        assert_eq!(narrowed(included("d"), RowBound::Open, ("b", "d")), None);
        assert_eq!(narrowed(RowBound::Open, excluded("b"), ("b", "d")), None);
        assert_eq!(narrowed(RowBound::Open, included("b"), ("b", "d")), Some((included("b"), included("b"))));
        assert_eq!(narrowed(included("c"), included("b"), ("", "")), None);
    }
}
