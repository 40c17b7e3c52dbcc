//! Running a filter over the rows of one region, cell by cell, as HBase does.
//!
//! A reader calls a [`FilterRun`] in this order:
//!
//! 1. for each row [`FilterRun::reset`], then [`FilterRun::filter_row_key`]: `true` leaves the row out unseen;
//! 2. for each cell, in key order, [`FilterRun::cell`]; then [`FilterRun::transform`] if the cell is taken, or
//!    [`FilterRun::next_hint`] if the answer is [`ReturnCode::SeekHint`];
//! 3. at the end of the row [`FilterRun::finish_row`];
//! 4. whenever it likes, [`FilterRun::all_remaining`]: `true` ends the scan of this region.
//!
//! One filter, one file; `rule` has what they share and the registry.

mod column_count_get;
mod column_pagination;
mod column_prefix;
mod column_range;
mod column_value;
mod comparator;
mod dependent_column;
mod error;
mod family;
mod first_key_only;
mod fuzzy_pattern;
mod fuzzy_row;
mod hint;
mod inclusive_stop;
mod key_only;
mod list_all;
mod list_one;
mod multi_row_range;
mod multiple_column_prefix;
mod page;
mod pattern;
mod prefix;
mod qualifier;
mod random_row;
mod return_code;
mod row;
mod row_ranges;
mod rule;
mod single_column_value;
mod single_column_value_exclude;
mod skip;
#[cfg(test)]
mod tests;
mod timestamps;
mod value;
mod while_match;

use tablesmith_model::Cell;

pub use comparator::{CompiledComparator, check, compare};
pub use error::FilterError;
pub use hint::Hint;
pub use return_code::ReturnCode;
pub(in crate::filter) use rule::MAX_DEPTH;
use rule::Rule;

use super::Filter;

/// The state of one filter over one region's scan.
#[derive(Debug)]
pub struct FilterRun(Box<dyn Rule>);

impl FilterRun {
    /// Prepares a filter; refuses arguments that HBase refuses.
    pub fn new(filter: &Filter, reversed: bool) -> Result<Self, FilterError> {
        rule::compile(filter, reversed).map(Self)
    }

    /// Forgets what it knows of the row before. To be called before each row.
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// Whether the row is left out because of its key, or because nothing more can pass.
    pub fn filter_row_key(&mut self, row: &[u8]) -> bool {
        self.0.all_remaining() || self.0.row_key(row)
    }

    /// Whether nothing more can pass in this region.
    pub fn all_remaining(&self) -> bool {
        self.0.all_remaining()
    }

    /// What to do with a cell.
    pub fn cell(&mut self, cell: &Cell) -> ReturnCode {
        self.0.cell(cell)
    }

    /// What becomes of a cell that was taken; to be called right after [`Self::cell`].
    pub fn transform(&mut self, cell: Cell) -> Cell {
        self.0.transform(cell)
    }

    /// Whether the filter needs whole rows, so that a row cannot come in pieces.
    pub fn has_filter_row(&self) -> bool {
        self.0.has_filter_row()
    }

    /// Lets the filter remove cells of a row once all are known. [`Self::finish_row`] calls this.
    pub fn row_cells(&mut self, cells: &mut Vec<Cell>) {
        self.0.row_cells(cells);
    }

    /// Whether the row is left out after all. [`Self::finish_row`] calls this, and not always: a filter may count.
    pub fn filter_row(&mut self) -> bool {
        self.0.filter_row()
    }

    /// Ends a row: removes the cells that the filter wants removed, and all of them if it leaves the row out.
    ///
    /// `cells` are those taken from the families that are essential to the filter. `true` means that the row is left
    /// out. `false` with no cells left means that the filter has nothing against the row: cells of families that are
    /// not essential may still join it.
    pub fn finish_row(&mut self, cells: &mut Vec<Cell>) -> bool {
        let was_empty = cells.is_empty();
        let needs_row = self.has_filter_row();
        if needs_row {
            self.row_cells(cells);
        }
        // The filter is asked about a row with cells only: one that counts rows counts these. If it needs whole rows
        // what counts are the cells it has left.
        let has_cells = if needs_row { !cells.is_empty() } else { !was_empty };
        let is_left_out = (has_cells && self.filter_row()) || was_empty;
        if is_left_out {
            cells.clear();
        }
        is_left_out
    }

    /// Where to go on after [`ReturnCode::SeekHint`]; `None`: at the next cell.
    pub fn next_hint(&mut self, cell: &Cell) -> Option<Hint> {
        self.0.hint(cell)
    }

    /// Whether the filter must see cells of this family to decide on a row.
    pub fn is_family_essential(&self, family: &[u8]) -> bool {
        self.0.is_family_essential(family)
    }
}
