//! Requests on the wire: messages of [`hbase_types`]'s values.

mod attributes;
pub(crate) mod reads;
mod writes;

use hbase_types::Action;
use hbase_types::name::MAX_FAMILY_BYTES;

use crate::rpc::Step;
use crate::{Error, Row};

/// Whether a check-and-mutate happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The condition held and the writes are done.
    pub success: bool,
    /// The new values of increments and appends among them.
    pub row: Row,
}

/// What an action of a batch answers.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionReply {
    /// A get's row, or the new values of increments and appends; an empty row for other writes.
    Row(Row),
    /// Whether a check-and-mutate happened.
    Checked(Checked),
}

/// What is to be sent for an action.
pub(crate) fn step(action: &Action) -> Result<Step, Error> {
    hbase_types::row::check(action.row())?;
    Ok(match action {
        Action::Get(get) => Step::Get(reads::get(get, false)),
        Action::Mutate(mutation) => Step::Mutate(writes::mutation(mutation)?),
        Action::RowMutations(mutations) => {
            Step::Atomic { mutations: writes::row_mutations(mutations)?, condition: None }
        }
        Action::CheckAndMutate(check) => writes::check_and_mutate(check)?,
    })
}

pub(crate) fn check_family(family: &[u8]) -> Result<(), Error> {
    match family.len() {
        0..=MAX_FAMILY_BYTES => Ok(()),
        bytes => Err(Error::InvalidArgument(format!(
            "a family's name has at most {MAX_FAMILY_BYTES} bytes, this one has {bytes}"
        ))),
    }
}
