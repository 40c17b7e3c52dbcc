//! Turns a mutation of a row into the cells that it stores. A decider: it reads, but writes nothing.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use bytes::Bytes;
use fjall::{Database, Snapshot};
use tablesmith_model::cell::LATEST_TIMESTAMP;
use tablesmith_model::{Cell, CellType, TimeRange, Timestamp};
use tablesmith_store::{
    Append, Columns, Delete, DeleteTarget, Increment, Mutation, Put, ReadOptions, StoreError,
};

use crate::cursor::Cursor;
use crate::cursor::KeyRange;
use crate::family::FamilyStore;
use crate::key;
use crate::read::row_cells;
use crate::region::Region;
use crate::table::TableState;

/// A cell to store, with its own time to live. It borrows what it can from its mutation.
#[derive(Clone, Debug)]
pub(crate) struct NewCell<'m> {
    pub family: &'m Bytes,
    pub qualifier: &'m [u8],
    pub timestamp: Timestamp,
    pub kind: CellType,
    pub value: Cow<'m, [u8]>,
    pub ttl_ms: Option<i64>,
}

impl NewCell<'_> {
    /// The cell as it will be read.
    fn to_cell(&self, row: &Bytes) -> Cell {
        Cell {
            row: row.clone(),
            family: self.family.clone(),
            qualifier: Bytes::copy_from_slice(self.qualifier),
            timestamp: self.timestamp,
            kind: self.kind,
            value: Bytes::copy_from_slice(&self.value),
        }
    }
}

/// The cells that mutations of a row store, and what they answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared<'m> {
    pub cells: Vec<NewCell<'m>>,
    /// New values of increments and appends.
    pub results: Vec<Cell>,
}

/// What a mutation is prepared against.
pub(crate) struct Preparing<'a> {
    pub state: &'a TableState,
    pub region: &'a Region,
    pub snapshot: LazySnapshot<'a>,
    pub now_ms: Timestamp,
    /// Puts that leave the time to the store get this one.
    pub put_ms: Timestamp,
}

/// A snapshot that is only taken when something is read: most puts read nothing.
pub(crate) struct LazySnapshot<'a> {
    db: &'a Database,
    taken: OnceCell<Snapshot>,
}

impl<'a> LazySnapshot<'a> {
    pub fn of(db: &'a Database) -> Self {
        Self { db, taken: OnceCell::new() }
    }

    fn get(&self) -> &Snapshot {
        self.taken.get_or_init(|| self.db.snapshot())
    }
}

/// All families that a mutation names must be there.
pub(crate) fn check_families(state: &TableState, mutation: &Mutation) -> Result<(), StoreError> {
    let nameless = || "a column needs a family: write it as family:qualifier".to_owned();
    // HBase notices a missing name at different places, and so with different exceptions.
    let check = |family: &Bytes| match mutation {
        Mutation::Put(_) | Mutation::Increment(_) if family.is_empty() => {
            Err(StoreError::Refused(nameless()))
        }
        Mutation::Append(_) if family.is_empty() => Err(StoreError::IllegalArgument(nameless())),
        _ => state.family(family).map(|_| ()),
    };
    match mutation {
        Mutation::Put(put) => put.cells.iter().try_for_each(|(family, ..)| check(family)),
        Mutation::Delete(delete) => delete.targets.iter().try_for_each(|target| check(target.family())),
        Mutation::Increment(increment) => increment.amounts.iter().try_for_each(|(family, ..)| check(family)),
        Mutation::Append(append) => append.values.iter().try_for_each(|(family, ..)| check(family)),
    }
}

