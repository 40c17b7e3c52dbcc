//! Turns what waits into frames.

use std::time::Instant;

use bytes::{Bytes, BytesMut};

use super::connection::Limits;
use super::multi::MultiMessage;
use super::outbox::{Call, Outgoing, Steps};
use super::pending::{Multi, Pending, Waiter};
use super::{Mutation, Step, Target};
use crate::metrics::Counters;
use crate::wire::frame::{put_call, put_call_with, put_encoded_call};
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
    let id = pending.add(Waiter::Call(call.method, call.reply));
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
    let (targets, replies): (Vec<_>, Vec<_>) =
        groups.into_iter().map(|group| (group.targets, group.reply)).unzip();
    let mut message = MultiMessage::default();
    for (group, targets) in targets.iter().enumerate() {
        for (place, target) in targets.iter().enumerate() {
            message.add(target, (group, place));
        }
    }
    Counters::add(&counters.calls, 1);
    Counters::add(&counters.batched_actions, targets.iter().map(|targets| targets.len() as u64).sum());
    let groups = targets.iter().map(Vec::len).zip(replies).collect();
    let id = pending.add(Waiter::Multi(Multi { regions: message.places(), groups }));
    let cells = message.cells();
    let header = header(id, "Multi", deadline, cells.iter().map(|block| block.len()).sum());
    let nonce_group = nonce::group();
    put_call_with(out, &header, message.encoded_len(nonce_group), &cells, |out| {
        message.encode(nonce_group, out)
    });
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
