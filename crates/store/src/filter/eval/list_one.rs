//! A list in which one filter must pass (OR).

use tablesmith_model::Cell;

use super::rule::Rule;
use super::{Hint, ReturnCode};

/// Asks every filter and moves the shortest way that any of them wants. So a filter may be shown cells that it
/// wanted to jump over; these are kept from it, for it may count what it sees.
#[derive(Debug)]
pub(super) struct ListOne {
    members: Vec<Member>,
    reversed: bool,
}

#[derive(Debug)]
struct Member {
    rule: Box<dyn Rule>,
    /// It takes the cell that was looked at last.
    includes: bool,
    /// The cell it wanted to move away from, and how.
    leaving: Option<(Cell, ReturnCode)>,
}

impl ListOne {
    pub(super) fn new(rules: Vec<Box<dyn Rule>>, reversed: bool) -> Self {
        let members = rules.into_iter().map(|rule| Member { rule, includes: false, leaving: None }).collect();
        Self { members, reversed }
    }
}

impl Member {
    fn cell(&mut self, cell: &Cell, reversed: bool) -> ReturnCode {
        let code = self.still_leaving(cell, reversed).unwrap_or_else(|| self.rule.cell(cell));
        self.leaving = match code {
            ReturnCode::Include | ReturnCode::Skip => None,
            _ => Some((cell.clone(), code)),
        };
        self.includes = code.is_include();
        code
    }

    /// The code for a cell that lies in what the filter wanted to leave; `None` if it lies behind that.
    fn still_leaving(&mut self, cell: &Cell, reversed: bool) -> Option<ReturnCode> {
        let (left, code) = self.leaving.as_ref()?;
        match code {
            ReturnCode::Include | ReturnCode::Skip => None,
            ReturnCode::SeekHint => {
                let order = self.rule.hint(left)?.cmp_cell(cell);
                let is_before_hint = if reversed { order.is_lt() } else { order.is_gt() };
                is_before_hint.then_some(ReturnCode::SeekHint)
            }
            ReturnCode::NextColumn | ReturnCode::IncludeAndNextColumn => {
                let same_column = left.family == cell.family && left.qualifier == cell.qualifier;
                same_column.then_some(ReturnCode::NextColumn)
            }
            ReturnCode::NextRow | ReturnCode::IncludeAndNextRow => {
                (left.family == cell.family).then_some(ReturnCode::NextRow)
            }
        }
    }
}

impl Rule for ListOne {
    fn reset(&mut self) {
        for member in &mut self.members {
            member.rule.reset();
            member.includes = false;
            member.leaving = None;
        }
    }

    /// Every filter hears of the row, for some keep its key in mind.
    fn row_key(&mut self, row: &[u8]) -> bool {
        let mut any_passed = self.members.is_empty();
        for Member { rule, .. } in &mut self.members {
            any_passed |= !rule.all_remaining() && !rule.row_key(row);
        }
        !any_passed
    }

    fn all_remaining(&self) -> bool {
        !self.members.is_empty() && self.members.iter().all(|member| member.rule.all_remaining())
    }

    fn cell(&mut self, cell: &Cell) -> ReturnCode {
        if self.members.is_empty() {
            return ReturnCode::Include;
        }
        let mut merged = None;
        for member in &mut self.members {
            member.includes = false;
            if member.rule.all_remaining() {
                continue;
            }
            let code = member.cell(cell, self.reversed);
            merged = Some(merged.map_or(code, |merged| merge(merged, code)));
        }
        merged.unwrap_or(ReturnCode::Skip)
    }

    /// Only filters that take the cell may change it.
    fn transform(&mut self, cell: Cell) -> Cell {
        let taking = self.members.iter_mut().filter(|member| member.includes);
        taking.fold(cell, |cell, member| member.rule.transform(cell))
    }

    fn has_filter_row(&self) -> bool {
        self.members.iter().any(|member| member.rule.has_filter_row())
    }

    fn row_cells(&mut self, cells: &mut Vec<Cell>) {
        for member in &mut self.members {
            member.rule.row_cells(cells);
        }
    }

    /// Stops at the first that lets the row pass: a `PageFilter` behind it does not count the row.
    fn filter_row(&mut self) -> bool {
        !self.members.is_empty() && self.members.iter_mut().all(|member| member.rule.filter_row())
    }