impl Preparing<'_> {
    /// Adds the cells of a mutation whose families are there.
    pub fn prepare<'m>(
        &'m self,
        mutation: &'m Mutation,
        prepared: &mut Prepared<'m>,
    ) -> Result<(), StoreError> {
        match mutation {
            Mutation::Put(put) => self.put(put, prepared),
            Mutation::Delete(delete) => self.delete(delete, prepared),
            Mutation::Increment(increment) => self.increment(increment, prepared),
            Mutation::Append(append) => self.append(append, prepared),
        }
    }

    fn put<'m>(&self, put: &'m Put, prepared: &mut Prepared<'m>) -> Result<(), StoreError> {
        prepared.cells.reserve(put.cells.len());
        for (family, qualifier, timestamp, value) in &put.cells {
            prepared.cells.push(NewCell {
                family,
                qualifier,
                timestamp: or_now(*timestamp, self.put_ms),
                kind: CellType::Put,
                value: Cow::Borrowed(value),
                ttl_ms: put.ttl_ms,
            });
        }
        Ok(())
    }

    fn delete<'m>(&'m self, delete: &'m Delete, prepared: &mut Prepared<'m>) -> Result<(), StoreError> {
        let marker = |family, qualifier, timestamp, kind| NewCell {
            family,
            qualifier,
            timestamp,
            kind,
            value: Cow::Borrowed(&[]),
            ttl_ms: None,
        };
        if delete.targets.is_empty() {
            let timestamp = or_now(delete.timestamp, self.now_ms);
            let families = self.state.descriptor.families.iter();
            prepared
                .cells
                .extend(families.map(|family| marker(&family.name, &[], timestamp, CellType::DeleteFamily)));
        }
        // The nth "newest version" of a column in one delete means the nth newest there is.
        let mut asked: BTreeMap<(&Bytes, &Bytes), u32> = BTreeMap::new();
        for target in &delete.targets {
            let (qualifier, timestamp, kind): (&[u8], _, _) = match target {
                DeleteTarget::Family(_, timestamp) => {
                    (&[], or_now(*timestamp, self.now_ms), CellType::DeleteFamily)
                }
                DeleteTarget::FamilyVersion(_, timestamp) => {
                    (&[], or_now(Some(*timestamp), self.now_ms), CellType::DeleteFamilyVersion)
                }
                DeleteTarget::Column(_, qualifier, timestamp) => {
                    (qualifier, or_now(*timestamp, self.now_ms), CellType::DeleteColumn)
                }
                DeleteTarget::Version(family, qualifier, None | Some(LATEST_TIMESTAMP)) => {
                    let nth = asked.entry((family, qualifier)).or_default();
                    *nth += 1;
                    (qualifier, self.nth_newest(&delete.row, family, qualifier, *nth)?, CellType::Delete)
                }
                DeleteTarget::Version(_, qualifier, Some(timestamp)) => {
                    (qualifier, *timestamp, CellType::Delete)
                }
            };
            prepared.cells.push(marker(target.family(), qualifier, timestamp, kind));
        }
        Ok(())
    }

    /// The time of the nth newest version of a column, or now when there is none.
    fn nth_newest(
        &self,
        row: &Bytes,
        family: &Bytes,
        qualifier: &Bytes,
        nth: u32,
    ) -> Result<Timestamp, StoreError> {
        let mut columns = Columns::all();
        columns.add_column(family.clone(), qualifier.clone());
        let read = ReadOptions { columns, versions: nth, ..ReadOptions::default() };
        let (cells, _) = row_cells(self.region, self.snapshot.get(), row, &read, self.now_ms)?;
        Ok(cells.get(nth as usize - 1).map_or(self.now_ms, |cell| cell.timestamp))
    }

    fn increment<'m>(&self, increment: &'m Increment, prepared: &mut Prepared<'m>) -> Result<(), StoreError> {
        let deltas = increment.amounts.iter().map(|(family, qualifier, amount)| (family, qualifier, *amount));
        let how = ReadAndWrite {
            row: &increment.row,
            time_range: increment.time_range,
            ttl_ms: increment.ttl_ms,
            return_results: increment.return_results,
        };
        self.read_and_write(&how, deltas.collect(), prepared, |old, amount| {
            let before = old.map_or(Ok(0), as_counter)?;
            Ok(before.wrapping_add(amount).to_be_bytes().to_vec())
        })
    }

    fn append<'m>(&self, append: &'m Append, prepared: &mut Prepared<'m>) -> Result<(), StoreError> {
        let deltas = append.values.iter().map(|(family, qualifier, value)| (family, qualifier, value));
        let how = ReadAndWrite {
            row: &append.row,
            time_range: append.time_range,
            ttl_ms: append.ttl_ms,
            return_results: append.return_results,
        };
        self.read_and_write(&how, deltas.collect(), prepared, |old, more| {
            let mut value = old.map(<[u8]>::to_vec).unwrap_or_default();
            value.extend_from_slice(more);
            Ok(value)
        })
    }

    /// Reads columns, changes each value and stamps it newer than what was read.
    fn read_and_write<'m, D: Copy>(
        &self,
        how: &ReadAndWrite<'m>,
        mut deltas: Vec<(&'m Bytes, &'m Bytes, D)>,
        prepared: &mut Prepared<'m>,
        change: impl Fn(Option<&[u8]>, D) -> Result<Vec<u8>, StoreError>,
    ) -> Result<(), StoreError> {
        deltas.sort_by_key(|delta| (delta.0, delta.1));
        let mut columns = Columns::all();
        for (family, qualifier, _) in &deltas {
            columns.add_column((*family).clone(), (*qualifier).clone());
        }
        let read = ReadOptions { columns, time_range: how.time_range, ..ReadOptions::default() };
        let (current, _) = row_cells(self.region, self.snapshot.get(), how.row, &read, self.now_ms)?;
        for (family, qualifier, delta) in deltas {
            let old = current.iter().find(|cell| cell.family == family && cell.qualifier == qualifier);
            let cell = NewCell {
                family,
                qualifier,
                timestamp: old.map_or(self.now_ms, |old| self.now_ms.max(old.timestamp.saturating_add(1))),
                kind: CellType::Put,
                value: Cow::Owned(change(old.map(|old| &old.value[..]), delta)?),
                // A value that was to end at some time does so still, unless the mutation says otherwise.
                ttl_ms: match (how.ttl_ms, old) {
                    (None, Some(old)) => self.ttl_of(old)?,
                    (given, _) => given,
                },
            };
            if how.return_results {
                prepared.results.push(cell.to_cell(how.row));
            }
            prepared.cells.push(cell);
        }
        Ok(())
    }

    /// The time to live that a stored cell has of its own.
    fn ttl_of(&self, cell: &Cell) -> Result<Option<i64>, StoreError> {
        let Some(store) = self.region.family(&cell.family) else { return Ok(None) };
        let row_start = key::row_start(&cell.row);
        let range = KeyRange {
            from: key::version_start(&row_start, &cell.qualifier, cell.timestamp),
            until: Some(key::column_behind(&row_start, &cell.qualifier)),
        };
        let mut cursor = Cursor::new(&store.keyspace, self.snapshot.get(), &cell.family, range, false);
        while let Some(stored) = cursor.peek()?.filter(|stored| stored.timestamp() == cell.timestamp) {
            if stored.kind() == CellType::Put {
                return Ok(stored.ttl_ms());
            }
            cursor.advance();
        }
        Ok(None)
    }
}

