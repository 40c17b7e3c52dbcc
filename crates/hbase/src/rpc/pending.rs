//! Calls that wait for their reply, by call id.

use std::collections::HashMap;

use bytes::Bytes;
use tokio::sync::oneshot;

use super::outbox::{StepResults, Steps};
use super::{CallError, CallOrigin, StepReply, exception_of, exception_of_pair};
use crate::wire::cell_block::CellBlock;
use crate::wire::decode::decode;
use crate::wire::frame::RawReply;
use crate::wire::{ReplyError, WireError};
use crate::{Cell, CellType};
use crate::{HostPort, pb};

/// Who waits for a reply, and how it is taken apart.
pub(super) enum Waiter {
    Call(&'static str, oneshot::Sender<Result<RawReply, CallError>>),
    Get(oneshot::Sender<StepResults>),
    Mutate(oneshot::Sender<StepResults>),
    Multi(Multi),
}

/// The shape of a multi call: where each result of the reply belongs.
pub(super) struct Multi {
    /// For each region action, for each of its actions in order: which group and which place in it. An atomic region
    /// action has one entry only.
    pub regions: Vec<Vec<(usize, usize)>>,
    pub groups: Vec<(usize, oneshot::Sender<StepResults>)>,
}

impl Waiter {
    /// The name of the call in HBase's protocol.
    pub fn call(&self) -> &'static str {
        match self {
            Self::Call(method, _) => method,
            Self::Get(_) => "Get",
            Self::Mutate(_) => "Mutate",
            Self::Multi(_) => "Multi",
        }
    }

    fn gave_up(&self) -> bool {
        match self {
            Self::Call(_, reply) => reply.is_closed(),
            Self::Get(reply) | Self::Mutate(reply) => reply.is_closed(),
            Self::Multi(multi) => multi.groups.iter().all(|(_, reply)| reply.is_closed()),
        }
    }

    pub fn fail(self, error: &CallError) {
        match self {
            Self::Call(_, reply) => drop(reply.send(Err(error.clone()))),
            Self::Get(reply) | Self::Mutate(reply) => drop(reply.send(vec![Err(error.clone())])),
            Self::Multi(multi) => multi.fail(error),
        }
    }

    /// Hands a reply to who waits for it. One that is not accepted is the error of this call and of no other.
    pub fn answer(self, raw: RawReply, address: &HostPort, entries_max: usize) {
        if let Some(exception) = raw.header.exception {
            return self.fail(&CallError::Server(exception_of(exception)));
        }
        let call = self.call();
        let refuse = |error: ReplyError| CallOrigin { call, address: address.clone() }.refuse(error);
        // A caller that gave up meanwhile does not want its reply any more: that is no error.
        match self {
            Self::Call(_, reply) => drop(reply.send(Ok(raw))),
            Self::Get(reply) => drop(reply.send(vec![read_get(raw, entries_max).map_err(refuse)])),
            Self::Mutate(reply) => drop(reply.send(vec![read_mutate(raw, entries_max).map_err(refuse)])),
            Self::Multi(multi) => match multi.read(raw, address, entries_max) {
                Ok(results) => multi.answer(results),
                Err(error) => multi.fail(&refuse(error)),
            },
        }
    }
}

fn read_get(raw: RawReply, entries_max: usize) -> Result<StepReply, ReplyError> {
    let response: pb::GetResponse = decode(raw.message, entries_max)?;
    Ok(read_result(response.result.unwrap_or_default(), &mut CellBlock::new(raw.cells))?)
}

fn read_mutate(raw: RawReply, entries_max: usize) -> Result<StepReply, ReplyError> {
    let response: pb::MutateResponse = decode(raw.message, entries_max)?;
    let answer = read_result(response.result.unwrap_or_default(), &mut CellBlock::new(raw.cells))?;
    Ok(StepReply { processed: response.processed, ..answer })
}

impl Multi {
    fn fail(self, error: &CallError) {
        for (size, reply) in self.groups {
            drop(reply.send(vec![Err(error.clone()); size]));
        }
    }

