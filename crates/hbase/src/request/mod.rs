//! Requests, as users make them, and how they look on the wire.

mod attributes;
mod check;
mod delete;
mod get;
mod put;
mod read_modify_write;
mod row_mutations;
mod scan;
mod time_range;

use bytes::Bytes;

pub use check::{CheckAndMutate, Checked, Condition};
pub use delete::{Delete, DeleteTarget};
pub use get::{Columns, Get, ReadOptions};
pub use put::{Durability, Put};
pub use read_modify_write::{Append, Increment};
pub use row_mutations::{Mutation, RowMutations};
pub use scan::{RowBound, Scan};
pub use time_range::TimeRange;

use crate::rpc::Step;
use crate::{Error, Row};

/// The longest row key: its length travels in two bytes, and HBase reads them as signed.
const ROW_BYTES_MAX: usize = i16::MAX as usize;
/// The longest family name: its length travels in one byte, and HBase reads it as signed.
const FAMILY_BYTES_MAX: usize = i8::MAX as usize;

/// Anything that a batch can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Read a row.
    Get(Get),
    /// Write to a row.
    Mutate(Mutation),
    /// Write several things to a row, all or nothing.
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

    pub(crate) fn to_step(&self) -> Result<Step, Error> {
        check_row(self.row())?;
        Ok(match self {
            Self::Get(get) => Step::Get(get.to_pb(false)),
            Self::Mutate(mutation) => Step::Mutate(mutation.to_wire()?),
            Self::RowMutations(mutations) => {
                Step::Atomic { mutations: mutations.to_wire()?, condition: None }
            }
            Self::CheckAndMutate(check) => check.to_step()?,
        })
    }
}

/// What an action of a batch answers.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionReply {
    /// A get's row, or the new values of increments and appends; an empty row for other writes.
    Row(Row),
    /// Whether a check-and-mutate happened.
    Checked(Checked),
}

pub(crate) fn check_row(row: &[u8]) -> Result<(), Error> {
    match row.len() {
        1..=ROW_BYTES_MAX => Ok(()),
        0 => Err(Error::InvalidArgument("a row key must not be empty".to_owned())),
        bytes => Err(Error::InvalidArgument(format!(
            "a row key has at most {ROW_BYTES_MAX} bytes, this one has {bytes}"
        ))),
    }
}

pub(crate) fn check_family(family: &[u8]) -> Result<(), Error> {
    match family.len() {
        0..=FAMILY_BYTES_MAX => Ok(()),
        bytes => Err(Error::InvalidArgument(format!(
            "a family's name has at most {FAMILY_BYTES_MAX} bytes, this one has {bytes}"
        ))),
    }
}
