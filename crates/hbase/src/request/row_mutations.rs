//! Any write, and several writes to one row.

use bytes::Bytes;

use super::{Append, Delete, Increment, Put, check_row};
use crate::{Error, rpc};

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

    pub(super) fn to_wire(&self) -> Result<rpc::Mutation, Error> {
        match self {
            Self::Put(put) => put.to_wire(),
            Self::Delete(delete) => delete.to_wire(),
            Self::Increment(increment) => increment.to_wire(),
            Self::Append(append) => append.to_wire(),
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
    pub(super) fn to_wire(&self) -> Result<Vec<rpc::Mutation>, Error> {
        check_row(&self.row)?;
        if self.mutations.is_empty() {
            return Err(Error::InvalidArgument("a row mutation without any writes".to_owned()));
        }
        if self.mutations.iter().any(|mutation| mutation.row() != &self.row) {
            return Err(Error::InvalidArgument("atomic mutations are of one row".to_owned()));
        }
        self.mutations.iter().map(Mutation::to_wire).collect()
    }
}
