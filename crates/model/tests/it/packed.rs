//! Packed cells against a map, and against bytes that are none.

use std::collections::BTreeMap;

use fastrand::Rng;
use tablesmith_model::series::packed::{Change, Packer, changed, entries};
use tablesmith_model::value::CellEncoding;

use crate::random::seeded;

type Values = Vec<Option<Vec<u8>>>;

fn encodings(random: &mut Rng) -> Vec<CellEncoding> {
    (0..random.usize(..11)).map(|_| *random.choice(&CellEncoding::ALL).unwrap()).collect()
}

fn values(random: &mut Rng, encodings: &[CellEncoding]) -> Values {
    let value = |random: &mut Rng, encoding: &CellEncoding| {
        let length = match encoding {
            CellEncoding::I64 | CellEncoding::F64 => 8,
            CellEncoding::I32 => 4,
            CellEncoding::Text | CellEncoding::Bytes => *random.choice(&[0, 1, 5, 127, 128, 300]).unwrap(),
        };
        (random.usize(..4) != 0).then(|| (0..length).map(|_| random.usize(..256) as u8).collect())
    };
    encodings.iter().map(|encoding| value(random, encoding)).collect()
}

fn offset(random: &mut Rng) -> u64 {
    match random.usize(..8) {
        0 => u64::MAX - random.usize(..3) as u64,
        1 => random.u64(..),
        _ => random.usize(..500) as u64,
    }
}

fn read(bytes: &[u8], encodings: &[CellEncoding]) -> BTreeMap<u64, Values> {
    let own = |value: Option<&[u8]>| value.map(<[u8]>::to_vec);
    let read = entries(bytes, encodings).map(Result::unwrap);
    read.map(|found| (found.offset, found.entry.values().map(own).collect())).collect()
}

#[test]
fn a_cell_that_is_changed_again_and_again_holds_what_a_map_holds() {
    let mut random = seeded("packed cells");
    for _ in 0..100 {
        let encodings = encodings(&mut random);
        let (mut map, mut cell): (BTreeMap<u64, Values>, Option<Vec<u8>>) = (BTreeMap::new(), None);
        for _ in 0..random.usize(..20) {
            let mut changes = BTreeMap::new();
            for _ in 0..random.usize(..12) {
                let at = offset(&mut random);
                if random.usize(..3) == 0 {
                    map.remove(&at);
                    changes.insert(at, Change::Remove);
                } else {
                    let values = values(&mut random, &encodings);
                    map.insert(at, values.clone());
                    changes.insert(at, Change::Write(values));
                }
            }
            let bytes = changed(cell.as_deref(), &encodings, &changes).unwrap();
            assert_eq!(read(&bytes, &encodings), map);
            let mut packer = Packer::new(&encodings);
            assert!(map.iter().all(|(offset, values)| packer.push(*offset, values)));
            assert_eq!(packer.finish(), bytes, "there is one way to write a cell");
            cell = Some(bytes);
        }
    }
}

#[test]
fn readings_out_of_order_are_not_packed() {
    let mut packer = Packer::new(&[CellEncoding::I32]);
    assert!(packer.push(7, &[Some([0; 4])]));
    assert!(!packer.push(7, &[Some([1; 4])]) && !packer.push(6, &[Some([1; 4])]));
    assert_eq!(packer.finish(), [1, 7, 0, 0, 0, 0, 0]);
}

#[test]
fn any_bytes_give_readings_or_an_error_and_then_nothing() {
    let mut random = seeded("spoilt cells");
    for _ in 0..3_000 {
        let encodings = encodings(&mut random);
        let mut packer = Packer::new(&encodings);
        let mut at = 0;
        for _ in 0..random.usize(..6) {
            at += 1 + random.usize(..300) as u64;
            let values = values(&mut random, &encodings);
            assert!(packer.push(at, &values));
        }
        let mut bytes = packer.finish();
        for _ in 0..random.usize(..4) {
            spoil(&mut random, &mut bytes);
        }
        let mut before = None;
        let mut ended = false;
        for found in entries(&bytes, &encodings) {
            assert!(!ended, "something came after an error");
            match found {
                Ok(found) => {
                    assert!(before.is_none_or(|before| before < found.offset));
                    before = Some(found.offset);
                    assert_eq!(found.entry.values().count(), encodings.len());
                }
                Err(error) => {
                    assert!(error.at <= error.length && !error.to_string().is_empty());
                    ended = true;
                }
            }
        }
        let whole = changed(Some(&bytes), &encodings, &BTreeMap::new());
        assert_eq!(whole.is_err(), ended);
    }
}

/// Changes, removes or adds a byte.
fn spoil(random: &mut Rng, bytes: &mut Vec<u8>) {
    let at = random.usize(..bytes.len() + 1);
    match random.usize(..3) {
        0 => bytes.insert(at, random.usize(..256) as u8),
        1 if at < bytes.len() => drop(bytes.remove(at)),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.usize(..8);
            }
        }
    }
}
