//! Requests that write, each on one row.

use bytes::Bytes;

use crate::bytes_text::to_text;
use crate::{CheckAndMutate, Durability, Get, InvalidRequest, TimeRange, Timestamp, row};

/// Writes values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Put {
    /// The row.
    pub row: Bytes,
    /// Family, qualifier, timestamp (`None`: the store's clock), value.
    pub cells: Vec<(Bytes, Bytes, Option<Timestamp>, Bytes)>,
    /// These cells live so many milliseconds, if the family does not end them before.
    pub ttl_ms: Option<i64>,
    /// How safe the write is when acknowledged.
    pub durability: Durability,
}

impl Put {
    /// An empty put to a row: add cells to it.
    pub fn new(row: impl Into<Bytes>) -> Self {
        Self { row: row.into(), ..Self::default() }
    }

    /// Adds a value, stamped by the store.
    pub fn add(self, family: impl Into<Bytes>, qualifier: impl Into<Bytes>, value: impl Into<Bytes>) -> Self {
        self.add_cell(family, qualifier, None, value)
    }

    /// Adds a value with its timestamp.
    pub fn add_at(
        self,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        timestamp: Timestamp,
        value: impl Into<Bytes>,
    ) -> Self {
        self.add_cell(family, qualifier, Some(timestamp), value)
    }

    fn add_cell(
        mut self,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        timestamp: Option<Timestamp>,
        value: impl Into<Bytes>,
    ) -> Self {
        self.cells.push((family.into(), qualifier.into(), timestamp, value.into()));
        self
    }
}

/// What a [`Delete`] hides. `None` as a timestamp means now, except where it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeleteTarget {
    /// All versions of all columns of a family, up to a time.
    Family(Bytes, Option<Timestamp>),
    /// The versions of all columns of a family at exactly a time.
    FamilyVersion(Bytes, Timestamp),
    /// All versions of a column up to a time.
    Column(Bytes, Bytes, Option<Timestamp>),
    /// One version of a column; `None`: the newest there is, which the store looks up first.
    Version(Bytes, Bytes, Option<Timestamp>),
}

impl DeleteTarget {
    /// The family it is about.
    pub fn family(&self) -> &Bytes {
        match self {
            Self::Family(family, _)
            | Self::FamilyVersion(family, _)
            | Self::Column(family, _, _)
            | Self::Version(family, _, _) => family,
        }
    }

    fn timestamp(&self) -> Option<Timestamp> {
        match self {
            Self::Family(_, timestamp) | Self::Column(_, _, timestamp) | Self::Version(_, _, timestamp) => {
                *timestamp
            }
            Self::FamilyVersion(_, timestamp) => Some(*timestamp),
        }
    }
}

/// Writes markers that hide values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delete {
    /// The row.
    pub row: Bytes,
    /// What to hide; nothing named means the whole row, up to `timestamp`.
    pub targets: Vec<DeleteTarget>,
    /// For the whole row: up to this time, else now.
    pub timestamp: Option<Timestamp>,
    /// How safe the write is when acknowledged.
    pub durability: Durability,
}

impl Delete {
    /// Deletes a row, unless targets are added.
    pub fn row(row: impl Into<Bytes>) -> Self {
        Self { row: row.into(), ..Self::default() }
    }

    /// Names something to hide.
    pub fn target(mut self, target: DeleteTarget) -> Self {
        self.targets.push(target);
        self
    }
}

/// Adds to 8-byte big-endian integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Increment {
    /// The row.
    pub row: Bytes,
    /// Family, qualifier, amount.
    pub amounts: Vec<(Bytes, Bytes, i64)>,
    /// Only a value of this time is added to.
    pub time_range: TimeRange,
    /// The new values live so many milliseconds.
    pub ttl_ms: Option<i64>,
    /// Whether the answer carries the new values.
    pub return_results: bool,
    /// How safe the write is when acknowledged.
    pub durability: Durability,
}

impl Increment {
    /// Adds `amount` to one column.
    pub fn new(
        row: impl Into<Bytes>,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        amount: i64,
    ) -> Self {
        Self {
            row: row.into(),
            amounts: vec![(family.into(), qualifier.into(), amount)],
            time_range: TimeRange::ALL,
            ttl_ms: None,
            return_results: true,
            durability: Durability::UseDefault,
        }
    }
}

/// Appends bytes to values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The row.
    pub row: Bytes,
    /// Family, qualifier, bytes to append.
    pub values: Vec<(Bytes, Bytes, Bytes)>,
    /// Only a value of this time is appended to.
    pub time_range: TimeRange,
    /// The new values live so many milliseconds.
    pub ttl_ms: Option<i64>,
    /// Whether the answer carries the new values.
    pub return_results: bool,
    /// How safe the write is when acknowledged.
    pub durability: Durability,
}

