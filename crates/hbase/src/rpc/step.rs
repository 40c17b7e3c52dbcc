//! A step: what a region is asked to do in one go, alone or together with others in a multi call.

use bytes::Bytes;

use crate::cell::Cell;
use crate::pb;

/// A write, ready for the wire: its message and its cells.
#[derive(Clone, Debug)]
pub(crate) struct Mutation {
    pub message: pb::MutationProto,
    pub cells: Bytes,
}

/// What a region is asked.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Get(pb::Get),
    Mutate(Mutation),
    /// Several writes to one row, all or nothing, if the condition holds.
    Atomic {
        mutations: Vec<Mutation>,
        condition: Option<pb::Condition>,
    },
}

impl Step {
    /// What it is called in reports about retries.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Get(_) => "get",
            Self::Mutate(_) => "mutation",
            Self::Atomic { condition: None, .. } => "row mutations",
            Self::Atomic { condition: Some(_), .. } => "check-and-mutate",
        }
    }

    /// About how many bytes it takes on the wire.
    pub fn bytes(&self) -> usize {
        /// What a message has beside its cells, about.
        const MESSAGE_BYTES: usize = 64;
        match self {
            Self::Get(get) => MESSAGE_BYTES + get.row.len(),
            Self::Mutate(mutation) => MESSAGE_BYTES + mutation.cells.len(),
            Self::Atomic { mutations, .. } => {
                mutations.iter().map(|mutation| MESSAGE_BYTES + mutation.cells.len()).sum()
            }
        }
    }
}

/// A step and the region it is for.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub region_name: Bytes,
    pub step: std::sync::Arc<Step>,
}

/// What a region answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepReply {
    pub cells: Vec<Cell>,
    /// For a get that only asks whether there is anything.
    pub exists: Option<bool>,
    /// For a condition: whether it held.
    pub processed: Option<bool>,
}
