//! A cell as it is stored: taken apart only as far as readers need it.

use bytes::{Buf, Bytes};
use tablesmith_model::{Cell, CellKind, Timestamp};

use crate::key::{self, Generation, Parts};
use crate::value;

/// A row, with its part of the keys of its cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOfCells {
    row_start: Bytes,
    row: Bytes,
}

/// A stored cell.
#[derive(Clone, Debug)]
pub(crate) struct StoredCell {
    /// The key it is stored under.
    pub key: Bytes,
    row: Bytes,
    parts: Parts,
    value: Bytes,
    pub ttl_ms: Option<i64>,
}

impl StoredCell {
    /// Takes apart what is stored; `None` when it is damaged. `last_row` saves decoding the same row again.
    pub fn decode(key: Bytes, value: Bytes, last_row: &mut RowOfCells) -> Option<Self> {
        if last_row.row_start.is_empty() || !key.starts_with(&last_row.row_start) {
            let row_start_bytes = key::row_start_bytes(&key)?;
            *last_row =
                RowOfCells { row_start: key.slice(..row_start_bytes), row: key::row(&key, row_start_bytes) };
        }
        let parts = key::split(&key, last_row.row_start.len())?;
        let (value, ttl_ms) = value::decode(value)?;
        Some(Self { key, row: last_row.row.clone(), parts, value, ttl_ms })
    }

    pub fn row(&self) -> &Bytes {
        &self.row
    }

    pub fn qualifier(&self) -> &[u8] {
        match &self.parts.unescaped_qualifier {
            Some(qualifier) => qualifier,
            None => self.key.get(self.parts.qualifier_at()).unwrap_or_default(),
        }
    }

    pub fn timestamp(&self) -> Timestamp {
        self.parts.timestamp
    }

    pub fn kind(&self) -> CellKind {
        self.parts.kind
    }

    pub fn generation(&self) -> Generation {
        self.parts.generation
    }

    /// The row's part of the key.
    pub fn row_start(&self) -> &[u8] {
        self.key.get(..self.parts.row_start_bytes).unwrap_or_default()
    }

    /// Bytes of key and value as stored.
    pub fn stored_bytes(&self) -> u64 {
        (self.key.len() + self.value.len()) as u64
    }

    /// The cell, for the reader. The key becomes the qualifier, which saves counting one more owner of its block.
    pub fn into_cell(self, family: &Bytes) -> Cell {
        let Self { mut key, row, parts, value, .. } = self;
        let at = parts.qualifier_at();
        let qualifier = parts.unescaped_qualifier.unwrap_or_else(|| {
            key.truncate(at.end);
            key.advance(at.start.min(key.len()));
            key
        });
        Cell { row, family: family.clone(), qualifier, timestamp: parts.timestamp, kind: parts.kind, value }
    }
}
