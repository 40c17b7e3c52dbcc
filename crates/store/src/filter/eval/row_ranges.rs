//! Ranges of rows, sorted and joined where they touch, as HBase does it, odd cases included.

use tablesmith_model::bytes_text::to_text;

use super::FilterError;
use crate::filter::RowRange;

/// Whether a row lies in a range.
pub(super) fn contains(range: &RowRange, row: &[u8]) -> bool {
    let after_start =
        if range.start_inclusive { row >= range.start.as_ref() } else { row > range.start.as_ref() };
    after_start
        && (range.stop.is_empty()
            || if range.stop_inclusive { row <= range.stop.as_ref() } else { row < range.stop.as_ref() })
}

fn is_valid(range: &RowRange) -> bool {
    range.start.is_empty()
        || range.stop.is_empty()
        || range.start < range.stop
        || (range.start == range.stop && range.stop_inclusive)
}

/// Whether `next`, which does not start before `last`, starts inside it or right behind it.
fn touches(last: &RowRange, next: &RowRange) -> bool {
    last.stop > next.start || (last.stop == next.start && (last.stop_inclusive || next.start_inclusive))
}

/// Sorts ranges by their start and joins those that touch.
pub(super) fn sort_and_merge(mut ranges: Vec<RowRange>) -> Result<Vec<RowRange>, FilterError> {
    if let Some(range) = ranges.iter().find(|range| !is_valid(range)) {
        return Err(FilterError::RangeBackwards { start: to_text(&range.start), stop: to_text(&range.stop) });
    }
    ranges.sort_by(|a, b| a.start.cmp(&b.start));
    let mut rest = ranges.into_iter();
    let last = rest.next().ok_or(FilterError::NoRanges)?;
    Ok(merge(last, rest.collect()))
}

/// Joins the sorted ranges of `rest` to `last` or puts them behind it.
fn merge(mut last: RowRange, rest: Vec<RowRange>) -> Vec<RowRange> {
    let mut merged = Vec::with_capacity(rest.len() + 1);
    let mut rest = rest.into_iter();
    while let Some(mut range) = rest.next() {
        if last.stop.is_empty() {
            break;
        }
        if touches(&last, &range) {
            if range.stop.is_empty() {
                extend(&mut last, range);
                break;
            }
            if last.stop >= range.stop {
                last.stop_inclusive |= last.stop == range.stop && range.stop_inclusive;
                continue;
            }
            extend(&mut last, range);
            match absorb(&mut last, &mut rest) {
                None => break,
                Some(next) => range = next,
            }
            if range.stop.is_empty() {
                if touches(&last, &range) {
                    extend(&mut last, range);
                    break;
                }
                merged.extend([last.clone(), range.clone()]);
            }
        }
        merged.push(std::mem::replace(&mut last, range));
    }
    merged.push(last);
    merged
}

/// Joins all that touch `last`; gives the first that does not or has an open stop. A range whose stop belongs to it
/// makes the stop of `last` belong to it, even if that lies behind: HBase's slip, and visible.
fn absorb(last: &mut RowRange, rest: &mut impl Iterator<Item = RowRange>) -> Option<RowRange> {
    for range in rest {
        if !touches(last, &range) || range.stop.is_empty() {
            return Some(range);
        }
        if last.stop >= range.stop {
            last.stop_inclusive |= range.stop_inclusive;
        } else {
            extend(last, range);
        }
    }
    None
}

fn extend(last: &mut RowRange, range: RowRange) {
    last.stop = range.stop;
    last.stop_inclusive = range.stop_inclusive;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: &str, start_inclusive: bool, stop: &str, stop_inclusive: bool) -> RowRange {
        let (start, stop) = (start.to_owned().into(), stop.to_owned().into());
        RowRange { start, start_inclusive, stop, stop_inclusive }
    }

    #[test]
    fn touching_ranges_become_one() {
        let ranges =
            vec![range("c", true, "d", true), range("a", true, "b", false), range("b", true, "c", false)];
        assert_eq!(sort_and_merge(ranges).unwrap(), [range("a", true, "d", true)]);
        let apart = vec![range("a", true, "b", false), range("b", false, "c", false)];
        assert_eq!(sort_and_merge(apart.clone()).unwrap(), apart);
    }

    #[test]
    fn an_open_stop_swallows_the_rest() {
        let ranges =
            vec![range("a", true, "c", false), range("b", true, "", false), range("x", true, "y", true)];
        assert_eq!(sort_and_merge(ranges).unwrap(), [range("a", true, "", false)]);
    }

    #[test]
    fn a_stop_inside_can_make_the_last_stop_belong() {
        let ranges =
            vec![range("a", true, "c", false), range("b", true, "f", false), range("c", true, "d", true)];
        assert_eq!(sort_and_merge(ranges).unwrap(), [range("a", true, "f", true)]);
    }

    #[test]
    fn ranges_without_rows_are_refused() {
        assert!(sort_and_merge(vec![range("b", true, "a", true)]).is_err());
        assert!(sort_and_merge(vec![range("a", true, "a", false)]).is_err());
        assert!(sort_and_merge(vec![range("a", false, "a", true)]).is_ok());
        assert_eq!(sort_and_merge(vec![]), Err(FilterError::NoRanges));
    }
}
