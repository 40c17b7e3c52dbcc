//! Turns what waits into frames.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use bytes::{Bytes, BytesMut};

use super::connection::Limits;
use super::outbox::{Call, Outgoing, Steps};
use super::pending::{Multi, Pending, Waiter};
use super::{Mutation, Step, Target};
use crate::metrics::Counters;
use crate::wire::frame::{put_call, put_encoded_call};
use crate::{nonce, pb};

/// Encodes everything into `out`, and notes who waits for what. Steps that wait together become multi calls.
pub(super) fn encode(
    outgoing: Vec<Outgoing>,
    pending: &mut Pending,
    out: &mut BytesMut,
    limits: &Limits,
    counters: &Counters,
) {
    let mut waiting = Vec::new();
    let mut bytes = 0;
    let mut actions = 0;
    for one in outgoing {
        match one {
            Outgoing::Call(call) => encode_call(call, pending, out, counters),
            Outgoing::Steps(steps) => {
                bytes += steps.targets.iter().map(|target| target.step.bytes()).sum::<usize>();
                actions += steps.targets.len();
                waiting.push(steps);
                if bytes >= limits.batch_bytes_max || actions >= limits.batch_actions_max {
                    encode_steps(std::mem::take(&mut waiting), pending, out, counters);
                    (bytes, actions) = (0, 0);
                }
            }
        }
    }
    encode_steps(waiting, pending, out, counters);
}

fn encode_call(call: Call, pending: &mut Pending, out: &mut BytesMut, counters: &Counters) {
    Counters::add(&counters.calls, 1);
    let id = pending.add(Waiter::Call(call.reply));
    let mut header = header(id, call.method, call.deadline, 0);
    header.priority = call.priority;
    put_encoded_call(out, &header, &call.message);
}

/// One step alone goes as the plain call; several go as one multi call.
fn encode_steps(mut groups: Vec<Steps>, pending: &mut Pending, out: &mut BytesMut, counters: &Counters) {
    groups.retain(|group| !group.reply.is_closed());
    let lone = if let [group] = groups.as_slice() { lone_step(group) } else { None };
    match lone {
        Some((region, step)) => {
            let (waiter, method): (fn(_) -> Waiter, _) = match step {
                Lone::Get(_) => (Waiter::Get, "Get"),
                Lone::Mutate(_) => (Waiter::Mutate, "Mutate"),
            };
            let Some(Steps { deadline, reply, .. }) = groups.pop() else { return };
            Counters::add(&counters.calls, 1);
            encode_lone(step, region, &header(pending.add(waiter(reply)), method, deadline, 0), out);
        }
        None if groups.is_empty() => {}
        None => encode_multi(groups, pending, out, counters),
    }
}

/// A step that goes as a plain call.
enum Lone {
    Get(pb::Get),
    Mutate(Mutation),
}

fn lone_step(group: &Steps) -> Option<(pb::RegionSpecifier, Lone)> {
    let [target] = group.targets.as_slice() else { return None };
    let lone = match &*target.step {
        Step::Get(get) => Lone::Get(get.clone()),
        Step::Mutate(mutation) => Lone::Mutate(mutation.clone()),
        Step::Atomic { .. } => return None,
    };
    Some((specifier(target), lone))
}

fn encode_lone(lone: Lone, region: pb::RegionSpecifier, header: &pb::RequestHeader, out: &mut BytesMut) {
    match lone {
        Lone::Get(get) => put_call(out, header, &pb::GetRequest { region, get }, &[]),
        Lone::Mutate(Mutation { message, cells }) => {
            let nonce_group = message.nonce.map(|_| nonce::group());
            let request = pb::MutateRequest { region, mutation: message, condition: None, nonce_group };
            let mut header = header.clone();
            header.cell_block_meta = Some(pb::CellBlockMeta { length: Some(cells.len() as u32) });
            put_call(out, &header, &request, &[&cells]);
        }
    }
}

