//! What it takes to make a prefix, of an id and of a whole line.

use std::hint::black_box;
use std::time::Instant;

use super::designs::{IdRow, KeyDesign, MODULUS};
use super::placed::{PlacedError, Source, key};

/// Seconds to make one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HashCost {
    /// From the id.
    pub id_s: f64,
    /// From the line.
    pub line_s: f64,
    /// Bytes of a line, on average.
    pub line_bytes: usize,
}

/// Rows whose keys are made.
const ROWS: usize = 20_000;

/// Times keys of both kinds; the time to make the lines themselves is not part of it.
pub fn hash_cost(source: &Source) -> Result<HashCost, PlacedError> {
    let rows = source.rows.min(ROWS);
    let mut lines = Vec::with_capacity(rows);
    for index in 0..rows {
        let mut line = Vec::new();
        (source.lines)(index as u64 + 1, &mut line);
        lines.push(line);
    }
    let line_bytes = lines.iter().map(Vec::len).sum::<usize>() / rows.max(1);
    let codec = KeyDesign::Md5LineMod.codec(MODULUS)?;
    let mut row = IdRow::new(0, 0);
    let begun = Instant::now();
    for (id, line) in (1..).zip(&lines) {
        row.set(id, 0, |into| into.extend_from_slice(line));
        black_box(codec.encode(&mut row)?);
    }
    let line_s = begun.elapsed().as_secs_f64() / rows.max(1) as f64;
    let codec = KeyDesign::Md5Mod.codec(MODULUS)?;
    let begun = Instant::now();
    for index in 0..rows {
        black_box(key(source, KeyDesign::Md5Mod, &codec, index, &mut row)?);
    }
    Ok(HashCost { id_s: begun.elapsed().as_secs_f64() / rows.max(1) as f64, line_s, line_bytes })
}
