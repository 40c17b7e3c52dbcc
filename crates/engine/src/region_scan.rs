//! Reads one region row by row: brings its families together and lets the filter decide on whole rows.

use bytes::Bytes;
use fjall::Snapshot;
use tablesmith_model::{Cell, Timestamp};
use tablesmith_store::filter::eval::FilterRun;
use tablesmith_store::{ReadOptions, StoreError};

use crate::cursor::{Counted, KeyRange};
use crate::family_scan::{FamilyScan, Room};
use crate::output::{Output, RowOutput};
use crate::region::Region;
use crate::stored::is_same_row;

/// A scan of one region, at one moment.
#[derive(Debug)]
pub(crate) struct RegionScan {
    /// Families that decide which rows there are, sorted by name.
    families: Vec<FamilyScan>,
    /// Families that the filter does not need: read only for rows that it lets pass.
    joined: Vec<FamilyScan>,
    /// A row that is not yet read to its end in the joined families.
    joined_row: Option<Bytes>,
    filter: Option<FilterRun>,
    reversed: bool,
    batch: Option<u32>,
}

/// What one call gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next {
    /// There may be more rows, or more of this one.
    pub more: bool,
    /// The row may have more cells.
    pub row_goes_on: bool,
}

/// What is read of a region.
#[derive(Clone, Debug)]
pub(crate) struct RegionRead<'a> {
    pub range: KeyRange,
    pub read: &'a ReadOptions,
    pub reversed: bool,
    pub raw: bool,
    pub batch: Option<u32>,
    pub now_ms: Timestamp,
}

impl RegionScan {
    pub fn new(region: &Region, snapshot: &Snapshot, what: &RegionRead<'_>) -> Result<Self, StoreError> {
        let filter =
            what.read.filter.as_ref().map(|filter| FilterRun::new(filter, what.reversed)).transpose()?;
        let (mut families, mut joined) = (Vec::new(), Vec::new());
        for store in &region.families {
            let name = &store.descriptor.name;
            if what.read.columns.of_family(name).is_none() {
                continue;
            }
            let range = what.range.clone();
            let scan =
                FamilyScan::new(store, snapshot, range, what.read, (what.reversed, what.raw), what.now_ms)?;
            let essential = filter.as_ref().is_none_or(|filter| filter.is_family_essential(name));
            if essential { families.push(scan) } else { joined.push(scan) }
        }
        if what.reversed && !joined.is_empty() {
            return Err(StoreError::DoNotRetry(
                "a reversed scan cannot read families that its filter does not need: name the filter's family only"
                    .to_owned(),
            ));
        }
        Ok(Self { families, joined, joined_row: None, filter, reversed: what.reversed, batch: what.batch })
    }

    pub fn is_filter_done(&self) -> bool {
        self.filter.as_ref().is_some_and(FilterRun::all_remaining)
    }

    pub fn counted(&self) -> Counted {
        let mut sum = Counted::default();
        for counted in self.families.iter().chain(&self.joined).map(FamilyScan::counted) {
            sum.cells += counted.cells;
            sum.bytes += counted.bytes;
            sum.seeks += counted.seeks;
        }
        sum
    }

    /// Reads the next row, or with a batch the next part of one, into `out`, which is empty.
    pub fn next(&mut self, out: &mut Vec<Cell>) -> Result<Next, StoreError> {
        let mut next = self.next_visible(out)?;
        if !next.row_goes_on {
            self.reset_filter();
        }
        next.more &= !self.is_filter_done();
        Ok(next)
    }

    fn next_visible(&mut self, out: &mut Vec<Cell>) -> Result<Next, StoreError> {
        const END: Next = Next { more: false, row_goes_on: false };
        loop {
            let mut room = Room::cells(self.batch);
            if let Some(row) = self.joined_row.clone() {
                return self.read_joined(&row, out, &mut room);
            }
            let has_filter_row = self.filter.as_ref().is_some_and(FilterRun::has_filter_row);
            let Some((_, row)) = front(&mut self.families, self.reversed)? else {
                if let Some(filter) = self.filter.as_mut().filter(|_| has_filter_row) {
                    filter.row_cells(out);
                }
                return Ok(END);
            };
            let row = row.clone();
            if self.filter.as_mut().is_some_and(|filter| filter.filter_row_key(&row)) {
                if self.is_filter_done() {
                    return Ok(END);
                }
                self.skip_row(&row)?;
                out.clear();
                continue;
            }
            let row_goes_on = self.read_row(&row, out, &mut room)?;
            if row_goes_on || room.is_used_up() {
                return Ok(Next { more: true, row_goes_on });
            }
            if self.leaves_out_row(has_filter_row, out) {
                out.clear();
                self.skip_row(&row)?;
                continue;
            }
            if !self.joined.is_empty() && self.joined_has(&row)? {
                return self.read_joined(&row, out, &mut room);
            }
            if !out.is_empty() {
                return Ok(Next {
                    more: front(&mut self.families, self.reversed)?.is_some(),
                    row_goes_on: false,
                });
            }
            self.skip_row(&row)?;
        }
    }