impl Append {
    /// Appends to one column.
    pub fn new(
        row: impl Into<Bytes>,
        family: impl Into<Bytes>,
        qualifier: impl Into<Bytes>,
        value: impl Into<Bytes>,
    ) -> Self {
        Self {
            row: row.into(),
            values: vec![(family.into(), qualifier.into(), value.into())],
            time_range: TimeRange::ALL,
            ttl_ms: None,
            return_results: true,
            durability: Durability::UseDefault,
        }
    }
}

/// Any single write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// See [`Put`].
    Put(Put),
    /// See [`Delete`].
    Delete(Delete),
    /// See [`Increment`].
    Increment(Increment),
    /// See [`Append`].
    Append(Append),
}

impl Mutation {
    /// The row it writes.
    pub fn row(&self) -> &Bytes {
        match self {
            Self::Put(put) => &put.row,
            Self::Delete(delete) => &delete.row,
            Self::Increment(increment) => &increment.row,
            Self::Append(append) => &append.row,
        }
    }

    /// The durability it asks for.
    pub fn durability(&self) -> Durability {
        match self {
            Self::Put(put) => put.durability,
            Self::Delete(delete) => delete.durability,
            Self::Increment(increment) => increment.durability,
            Self::Append(append) => append.durability,
        }
    }

    /// Whether the request makes sense at all, whatever the table is.
    pub fn check(&self) -> Result<(), InvalidRequest> {
        row::check(self.row())?;
        match self {
            Self::Put(put) => {
                check_not_empty("put", &put.row, put.cells.is_empty())?;
                put.cells.iter().try_for_each(|(_, _, timestamp, _)| check_timestamp(*timestamp))
            }
            Self::Delete(delete) => {
                check_timestamp(delete.timestamp)?;
                delete.targets.iter().try_for_each(|target| check_timestamp(target.timestamp()))
            }
            Self::Increment(increment) => {
                check_not_empty("increment", &increment.row, increment.amounts.is_empty())
            }
            Self::Append(append) => check_not_empty("append", &append.row, append.values.is_empty()),
        }
    }
}

/// Several writes to one row that happen together or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowMutations {
    /// The row of all of them.
    pub row: Bytes,
    /// The writes, in order.
    pub mutations: Vec<Mutation>,
}

impl RowMutations {
    /// Whether the request makes sense at all, whatever the table is.
    pub fn check(&self) -> Result<(), InvalidRequest> {
        check_not_empty("row mutation", &self.row, self.mutations.is_empty())?;
        for mutation in &self.mutations {
            mutation.check()?;
            if mutation.row() != &self.row {
                return Err(InvalidRequest::WrongRow {
                    row: to_text(mutation.row()),
                    expected: to_text(&self.row),
                });
            }
        }
        Ok(())
    }
}

/// One element of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Read a row.
    Get(Get),
    /// Write to a row.
    Mutate(Mutation),
    /// Write several things to a row atomically.
    RowMutations(RowMutations),
    /// Write if a condition holds.
    CheckAndMutate(CheckAndMutate),
}

impl Action {
    /// The row it is about.
    pub fn row(&self) -> &Bytes {
        match self {
            Self::Get(get) => &get.row,
            Self::Mutate(mutation) => mutation.row(),
            Self::RowMutations(mutations) => &mutations.row,
            Self::CheckAndMutate(check) => &check.then.row,
        }
    }
}

fn check_timestamp(timestamp: Option<Timestamp>) -> Result<(), InvalidRequest> {
    match timestamp {
        Some(timestamp) if timestamp < 0 => Err(InvalidRequest::NegativeTimestamp { timestamp }),
        _ => Ok(()),
    }
}

fn check_not_empty(request: &'static str, row: &[u8], empty: bool) -> Result<(), InvalidRequest> {
    if empty { Err(InvalidRequest::NoColumns { request, row: to_text(row) }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::MAX_ROW_BYTES;

    #[test]
    fn senseless_writes_are_refused() {
        let long = vec![b'x'; MAX_ROW_BYTES + 1];
        for mutation in [
            Mutation::Put(Put::new("r")),
            Mutation::Put(Put::new("").add("f", "q", "v")),
            Mutation::Put(Put::new(long).add("f", "q", "v")),
            Mutation::Put(Put::new("r").add_at("f", "q", -1, "v")),
            Mutation::Delete(Delete::row("r").target(DeleteTarget::Column("f".into(), "q".into(), Some(-2)))),
        ] {
            assert!(mutation.check().is_err(), "{mutation:?}");
        }
        assert!(Mutation::Put(Put::new(vec![b'x'; MAX_ROW_BYTES]).add("f", "q", "v")).check().is_ok());
    }

    #[test]
    fn atomic_mutations_are_of_one_row() {
        let mutations = vec![Mutation::Delete(Delete::row("a")), Mutation::Delete(Delete::row("b"))];
        assert!(RowMutations { row: "a".into(), mutations }.check().is_err());
    }
}
