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