/// What increments and appends have in common.
struct ReadAndWrite<'m> {
    row: &'m Bytes,
    time_range: TimeRange,
    ttl_ms: Option<i64>,
    return_results: bool,
}

fn or_now(timestamp: Option<Timestamp>, now_ms: Timestamp) -> Timestamp {
    timestamp.filter(|&timestamp| timestamp != LATEST_TIMESTAMP).unwrap_or(now_ms)
}

fn as_counter(value: &[u8]) -> Result<i64, StoreError> {
    value.try_into().map(i64::from_be_bytes).map_err(|_| {
        StoreError::DoNotRetry(format!("the value to increment has {} bytes: a counter has 8", value.len()))
    })
}

/// Cells of one row as they are stored in one family: sorted by key, of equal keys the last.
#[derive(Debug)]
pub(crate) struct Encoded<'a> {
    pub store: &'a FamilyStore,
    pub key: Vec<u8>,
    pub value: Vec<u8>,
}

/// What [`encode`] found out about a row's cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowShape {
    pub bytes: u64,
    /// A flush may find something to remove in the row.
    pub suspect: bool,
    pub families: FamilySet,
}

/// Some of a region's families, by their place.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FamilySet(u64);

impl FamilySet {
    /// All places from this one on share a bit; few tables have so many families.
    const LAST_BIT: usize = 63;

    fn insert(&mut self, at: usize) {
        self.0 |= 1 << at.min(Self::LAST_BIT);
    }

    pub fn contains(self, at: usize) -> bool {
        self.0 & (1 << at.min(Self::LAST_BIT)) != 0
    }
}

/// Encodes the cells of a row for storage. Equal keys are left out but for the last: in one atomic write the storage
/// below would not know which is newer.
pub(crate) fn encode<'a>(
    region: &'a Region,
    row: &[u8],
    cells: &[NewCell<'_>],
    out: &mut Vec<Encoded<'a>>,
) -> Result<RowShape, StoreError> {
    let row_start = key::row_start(row);
    let begin = out.len();
    let mut shape = RowShape::default();
    let mut ascending = true;
    let mut before: Option<(&Bytes, &[u8])> = None;
    out.reserve(cells.len());
    for cell in cells {
        let at = region.families.iter().position(|store| store.descriptor.name == cell.family);
        let Some((at, store)) = at.and_then(|at| Some((at, region.families.get(at)?))) else {
            return Err(StoreError::NoSuchColumnFamily {
                table: region.table.clone(),
                family: cell.family.clone(),
            });
        };
        let key = key::cell(&row_start, cell.qualifier, cell.timestamp, cell.kind, store.generation);
        if key.len() > key::MAX_KEY_BYTES {
            return Err(StoreError::IllegalArgument(format!(
                "row and qualifier of a cell have {} bytes as they are stored, the embedded store takes {}",
                key.len(),
                key::MAX_KEY_BYTES
            )));
        }
        let column = (cell.family, cell.qualifier);
        ascending &= before.is_none_or(|before| before < column);
        before = Some(column);
        let value = crate::value::encode(&cell.value, cell.ttl_ms);
        shape.bytes += (key.len() + value.len()) as u64;
        shape.suspect |=
            cell.kind.is_marker() || cell.ttl_ms.is_some() || store.descriptor.ttl_ms().is_some();
        shape.families.insert(at);
        out.push(Encoded { store, key, value });
    }
    if !ascending {
        shape.suspect = true;
        let mut last_of: BTreeMap<(Bytes, Vec<u8>), Encoded<'a>> = BTreeMap::new();
        for encoded in out.drain(begin..) {
            last_of.insert((encoded.store.descriptor.name.clone(), encoded.key.clone()), encoded);
        }
        out.extend(last_of.into_values());
    }
    Ok(shape)
}
