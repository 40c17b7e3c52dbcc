//! Rows of the kinds that settings are chosen for.

use bytes::Bytes;
use tablesmith_store::{Action, Mutation, Put};

use super::{FAMILY, bytes};

const BATCH: u64 = 1_000;
/// Files over which rows that are not compacted are spread.
const FILES: u64 = 6;
const HOUR_MS: i64 = 3_600_000;

/// A kind of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// Small rows, each in one of several files.
    Small,
    /// A few of them.
    Few,
    /// Rows of many cells, each cell in one of several files.
    Wide,
    /// Long texts.
    Texts,
    /// Long keys with short values.
    Keys,
    /// Cells that were written ten times.
    Rewritten,
    /// Nine of ten rows are older than an hour.
    Old,
}

impl Data {
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small rows, 6 files",
            Self::Few => "a small table",
            Self::Wide => "wide rows, 6 files",
            Self::Texts => "long texts",
            Self::Keys => "long keys",
            Self::Rewritten => "cells written ten times",
            Self::Old => "rows, 9 of 10 old",
        }
    }

    fn rows(self) -> u64 {
        match self {
            Self::Small | Self::Old => 300_000,
            Self::Few => 5_000,
            Self::Wide => 2_000,
            Self::Texts => 60_000,
            Self::Keys => 60_000,
            Self::Rewritten => 40_000,
        }
    }

    /// The parts that are written one after the other, each into a file.
    pub fn parts(self) -> u64 {
        match self {
            Self::Small | Self::Wide => FILES,
            Self::Rewritten => 10,
            Self::Few | Self::Texts | Self::Keys | Self::Old => 1,
        }
    }

    pub fn is_compacted(self) -> bool {
        matches!(self, Self::Rewritten | Self::Old)
    }

    /// The writes of a part.
    pub fn batches(self, part: u64) -> impl Iterator<Item = Vec<Action>> {
        let rows = self.rows();
        (0..rows).step_by(BATCH as usize).map(move |from| {
            let puts = (from..(from + BATCH).min(rows)).filter_map(|row| self.put(row, part));
            puts.map(|put| Action::Mutate(Mutation::Put(put))).collect()
        })
    }

    fn put(self, row: u64, part: u64) -> Option<Put> {
        let put = Put::new(self.key(row));
        match self {
            Self::Small if row % FILES != part => None,
            Self::Wide => {
                let cells = (0..120).filter(|cell| cell % FILES == part);
                Some(
                    cells.fold(put, |put, cell| {
                        put.add(FAMILY, qualifier(cell), text(row * 1_000 + cell, 20))
                    }),
                )
            }
            Self::Texts => Some(put.add(FAMILY, "text", prose(row, 800))),
            Self::Keys => {
                Some((0..8).fold(put, |put, cell| put.add(FAMILY, qualifier(cell), text(row + cell, 6))))
            }
            Self::Old => {
                let age_hours = if row.is_multiple_of(10) { 0 } else { 2 };
                Some(put.add_at(FAMILY, "v", now_ms() - age_hours * HOUR_MS, text(row, 60)))
            }
            Self::Small | Self::Few | Self::Rewritten => Some(put.add(FAMILY, "v", text(row + part, 60))),
        }
    }

    fn key(self, row: u64) -> Bytes {
        match self {
            Self::Keys => bytes(format!("customer-of-the-northern-branch/{row:012}/orders")),
            _ => bytes(format!("{row:010}")),
        }
    }

    /// A row and a cell of it, drawn by number.
    pub fn drawn(self, number: u64) -> (Bytes, Bytes) {
        let mixed = mix(number);
        (self.key(mixed % self.rows()), qualifier(mixed / 7 % 120))
    }
}

fn qualifier(cell: u64) -> Bytes {
    bytes(format!("c{cell:03}"))
}

fn mix(number: u64) -> u64 {
    let mixed = (number ^ 0x9E37_79B9).wrapping_mul(6_364_136_223_846_793_005);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 16
}

/// Letters that do not repeat.
fn text(seed: u64, length: usize) -> Bytes {
    let mut out = String::with_capacity(length + 16);
    let mut number = seed;
    while out.len() < length {
        number = mix(number + 1);
        out += &format!("{number:012x}");
    }
    out.truncate(length);
    bytes(out)
}

/// Words as people write them, some far more often than others.
fn prose(seed: u64, length: usize) -> Bytes {
    const WORDS: [&str; 24] = [
        "the", "of", "table", "and", "row", "a", "reads", "to", "station", "in", "is", "key", "was",
        "bicycle", "at", "returned", "with", "morning", "from", "lake", "by", "seven", "not", "family",
    ];
    let mut out = String::with_capacity(length + 16);
    let mut number = seed;
    while out.len() < length {
        number = mix(number + 1);
        let place = (number % 24).min(number / 24 % 24);
        out += WORDS.get(place as usize).copied().unwrap_or_default();
        out.push(' ');
    }
    out.truncate(length);
    bytes(out)
}

fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