    /// The nearest hint; none as soon as one filter has none.
    fn hint(&mut self, cell: &Cell) -> Option<Hint> {
        let mut nearest: Option<Hint> = None;
        for Member { rule, .. } in &mut self.members {
            if rule.all_remaining() {
                continue;
            }
            let hint = rule.hint(cell)?;
            let is_nearer = nearest.as_ref().is_none_or(|nearest| {
                let order = nearest.cmp_hint(&hint);
                if self.reversed { order.is_lt() } else { order.is_gt() }
            });
            if is_nearer {
                nearest = Some(hint);
            }
        }
        nearest
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.members.is_empty() || self.members.iter().any(|member| member.rule.is_family_essential(family))
    }
}

/// The cell passes if it passes either; the reader moves the shorter of both ways, and by a hint only if both do.
fn merge(merged: ReturnCode, code: ReturnCode) -> ReturnCode {
    match (merged, code) {
        (ReturnCode::SeekHint, ReturnCode::SeekHint) => ReturnCode::SeekHint,
        _ => ReturnCode::of(merged.is_include() || code.is_include(), merged.step().min(code.step())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::eval::FilterRun;
    use crate::filter::testing::reader::{codes, columns, rows, rows_of, scan};
    use crate::filter::{Comparator, CompareOp, Filter, ListOp};

    fn one(filters: Vec<Filter>) -> Filter {
        Filter::List(ListOp::One, filters)
    }

    #[test]
    fn the_shorter_way_and_yes_if_one_says_yes() {
        use ReturnCode::{Include, IncludeAndNextColumn, Skip};
        let b = Filter::Qualifier(CompareOp::Equal, Comparator::Binary("b".into()));
        let filter = one(vec![Filter::ColumnPrefix("c".into()), b]);
        assert_eq!(codes(&filter, &columns(["a", "b", "c"])), [Skip, Include, Include]);
        let counts = one(vec![Filter::ColumnCountGet(9), Filter::ColumnPagination { limit: 9, offset: 0 }]);
        assert_eq!(codes(&counts, &columns(["a"])), [IncludeAndNextColumn]);
    }

    #[test]
    fn a_filter_does_not_see_what_it_wanted_to_jump_over() {
        // The first wants the next column after each cell; the second wants every version. Shown to the first, the
        // second version would be counted as another column.
        let filter = one(vec![
            Filter::ColumnPagination { limit: 1, offset: 1 },
            Filter::Value(CompareOp::Equal, Comparator::Binary("none".into())),
        ]);
        let cells = [("a", 2), ("a", 1), ("b", 1)].map(|(q, t)| Cell::put("r", "f", q, t, ""));
        use ReturnCode::{Include, Skip};
        assert_eq!(codes(&filter, &cells), [Skip, Skip, Include]);
    }

    #[test]
    fn the_nearest_hint_wins_and_only_if_all_have_one() {
        let filter = one(vec![Filter::ColumnPrefix("c".into()), Filter::ColumnPrefix("e".into())]);
        let mut run = FilterRun::new(&filter, false).unwrap();
        let cells = columns(["a", "c", "d", "e"]);
        assert_eq!(run.cell(&cells[0]), ReturnCode::SeekHint);
        assert_eq!(run.next_hint(&cells[0]), Some(Hint::column_of(&cells[0], "c".into())));
        assert_eq!(
            [1, 2, 3].map(|at| run.cell(&cells[at])),
            [ReturnCode::Include, ReturnCode::Skip, ReturnCode::Include]
        );
    }

    #[test]
    fn only_who_takes_a_cell_changes_it() {
        let key_only = Filter::List(
            ListOp::All,
            vec![Filter::ColumnPrefix("a".into()), Filter::KeyOnly { length_as_value: false }],
        );
        let filter = one(vec![key_only, Filter::ColumnPrefix("b".into())]);
        let cells = ["a", "b"].map(|q| Cell::put("r", "f", q, 1, "v"));
        let values: Vec<_> = scan(&filter, &cells, false).into_iter().map(|cell| cell.value).collect();
        assert_eq!(values, ["", "v"]);
    }

    #[test]
    fn a_list_of_none_lets_everything_pass() {
        assert_eq!(rows(&one(vec![]), &rows_of(["a"]), false), ["a"]);
    }
}
