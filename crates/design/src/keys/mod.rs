//! Row keys and split points: which key spreads the writes, and what it does to the reads.

pub mod simulate;