    /// Takes the row's cells of all families; true when the result is full and the row may go on.
    fn read_row(&mut self, row: &Bytes, out: &mut Vec<Cell>, room: &mut Room) -> Result<bool, StoreError> {
        read_row(&mut self.families, self.reversed, self.filter.as_mut(), row, out, room)
    }

    fn read_joined(&mut self, row: &Bytes, out: &mut Vec<Cell>, room: &mut Room) -> Result<Next, StoreError> {
        let row_goes_on = read_row(&mut self.joined, self.reversed, self.filter.as_mut(), row, out, room)?;
        out.sort_by(Cell::key_cmp);
        self.joined_row = row_goes_on.then(|| row.clone());
        let more = row_goes_on || front(&mut self.families, self.reversed)?.is_some();
        Ok(Next { more, row_goes_on })
    }

    fn joined_has(&mut self, row: &Bytes) -> Result<bool, StoreError> {
        let mut found = false;
        for family in &mut self.joined {
            family.seek_row(row)?;
            found |= family.peek_row()? == Some(row);
        }
        Ok(found)
    }

    /// Whether nothing of the row is left once the filter has seen all of it.
    fn leaves_out_row(&mut self, has_filter_row: bool, out: &mut Vec<Cell>) -> bool {
        let was_empty = out.is_empty();
        let Some(filter) = &mut self.filter else { return was_empty };
        if !has_filter_row {
            return was_empty || filter.filter_row();
        }
        filter.row_cells(out);
        was_empty || (!out.is_empty() && filter.filter_row())
    }

    /// Goes on to the next row. Forwards the filter still sees the cells that are passed over, as in HBase.
    fn skip_row(&mut self, row: &Bytes) -> Result<(), StoreError> {
        let mut passed = Vec::new();
        for family in &mut self.families {
            while family.peek_row()? == Some(row) {
                if self.reversed {
                    family.drop_row()?;
                } else {
                    family.next(&mut passed, self.filter.as_mut(), &mut Room::cells(None))?;
                    passed.clear();
                }
            }
        }
        self.reset_filter();
        Ok(())
    }

    /// Hands the cells of the next row to `out` where they lie; false when there are no more rows. Only for scans without a
    /// filter, which may want to look at a row as a whole.
    pub fn pass_row(&mut self, out: &mut impl RowOutput) -> Result<bool, StoreError> {
        let Some((_, row)) = front(&mut self.families, self.reversed)? else { return Ok(false) };
        let row = row.clone();
        if out.begin_row(&row) {
            self.pass_cells(&row, out)?;
        } else {
            for family in &mut self.families {
                if family.peek_row()? == Some(&row) {
                    family.drop_row()?;
                }
            }
        }
        Ok(true)
    }

    fn pass_cells(&mut self, row: &Bytes, out: &mut impl Output) -> Result<(), StoreError> {
        read_row(&mut self.families, self.reversed, None, row, out, &mut Room::cells(None))?;
        Ok(())
    }

    fn reset_filter(&mut self) {
        if let Some(filter) = &mut self.filter {
            filter.reset();
        }
    }
}

fn read_row(
    families: &mut [FamilyScan],
    reversed: bool,
    mut filter: Option<&mut FilterRun>,
    row: &Bytes,
    out: &mut impl Output,
    room: &mut Room,
) -> Result<bool, StoreError> {
    while let Some((at, front_row)) = front(families, reversed)?
        && is_same_row(front_row, row)
        && let Some(family) = families.get_mut(at)
    {
        family.next(out, filter.as_deref_mut(), room)?;
        if room.is_used_up() {
            return Ok(front(families, reversed)?.is_some_and(|(_, front_row)| front_row == row));
        }
    }
    Ok(false)
}

/// The family that comes next, and its row.
fn front(families: &mut [FamilyScan], reversed: bool) -> Result<Option<(usize, &Bytes)>, StoreError> {
    for family in families.iter_mut() {
        family.peek_row()?;
    }
    let mut first: Option<(usize, &Bytes)> = None;
    for (at, family) in families.iter().enumerate() {
        let Some(row) = family.row() else { continue };
        let comes_first = match first {
            None => true,
            Some((_, have)) if reversed => row > have,
            Some((_, have)) => row < have,
        };
        if comes_first {
            first = Some((at, row));
        }
    }
    Ok(first)
}