    /// Results come by region in the order asked, inside a region in any order, with the index of their action; their
    /// cells stand in the block in the order of the results.
    fn read(
        &self,
        raw: RawReply,
        address: &HostPort,
        entries_max: usize,
    ) -> Result<Vec<StepResults>, ReplyError> {
        /// A result or an exception, and what is in it. Who asks for much is answered much.
        const ENTRIES_PER_ACTION: usize = 8;
        let actions: usize = self.groups.iter().map(|(size, _)| size).sum();
        let entries_max = entries_max.max(actions.saturating_mul(ENTRIES_PER_ACTION));
        let response: pb::MultiResponse = decode(raw.message, entries_max)?;
        let block = &mut CellBlock::new(raw.cells);
        let unanswered = || Err(CallError::Unanswered(address.clone()));
        let mut results: Vec<StepResults> =
            self.groups.iter().map(|(size, _)| (0..*size).map(|_| unanswered()).collect()).collect();
        let mut set = |(group, place): (usize, usize), result: Result<StepReply, CallError>| {
            if let Some(slot) = results.get_mut(group).and_then(|group| group.get_mut(place)) {
                *slot = result;
            }
        };
        for (places, region) in self.regions.iter().zip(response.region_action_result) {
            if let Some(exception) = region.exception {
                let error = CallError::Server(exception_of_pair(exception));
                places.iter().for_each(|place| set(*place, Err(error.clone())));
                continue;
            }
            for entry in region.result_or_exception {
                let index = entry.index.unwrap_or_default() as usize;
                if let Some(exception) = entry.exception {
                    let error = CallError::Server(exception_of_pair(exception));
                    places.get(index).into_iter().for_each(|place| set(*place, Err(error.clone())));
                    continue;
                }
                let mut reply = read_result(entry.result.unwrap_or_default(), block)?;
                reply.processed = region.processed;
                // The later actions of an atomic region action have no place of their own, and no results.
                places.get(index).into_iter().for_each(|place| set(*place, Ok(std::mem::take(&mut reply))));
            }
        }
        Ok(results)
    }

    fn answer(self, results: Vec<StepResults>) {
        for ((_, reply), results) in self.groups.into_iter().zip(results) {
            drop(reply.send(results));
        }
    }
}

/// A result's cells are in its message or in the cell block.
fn read_result(result: pb::Result, block: &mut CellBlock) -> Result<StepReply, WireError> {
    let count = usize::try_from(result.associated_cell_count.unwrap_or_default())
        .map_err(|_| WireError("a result with a negative number of cells".to_owned()))?;
    let mut cells = result.cell.into_iter().map(read_cell).collect::<Result<Vec<_>, _>>()?;
    cells.extend(block.take(count)?);
    Ok(StepReply { cells, exists: result.exists, processed: None })
}

fn read_cell(cell: pb::Cell) -> Result<Cell, WireError> {
    let code = cell.cell_type.unwrap_or(CellType::Put as i32);
    let cell_type = (u8::try_from(code).ok())
        .and_then(CellType::from_code)
        .ok_or_else(|| WireError(format!("no cell has the type {code}")))?;
    let part = |part: Option<Bytes>| part.unwrap_or_default();
    let place = (&*part(cell.row), &*part(cell.family), &*part(cell.qualifier));
    let timestamp = cell.timestamp.unwrap_or_default() as i64;
    Ok(Cell::of_parts(place, timestamp, cell_type, &part(cell.value)))
}

/// All calls of a connection that wait.
#[derive(Default)]
pub(super) struct Pending {
    waiters: HashMap<u32, Waiter>,
    next_id: u32,
    /// Look for callers that gave up when there are so many.
    sweep_at: usize,
    /// Why no reply will come any more.
    closed: Option<CallError>,
}

impl Pending {
    /// Few enough that a look through them costs nothing.
    const SWEEP_AT_LEAST: usize = 256;

    pub fn add(&mut self, waiter: Waiter) -> u32 {
        if self.waiters.len() >= self.sweep_at.max(Self::SWEEP_AT_LEAST) {
            self.waiters.retain(|_, waiter| !waiter.gave_up());
            self.sweep_at = self.waiters.len() * 2;
        }
        let id = self.next_id;
        // Ids go round after two thousand million calls: HBase reads them as signed.
        self.next_id = (id + 1) & 0x7fff_ffff;
        match &self.closed {
            Some(why) => waiter.fail(why),
            None => drop(self.waiters.insert(id, waiter)),
        }
        id
    }

    pub fn len(&self) -> usize {
        self.waiters.len()
    }

    /// Whether a call with this id was ever made, as far as we can tell.
    fn was_sent(&self, id: u32) -> bool {
        id < self.next_id
    }

    pub fn take(&mut self, id: u32) -> Result<Option<Waiter>, WireError> {
        match self.waiters.remove(&id) {
            Some(waiter) => Ok(Some(waiter)),
            None if self.was_sent(id) => Ok(None),
            None => Err(WireError(format!("a reply to call {id}, which was never made"))),
        }
    }

    /// Those who wait, when the connection ends; who comes later fails at once.
    pub fn close(&mut self, why: &CallError) -> Vec<Waiter> {
        self.closed = Some(why.clone());
        self.waiters.drain().map(|(_, waiter)| waiter).collect()
    }
}

impl Steps {
    pub fn fail(self, error: &CallError) {
        drop(self.reply.send(vec![Err(error.clone()); self.targets.len()]));
    }
}
