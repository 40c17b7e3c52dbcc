//! Room for the small pieces of many cells: rows and qualifiers.

use bytes::{Bytes, BytesMut};

/// The first block of an arena; a get needs no more.
const FIRST_BLOCK_BYTES: usize = 256;
/// Each further block has twice the bytes of the one before, up to this. Who keeps one piece keeps its whole block.
const MAX_BLOCK_BYTES: usize = 8 << 10;

/// Hands out bytes that share blocks of memory. A piece with an allocation of its own would need a second one as soon
/// as it is shared or shortened: its count of owners.
#[derive(Debug)]
pub(crate) struct Arena {
    free: BytesMut,
    next_block_bytes: usize,
}

impl Default for Arena {
    fn default() -> Self {
        Self { free: BytesMut::new(), next_block_bytes: FIRST_BLOCK_BYTES }
    }
}

impl Arena {
    /// A copy of `bytes`.
    pub fn copy(&mut self, bytes: &[u8]) -> Bytes {
        if self.free.capacity() < bytes.len() {
            self.free = BytesMut::with_capacity(self.next_block_bytes.max(bytes.len()));
            self.next_block_bytes = MAX_BLOCK_BYTES.min(2 * self.next_block_bytes);
        }
        self.free.extend_from_slice(bytes);
        self.free.split().freeze()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stay_as_they_were() {
        let mut arena = Arena::default();
        let pieces: Vec<Vec<u8>> = (0..1_000_usize).map(|number| vec![number as u8; number % 300]).collect();
        let copies: Vec<Bytes> = pieces.iter().map(|piece| arena.copy(piece)).collect();
        drop(arena);
        assert_eq!(copies, pieces);
    }

    #[test]
    fn a_piece_may_be_longer_than_a_block() {
        let long = vec![7; 3 * MAX_BLOCK_BYTES];
        assert_eq!(Arena::default().copy(&long), long);
    }
}
