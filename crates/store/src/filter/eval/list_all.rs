//! A list in which all filters must pass (AND).

use tablesmith_model::Cell;

use super::rule::Rule;
use super::{Hint, ReturnCode};

/// Asks one filter after the other and stops at the first that leaves the cell out, so that those behind it do not
/// count a cell that nobody gets. Filters made for jumping are asked all the same; the farthest hint wins.
#[derive(Debug)]
pub(super) struct ListAll {
    members: Vec<Member>,
    reversed: bool,
}

#[derive(Debug)]
struct Member {
    rule: Box<dyn Rule>,
    /// It asked to jump after the last cell.
    wants_jump: bool,
}

impl ListAll {
    pub(super) fn new(rules: Vec<Box<dyn Rule>>, reversed: bool) -> Self {
        let members = rules.into_iter().map(|rule| Member { rule, wants_jump: false }).collect();
        Self { members, reversed }
    }
}

impl Rule for ListAll {
    fn reset(&mut self) {
        for member in &mut self.members {
            member.rule.reset();
            member.wants_jump = false;
        }
    }

    /// Every filter hears of the row, for some keep its key in mind. A filter made for jumping that lets the row pass
    /// overrules the others: it must see a cell to give its hint.
    fn row_key(&mut self, row: &[u8]) -> bool {
        let mut any_filtered = false;
        let mut any_hinting_passed = false;
        for Member { rule, .. } in &mut self.members {
            if rule.all_remaining() {
                return true;
            } else if rule.row_key(row) {
                any_filtered = true;
            } else if rule.is_hinting() {
                any_hinting_passed = true;
            }
        }
        any_filtered && !any_hinting_passed
    }

    fn all_remaining(&self) -> bool {
        self.members.iter().any(|member| member.rule.all_remaining())
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        let mut merged = ReturnCode::Include;
        let mut any_jump = false;
        for Member { rule, wants_jump } in &mut self.members {
            *wants_jump = false;
            if merged.is_include() {
                if rule.all_remaining() {
                    merged = ReturnCode::NextRow;
                    continue;
                }
                let code = rule.cell(cell);
                *wants_jump = code == ReturnCode::SeekHint;
                merged = merge(merged, code);
            } else if rule.is_hinting() {
                *wants_jump = rule.cell(cell) == ReturnCode::SeekHint;
            }
            any_jump |= *wants_jump;
        }
        if any_jump { ReturnCode::SeekHint } else { merged }
    }

    fn transform(&mut self, cell: Cell) -> Cell {
        self.members.iter_mut().fold(cell, |cell, member| member.rule.transform(cell))
    }

    fn has_filter_row(&self) -> bool {
        self.members.iter().any(|member| member.rule.has_filter_row())
    }

    fn row_cells(&mut self, cells: &mut Vec<Cell>) {
        for member in &mut self.members {
            member.rule.row_cells(cells);
        }
    }

    /// Stops at the first that leaves the row out: a `PageFilter` behind it does not count the row.
    fn filter_row(&mut self) -> bool {
        self.members.iter_mut().any(|member| member.rule.filter_row())
    }

    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        let mut farthest: Option<Hint> = None;
        for Member { rule, wants_jump } in &mut self.members {
            if !*wants_jump || rule.all_remaining() {
                continue;
            }
            let Some(hint) = rule.hint(cell) else { continue };
            let is_farther = farthest.as_ref().is_none_or(|farthest| {
                let order = farthest.cmp_hint(&hint);
                if self.reversed { order.is_gt() } else { order.is_lt() }
            });
            if is_farther {
                farthest = Some(hint);
            }
        }
        farthest
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.members.is_empty() || self.members.iter().any(|member| member.rule.is_family_essential(family))
    }
}

/// The cell passes if it passes both; the reader moves the longer of both ways.
fn merge(merged: ReturnCode, code: ReturnCode) -> ReturnCode {
    match code {
        ReturnCode::SeekHint => ReturnCode::SeekHint,
        _ => ReturnCode::of(merged.is_include() && code.is_include(), merged.step().max(code.step())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::eval::FilterRun;
    use crate::filter::testing::reader::{codes, columns, rows, rows_of};
    use crate::filter::{Comparator, CompareOp, Filter, ListOp};

    fn all(filters: Vec<Filter>) -> Filter {
        Filter::List(ListOp::All, filters)
    }

    #[test]
    fn the_longer_way_and_no_if_one_says_no() {
        use ReturnCode::{IncludeAndNextColumn, NextColumn};
        let not_b = Filter::Qualifier(CompareOp::NotEqual, Comparator::Binary("b".into()));
        let filter = all(vec![Filter::ColumnCountGet(9), not_b]);
        assert_eq!(codes(&filter, &columns(["a", "b"])), [IncludeAndNextColumn, NextColumn]);
    }

    #[test]
    fn filters_behind_a_no_do_not_count() {
        let not_a = Filter::Qualifier(CompareOp::NotEqual, Comparator::Binary("a".into()));
        let filter = all(vec![not_a, Filter::ColumnPagination { limit: 1, offset: 0 }]);
        use ReturnCode::{IncludeAndNextColumn, NextRow, Skip};
        assert_eq!(codes(&filter, &columns(["a", "b", "c"])), [Skip, IncludeAndNextColumn, NextRow]);
    }

    #[test]
    fn the_farthest_hint_wins() {
        let filter = all(vec![Filter::ColumnPrefix("c".into()), Filter::ColumnPrefix("e".into())]);
        let mut run = FilterRun::new(&filter, false).unwrap();
        let cell = columns(["a"]).remove(0);
        assert_eq!(run.cell(&cell), ReturnCode::SeekHint);
        assert_eq!(run.next_hint(&cell), Some(Hint::column_of(&cell, "e".into())));
    }

    #[test]
    fn a_jumping_filter_that_passes_keeps_the_row() {
        let not_a = Filter::Row(CompareOp::NotEqual, Comparator::Binary("a".into()));
        let mut run = FilterRun::new(&all(vec![not_a, Filter::ColumnPrefix("q".into())]), false).unwrap();
        assert!(!run.filter_row_key(b"a"));
        assert_eq!(run.cell(&Cell::put("a", "f", "q", 1, "")), ReturnCode::NextRow);
        assert!(run.filter_row());
    }

    #[test]
    fn a_list_of_none_lets_everything_pass() {
        assert_eq!(rows(&all(vec![]), &rows_of(["a"]), false), ["a"]);
        let run = FilterRun::new(&all(vec![]), false).unwrap();
        assert!(run.is_family_essential(b"f") && !run.all_remaining() && !run.has_filter_row());
    }
}
