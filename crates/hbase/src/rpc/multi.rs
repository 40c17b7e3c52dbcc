//! The message of a multi call, encoded straight from the steps of its callers.
//!
//! Written by hand since the generated message owns its parts, and a copy of each write to be sent costs a fifth of the
//! whole way. A test compares the bytes with the generated message's.
//!
//! ```text
//! MultiRequest  1 regionAction*  ( 1 region, 2 atomic, 3 action* ( 1 index, 2 mutation | 3 get ), 4 condition )
//!               2 nonceGroup
//! ```

use std::collections::HashMap;

use bytes::{BufMut, Bytes};
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint, encoded_len_varint};

use super::writer::region_specifier;
use super::{Mutation, Step, Target};
use crate::pb;

/// All keys here are of fields below 16.
const KEY_BYTES: usize = 1;

/// The region actions of a multi call, while they are gathered.
#[derive(Default)]
pub(super) struct MultiMessage<'a> {
    regions: Vec<RegionAction<'a>>,
    /// Where the steps of a region that need no atomicity are gathered.
    by_region: HashMap<&'a Bytes, usize>,
}

struct RegionAction<'a> {
    specifier: pb::RegionSpecifier,
    atomic: bool,
    condition: Option<&'a pb::Condition>,
    parts: Vec<Part<'a>>,
    /// For each part, or for an atomic action as a whole, whose it is: which caller, and which of its targets.
    places: Vec<(usize, usize)>,
}

/// An action with the bytes of its message, which are asked for twice.
enum Part<'a> {
    Get(&'a pb::Get, usize),
    Mutate(&'a Mutation, usize),
}

impl<'a> MultiMessage<'a> {
    pub fn add(&mut self, target: &'a Target, place: (usize, usize)) {
        match &*target.step {
            Step::Get(get) => self.gather(target, Part::Get(get, get.encoded_len()), place),
            Step::Mutate(mutation) => self.gather(target, Part::mutate(mutation), place),
            Step::Atomic { mutations, condition } => self.regions.push(RegionAction {
                atomic: true,
                condition: condition.as_ref(),
                parts: mutations.iter().map(Part::mutate).collect(),
                places: vec![place],
                ..RegionAction::new(target)
            }),
        }
    }

    fn gather(&mut self, target: &'a Target, part: Part<'a>, place: (usize, usize)) {
        let at = *self.by_region.entry(&target.region_name).or_insert_with(|| {
            self.regions.push(RegionAction::new(target));
            self.regions.len() - 1
        });
        if let Some(region) = self.regions.get_mut(at) {
            region.parts.push(part);
            region.places.push(place);
        }
    }

    /// Whose results come in which order.
    pub fn places(&self) -> Vec<Vec<(usize, usize)>> {
        self.regions.iter().map(|region| region.places.clone()).collect()
    }

    /// The cells of all writes, in the order of their actions.
    pub fn cells(&self) -> Vec<&'a [u8]> {
        let cells = |part: &Part<'a>| match part {
            Part::Get(..) => None,
            Part::Mutate(mutation, _) => Some(&mutation.cells[..]),
        };
        self.regions.iter().flat_map(|region| region.parts.iter().filter_map(cells)).collect()
    }

    pub fn encoded_len(&self, nonce_group: u64) -> usize {
        let regions: usize = self.regions.iter().map(|region| delimited(region.encoded_len())).sum();
        regions + KEY_BYTES + encoded_len_varint(nonce_group)
    }

    pub fn encode(&self, nonce_group: u64, out: &mut impl BufMut) {
        for region in &self.regions {
            put_head(1, region.encoded_len(), out);
            region.encode(out);
        }
        put_number(2, nonce_group, out);
    }
}

impl<'a> RegionAction<'a> {
    fn new(target: &Target) -> Self {
        Self {
            specifier: region_specifier(target.region_name.clone()),
            atomic: false,
            condition: None,
            parts: Vec::new(),
            places: Vec::new(),
        }
    }

