//! A cell as it is stored: taken apart only as far as readers need it.

use bytes::{Buf, Bytes};
use tablesmith_model::{Cell, CellType, Timestamp};

use crate::arena::Arena;
use crate::key::{self, Generation, Parts};
use crate::names::Names;
use crate::short;
use crate::value::{self, Header};

/// What cells have in common with those before them.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The last row's part of the keys of its cells.
    row_start: Vec<u8>,
    row: Bytes,
    names: Names,
    arena: Arena,
}

impl Shared {
    /// Goes on to the row of a key; `None` when it has none. All cells of a row share its bytes.
    #[inline]
    fn go_to_row_of(&mut self, key: &[u8]) -> Option<()> {
        if self.row_start.is_empty() || !short::begins_with(key, &self.row_start) {
            self.go_to_other_row(key.get(..key::row_start_bytes(key)?)?);
        }
        Some(())
    }

    /// The qualifier is not cut from the key: that would need an allocation, for the count of owners, and keep the key.
    #[inline]
    fn qualifier_of(&mut self, stored: &StoredCell) -> Bytes {
        let qualifier = stored.qualifier();
        match self.names.known(qualifier) {
            Some(known) => Bytes::from_static(known),
            None => self.arena.copy(qualifier),
        }
    }

    fn go_to_other_row(&mut self, row_start: &[u8]) {
        if !self.row_start.is_empty() {
            self.names.remember();
        }
        self.row_start.clear();
        self.row_start.extend_from_slice(row_start);
        self.row = self.arena.copy(&key::row(row_start));
    }
}

/// A stored cell. It is read in place, and so is the next one: to move it costs as much as to read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredCell {
    /// The key it is stored under.
    pub key: Bytes,
    row: Bytes,
    parts: Parts,
    /// As stored, with its header.
    value: Bytes,
    header: Header,
}

impl StoredCell {
    /// Takes apart what is stored, in place of the cell before; `None` when it is damaged.
    #[inline]
    pub fn read(&mut self, key: Bytes, value: Bytes, shared: &mut Shared) -> Option<()> {
        shared.go_to_row_of(&key)?;
        if !is_shared(&self.row, &shared.row) {
            self.row = shared.row.clone();
        }
        self.parts = key::split(&key, shared.row_start.len())?;
        self.header = value::header(&value)?;
        self.key = key;
        self.value = value;
        Some(())
    }

    #[inline]
    pub fn row(&self) -> &Bytes {
        &self.row
    }

    #[inline]
    pub fn qualifier(&self) -> &[u8] {
        match &self.parts.unescaped_qualifier {
            Some(qualifier) => qualifier,
            None => self.key.get(self.parts.qualifier_at()).unwrap_or_default(),
        }
    }

    #[inline]
    pub fn timestamp(&self) -> Timestamp {
        self.parts.timestamp
    }

    #[inline]
    pub fn kind(&self) -> CellType {
        self.parts.kind
    }

    pub fn generation(&self) -> Generation {
        self.parts.generation
    }

    #[inline]
    pub fn ttl_ms(&self) -> Option<i64> {
        self.header.ttl_ms
    }

    /// The value, without its header.
    #[inline]
    pub fn value(&self) -> &[u8] {
        self.value.get(self.header.value_at..).unwrap_or_default()
    }

    /// The row's part of the key.
    pub fn row_start(&self) -> &[u8] {
        self.key.get(..self.parts.row_start_bytes).unwrap_or_default()
    }

    /// Bytes of key and value as stored.
    pub fn stored_bytes(&self) -> u64 {
        (self.key.len() + self.value.len() - self.header.value_at) as u64
    }

    /// The cell, for the reader.
    pub fn to_cell(&self, family: &'static [u8], shared: &mut Shared) -> Cell {
        let mut value = self.value.clone();
        value.advance(self.header.value_at);
        Cell {
            row: self.row.clone(),
            family: Bytes::from_static(family),
            qualifier: shared.qualifier_of(self),
            timestamp: self.parts.timestamp,
            kind: self.parts.kind,
            value,
        }
    }

    /// Hands the cell to the reader; its value is no more here.
    ///
    /// The cell is written where it stays. One that is made elsewhere is moved in pieces that are not those it was written
    /// in, and the processor waits for each.
    #[inline]
    pub fn give(&mut self, family: &'static [u8], shared: &mut Shared, out: &mut Vec<Cell>) {
        let row = self.row.clone();
        out.push(EMPTY);
        let Some(cell) = out.last_mut() else { return };
        write(&mut cell.family, Bytes::from_static(family));
        let qualifier = self.qualifier();
        match shared.names.known(qualifier) {
            Some(known) => write(&mut cell.qualifier, Bytes::from_static(known)),
            None => write(&mut cell.qualifier, shared.arena.copy(qualifier)),
        }
        cell.timestamp = self.parts.timestamp;
        cell.kind = self.parts.kind;
        write(&mut cell.value, std::mem::take(&mut self.value));
        cell.value.advance(self.header.value_at);
        write(&mut cell.row, row);
    }
}

/// A cell yet to be written.
const EMPTY: Cell = Cell {
    row: Bytes::new(),
    family: Bytes::new(),
    qualifier: Bytes::new(),
    timestamp: 0,
    kind: CellType::Put,
    value: Bytes::new(),
};

/// Writes a part of [`EMPTY`], which holds nothing that would have to be dropped.
#[inline]
fn write(empty: &mut Bytes, bytes: Bytes) {
    std::mem::forget(std::mem::replace(empty, bytes));
}

/// Whether two rows are the same. Cells of one row mostly share its bytes, and need no look at them.
#[inline]
pub(crate) fn is_same_row(one: &Bytes, other: &Bytes) -> bool {
    is_shared(one, other) || one == other
}

/// Whether both are the same place in memory.
#[inline]
fn is_shared(one: &Bytes, other: &Bytes) -> bool {
    one.as_ptr() == other.as_ptr() && one.len() == other.len()
}