fn encode_multi(groups: Vec<Steps>, pending: &mut Pending, out: &mut BytesMut, counters: &Counters) {
    let deadline = groups.iter().map(|group| group.deadline).max().unwrap_or_else(Instant::now);
    let mut layout = Layout::default();
    let mut replies = Vec::with_capacity(groups.len());
    for (group, steps) in groups.into_iter().enumerate() {
        replies.push((steps.targets.len(), steps.reply));
        for (place, target) in steps.targets.into_iter().enumerate() {
            layout.add(target, (group, place));
        }
    }
    Counters::add(&counters.calls, 1);
    Counters::add(&counters.batched_actions, replies.iter().map(|(size, _)| *size as u64).sum());
    let id = pending.add(Waiter::Multi(Multi { regions: layout.places, groups: replies }));
    let cells: Vec<&[u8]> = layout.cells.iter().flatten().map(|block| &**block).collect();
    let cell_bytes = cells.iter().map(|block| block.len()).sum();
    let request = pb::MultiRequest { region_action: layout.actions, nonce_group: Some(nonce::group()) };
    put_call(out, &header(id, "Multi", deadline, cell_bytes), &request, &cells);
}

/// The region actions of a multi call, while they are gathered. The three lists go in step.
#[derive(Default)]
struct Layout {
    actions: Vec<pb::RegionAction>,
    places: Vec<Vec<(usize, usize)>>,
    /// Cells stand in the frame by region action: those of one region together, whoever asked.
    cells: Vec<Vec<Bytes>>,
    /// Where the steps of a region that need no atomicity are gathered.
    by_region: HashMap<Bytes, usize>,
}

impl Layout {
    fn add(&mut self, target: Target, place: (usize, usize)) {
        let region = specifier(&target);
        match Arc::unwrap_or_clone(target.step) {
            Step::Get(get) => {
                let at = self.gather(target.region_name, region);
                self.push(at, pb::Action { index: None, get: Some(get), mutation: None }, None);
                self.place(at, place);
            }
            Step::Mutate(mutation) => {
                let at = self.gather(target.region_name, region);
                self.push_mutation(at, mutation);
                self.place(at, place);
            }
            Step::Atomic { mutations, condition } => {
                let at = self.begin(region);
                if let Some(action) = self.actions.get_mut(at) {
                    (action.atomic, action.condition) = (Some(true), condition);
                }
                mutations.into_iter().for_each(|mutation| self.push_mutation(at, mutation));
                self.place(at, place);
            }
        }
    }

    fn gather(&mut self, region_name: Bytes, region: pb::RegionSpecifier) -> usize {
        if let Some(at) = self.by_region.get(&region_name) {
            return *at;
        }
        let at = self.begin(region);
        self.by_region.insert(region_name, at);
        at
    }

    fn begin(&mut self, region: pb::RegionSpecifier) -> usize {
        self.actions.push(pb::RegionAction { region, ..pb::RegionAction::default() });
        self.places.push(Vec::new());
        self.cells.push(Vec::new());
        self.actions.len() - 1
    }

    fn push_mutation(&mut self, at: usize, mutation: Mutation) {
        let action = pb::Action { index: None, mutation: Some(mutation.message), get: None };
        self.push(at, action, Some(mutation.cells));
    }

    fn push(&mut self, at: usize, mut action: pb::Action, cells: Option<Bytes>) {
        if let (Some(region), Some(blocks)) = (self.actions.get_mut(at), self.cells.get_mut(at)) {
            action.index = Some(region.action.len() as u32);
            region.action.push(action);
            blocks.extend(cells);
        }
    }

    fn place(&mut self, at: usize, place: (usize, usize)) {
        if let Some(places) = self.places.get_mut(at) {
            places.push(place);
        }
    }
}

fn specifier(target: &Target) -> pb::RegionSpecifier {
    region_specifier(target.region_name.clone())
}

/// The region that a data call is about, by its full name.
pub(crate) fn region_specifier(region_name: Bytes) -> pb::RegionSpecifier {
    pb::RegionSpecifier {
        r#type: pb::region_specifier::RegionSpecifierType::RegionName.into(),
        value: region_name,
    }
}

fn header(call_id: u32, method: &str, deadline: Instant, cell_bytes: usize) -> pb::RequestHeader {
    let left = deadline.saturating_duration_since(Instant::now());
    pb::RequestHeader {
        call_id: Some(call_id),
        method_name: Some(method.to_owned()),
        request_param: Some(true),
        cell_block_meta: (cell_bytes > 0).then_some(pb::CellBlockMeta { length: Some(cell_bytes as u32) }),
        priority: None,
        // The server drops what nobody waits for any more. 0 would mean that it may take for ever.
        timeout: Some(u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1)),
    }
}