    fn encoded_len(&self) -> usize {
        let parts = self.parts.iter().enumerate().map(|(index, part)| delimited(part.encoded_len(index)));
        delimited(self.specifier.encoded_len())
            + if self.atomic { KEY_BYTES + 1 } else { 0 }
            + parts.sum::<usize>()
            + self.condition.map_or(0, |condition| delimited(condition.encoded_len()))
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_head(1, self.specifier.encoded_len(), out);
        self.specifier.encode_raw(out);
        if self.atomic {
            put_number(2, 1, out);
        }
        for (index, part) in self.parts.iter().enumerate() {
            put_head(3, part.encoded_len(index), out);
            part.encode(index, out);
        }
        if let Some(condition) = self.condition {
            put_head(4, condition.encoded_len(), out);
            condition.encode_raw(out);
        }
    }
}

impl<'a> Part<'a> {
    fn mutate(mutation: &'a Mutation) -> Self {
        Self::Mutate(mutation, mutation.message.encoded_len())
    }

    fn encoded_len(&self, index: usize) -> usize {
        let (Self::Get(_, bytes) | Self::Mutate(_, bytes)) = self;
        KEY_BYTES + encoded_len_varint(index as u64) + delimited(*bytes)
    }

    fn encode(&self, index: usize, out: &mut impl BufMut) {
        put_number(1, index as u64, out);
        match self {
            Self::Mutate(mutation, bytes) => {
                put_head(2, *bytes, out);
                mutation.message.encode_raw(out);
            }
            Self::Get(get, bytes) => {
                put_head(3, *bytes, out);
                get.encode_raw(out);
            }
        }
    }
}

fn delimited(bytes: usize) -> usize {
    KEY_BYTES + encoded_len_varint(bytes as u64) + bytes
}

fn put_head(field: u32, bytes: usize, out: &mut impl BufMut) {
    encode_key(field, WireType::LengthDelimited, out);
    encode_varint(bytes as u64, out);
}

fn put_number(field: u32, number: u64, out: &mut impl BufMut) {
    encode_key(field, WireType::Varint, out);
    encode_varint(number, out);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::BytesMut;

    use super::*;

    fn mutation(row: &'static str) -> Mutation {
        let message = pb::MutationProto { row: Some(row.into()), nonce: Some(7), ..Default::default() };
        Mutation { message, cells: format!("cells of {row}").into() }
    }

    fn targets() -> Vec<Target> {
        let condition = pb::Condition { row: "c".into(), family: Some("f".into()), ..Default::default() };
        let steps = [
            ("r1", Step::Mutate(mutation("a"))),
            ("r2", Step::Get(pb::Get { row: "b".into(), ..Default::default() })),
            (
                "r1",
                Step::Atomic { mutations: vec![mutation("c"), mutation("c")], condition: Some(condition) },
            ),
            ("r1", Step::Mutate(mutation("d"))),
        ];
        let target = |(region, step): (&'static str, Step)| Target {
            region_name: region.into(),
            step: Arc::new(step),
        };
        steps.into_iter().map(target).collect()
    }

    /// What the generated message makes of the same.
    fn generated() -> Vec<u8> {
        let action =
            |index, row| pb::Action { index: Some(index), mutation: Some(mutation(row).message), get: None };
        let region = |name: &'static str, action| pb::RegionAction {
            region: region_specifier(name.into()),
            atomic: None,
            action,
            condition: None,
        };
        let get = pb::Get { row: "b".into(), ..Default::default() };
        let condition = pb::Condition { row: "c".into(), family: Some("f".into()), ..Default::default() };
        let request = pb::MultiRequest {
            region_action: vec![
                region("r1", vec![action(0, "a"), action(1, "d")]),
                region("r2", vec![pb::Action { index: Some(0), mutation: None, get: Some(get) }]),
                pb::RegionAction {
                    atomic: Some(true),
                    condition: Some(condition),
                    ..region("r1", vec![action(0, "c"), action(1, "c")])
                },
            ],
            nonce_group: Some(300),
        };
        request.encode_to_vec()
    }

    #[test]
    fn the_bytes_are_those_of_the_generated_message() {
        let targets = targets();
        let mut message = MultiMessage::default();
        for (place, target) in targets.iter().enumerate() {
            message.add(target, (0, place));
        }
        let mut out = BytesMut::new();
        message.encode(300, &mut out);
        assert_eq!(out, generated());
        assert_eq!(out.len(), message.encoded_len(300));
        assert_eq!(message.places(), [vec![(0, 0), (0, 3)], vec![(0, 1)], vec![(0, 2)]]);
        assert_eq!(message.cells(), [&b"cells of a"[..], b"cells of d", b"cells of c", b"cells of c"]);
    }
}
