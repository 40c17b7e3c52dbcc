//! The decoders take any bytes: random ones, and right ones with mistakes put in.

use bytes::Bytes;
use fastrand::Rng;
use hbase::fuzzing;

use crate::random::{self, seeded};

const INPUTS: usize = 200_000;

#[test]
fn the_cell_decoder_takes_any_bytes() {
    let mut random = seeded();
    let right = cell_block(&mut random);
    assert_eq!(fuzzing::cells(right.clone().into()), 8);
    let mut read = 0;
    for _ in 0..INPUTS {
        let input = if random.usize(..4) == 0 {
            random::bytes(&mut random, 80)
        } else {
            with_mistakes(&right, &mut random)
        };
        read += fuzzing::cells(Bytes::from(input));
    }
    assert!(read > INPUTS, "mutated blocks still begin with cells: {read}");
}

#[test]
fn the_frame_decoder_takes_any_bytes() {
    let mut random = seeded();
    let mut right = Vec::new();
    for call in 0..4u8 {
        right.extend(reply(call, &cell_block(&mut random)));
    }
    assert_eq!(fuzzing::frames(&right, 1 << 20), 4);
    let mut read = 0;
    for _ in 0..INPUTS {
        let input = if random.usize(..4) == 0 {
            random::bytes(&mut random, 60)
        } else {
            with_mistakes(&right, &mut random)
        };
        read += fuzzing::frames(&input, 1 << 20);
    }
    assert!(read > INPUTS, "mutated streams still begin with frames: {read}");
}

fn cell_block(random: &mut Rng) -> Vec<u8> {
    let mut block = Vec::new();
    for _ in 0..8 {
        let (row, qualifier, value) =
            (random::bytes(random, 9), random::bytes(random, 5), random::bytes(random, 20));
        let key_bytes = 2 + row.len() + 1 + 1 + qualifier.len() + 9;
        block.extend(((8 + key_bytes + value.len()) as u32).to_be_bytes());
        block.extend((key_bytes as u32).to_be_bytes());
        block.extend((value.len() as u32).to_be_bytes());
        block.extend((row.len() as u16).to_be_bytes());
        block.extend(&row);
        block.extend([1, b'f']);
        block.extend(&qualifier);
        block.extend(7u64.to_be_bytes());
        block.push(4);
        block.extend(&value);
    }
    block
}

/// A reply with a call id (field 1) and the length of its cells (field 3, in it field 1), and an empty message.
fn reply(call: u8, cells: &[u8]) -> Vec<u8> {
    let mut length = vec![0x08];
    let mut rest = cells.len();
    while rest >= 0x80 {
        length.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    length.push(rest as u8);
    let mut header = vec![0x08, call, 0x1a, length.len() as u8];
    header.extend(length);
    let mut body = vec![header.len() as u8];
    body.extend(header);
    body.push(0);
    body.extend(cells);
    let mut frame = (body.len() as u32).to_be_bytes().to_vec();
    frame.extend(body);
    frame
}

fn with_mistakes(right: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut input = right.to_vec();
    for _ in 0..=random.usize(..3) {
        let at = random.usize(..input.len());
        match random.usize(..4) {
            0 => input.truncate(at + 1),
            1 => input[at] = random.u8(..),
            2 => input[at] ^= 1 << random.usize(..8),
            _ => {
                let more = random::bytes(random, 6);
                input.splice(at..at, more);
            }
        }
    }
    input
}
