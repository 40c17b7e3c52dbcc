//! Reading the rows of one region, all families together, under one filter.

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_store::StoreError;
use tablesmith_store::filter::eval::FilterRun;

use super::family_walk::FamilyWalk;

/// A reader's place in a region.
#[derive(Debug)]
pub(super) struct RegionScan {
    /// The families that the filter needs to decide on a row, in order of their names.
    essential: Vec<FamilyWalk>,
    /// The other ones: they are read only in rows that pass.
    joined: Vec<FamilyWalk>,
    filter: Option<FilterRun>,
    reversed: bool,
    /// At most so many cells in one result.
    batch: Option<usize>,
}

/// A row, or a part of it.
#[derive(Debug)]
pub(super) struct Piece {
    /// The cells; none when the region is at its end.
    pub(super) cells: Vec<Cell>,
    /// Whether the region may have more to read.
    pub(super) has_more: bool,
}

impl Piece {
    fn end() -> Self {
        Self { cells: Vec::new(), has_more: false }
    }
}

impl RegionScan {
    /// Begins to read; each walk comes with the name of its family.
    pub(super) fn new(
        walks: Vec<(Bytes, FamilyWalk)>,
        filter: Option<FilterRun>,
        reversed: bool,
        batch: Option<u32>,
    ) -> Result<Self, StoreError> {
        let is_essential =
            |family: &Bytes| filter.as_ref().is_none_or(|filter| filter.is_family_essential(family));
        let (essential, joined): (Vec<_>, Vec<_>) =
            walks.into_iter().partition(|(family, _)| is_essential(family));
        if reversed && !joined.is_empty() {
            return Err(StoreError::DoNotRetry(
                "a reversed scan cannot leave families unread until the filter has decided on a row: name only \
                 the families that the filter needs"
                    .to_owned(),
            ));
        }
        let walks_of = |named: Vec<(Bytes, FamilyWalk)>| named.into_iter().map(|(_, walk)| walk).collect();
        let batch =
            batch.filter(|&cells| cells > 0).map(|cells| usize::try_from(cells).unwrap_or(usize::MAX));
        Ok(Self { essential: walks_of(essential), joined: walks_of(joined), filter, reversed, batch })
    }

    /// The next row that has something to show, or the next part of the row that is being read.
    pub(super) fn next_piece(&mut self) -> Piece {
        let (mut piece, is_within_row) = self.find_piece();
        if !is_within_row {
            self.reset_filter();
        }
        piece.has_more &= !self.is_filter_done();
        piece
    }

    /// Whether the filter lets nothing more pass.
    pub(super) fn is_filter_done(&self) -> bool {
        self.filter.as_ref().is_some_and(FilterRun::all_remaining)
    }

    /// Cells looked at so far, and their bytes.
    pub(super) fn seen(&self) -> (u64, u64) {
        let walks = self.essential.iter().chain(&self.joined);
        walks.fold((0, 0), |(cells, bytes), walk| (cells + walk.cells_seen, bytes + walk.bytes_seen))
    }

    /// The next piece, and whether its row goes on after it.
    fn find_piece(&mut self) -> (Piece, bool) {
        while let Some(row) = self.current_row() {
            if self.filter.as_mut().is_some_and(|filter| filter.filter_row_key(&row)) {
                if self.is_filter_done() {
                    return (Piece::end(), false);
                }
                self.skip_row(&row);
                continue;
            }
            let mut cells = Vec::new();
            read(&mut self.essential, &row, &mut self.filter, self.batch, &mut cells);
            if self.batch.is_some_and(|batch| cells.len() >= batch) {
                let is_within_row = self.essential.iter().any(|walk| walk.is_at(&row));
                return (Piece { cells, has_more: true }, is_within_row);
            }
            let is_left_out =
                self.filter.as_mut().map_or(cells.is_empty(), |filter| filter.finish_row(&mut cells));
            if !is_left_out {
                self.join(&row, &mut cells);
            }
            if !cells.is_empty() {
                return (Piece { cells, has_more: self.current_row().is_some() }, false);
            }
            self.skip_row(&row);
        }
        (Piece::end(), false)
    }

    /// The row that comes next in any of the essential families.
    fn current_row(&self) -> Option<Bytes> {
        let rows = self.essential.iter().filter_map(FamilyWalk::next_row);
        if self.reversed { rows.max() } else { rows.min() }.cloned()
    }

    /// Adds what the other families have in a row that passed.
    fn join(&mut self, row: &Bytes, cells: &mut Vec<Cell>) {
        for walk in &mut self.joined {
            walk.skip_to(row);
        }
        read(&mut self.joined, row, &mut self.filter, None, cells);
        cells.sort_by(Cell::key_cmp);
    }

    /// Leaves a row. Forwards the filter still gets to see the row's cells, which may change its mind about the
    /// rest; backwards it does not.
    fn skip_row(&mut self, row: &Bytes) {
        if self.reversed {
            self.essential.iter_mut().for_each(|walk| walk.leave_row(row));
        } else {
            read(&mut self.essential, row, &mut self.filter, None, &mut Vec::new());
        }
        self.reset_filter();
    }

    fn reset_filter(&mut self) {
        if let Some(filter) = &mut self.filter {
            filter.reset();
        }
    }
}

/// Reads a row of several families, in order of their names, until there are enough cells.
fn read(
    walks: &mut [FamilyWalk],
    row: &Bytes,
    filter: &mut Option<FilterRun>,
    batch: Option<usize>,
    cells: &mut Vec<Cell>,
) {
    for walk in walks.iter_mut().filter(|walk| walk.is_at(row)) {
        walk.read_row(filter, batch, cells);
        if batch.is_some_and(|batch| cells.len() >= batch) {
            return;
        }
    }
}
