//! Finds the frames in a stream without waiting for whole ones.

/// The first bytes of an HBase connection, before any frame; two more follow them.
const PREAMBLE_MAGIC: &[u8] = b"HBas";
const PREAMBLE_BYTES: u64 = 6;
/// A frame begins with its length as a big-endian integer of this many bytes.
const LENGTH_BYTES: usize = 4;

/// A stream cut into pieces.
#[derive(Debug, Default)]
pub(super) struct Frames {
    waiting: Vec<u8>,
    left_in_frame: u64,
    next_number: u64,
    passed: u64,
}

/// A piece of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A frame begins here.
    Begin { number: u64, begins_at: u64, bytes: u64 },
    /// Some bytes of the frame.
    Bytes(Vec<u8>),
}

impl Frames {
    /// Adds what was read.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
    }

    /// The next piece; none until more was read.
    pub(super) fn next(&mut self) -> Option<Piece> {
        if self.left_in_frame == 0 {
            return self.begin();
        }
        if self.waiting.is_empty() {
            return None;
        }
        let count = usize::try_from(self.left_in_frame).unwrap_or(usize::MAX).min(self.waiting.len());
        let bytes: Vec<u8> = self.waiting.drain(..count).collect();
        self.left_in_frame -= count as u64;
        self.passed += count as u64;
        Some(Piece::Bytes(bytes))
    }

    fn begin(&mut self) -> Option<Piece> {
        let head: [u8; LENGTH_BYTES] = self.waiting.get(..LENGTH_BYTES)?.try_into().ok()?;
        let is_preamble = self.passed == 0 && head == PREAMBLE_MAGIC;
        let bytes = if is_preamble {
            PREAMBLE_BYTES
        } else {
            LENGTH_BYTES as u64 + u64::from(u32::from_be_bytes(head))
        };
        let number = self.next_number;
        self.next_number += 1;
        self.left_in_frame = bytes;
        Some(Piece::Begin { number, begins_at: self.passed, bytes })
    }

    /// What is left when the stream ends: part of a length.
    pub(super) fn rest(self) -> Vec<u8> {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(number: u64, begins_at: u64, bytes: u64) -> Piece {
        Piece::Begin { number, begins_at, bytes }
    }

    #[test]
    fn the_preamble_and_frames_in_single_bytes() {
        let stream = b"HBas\0P\0\0\0\x02ab\0\0\0\0\0\0";
        let mut frames = Frames::default();
        let (mut begins, mut passed) = (Vec::new(), Vec::new());
        for byte in stream {
            frames.push(&[*byte]);
            while let Some(piece) = frames.next() {
                match piece {
                    Piece::Bytes(bytes) => passed.extend(bytes),
                    piece => begins.push(piece),
                }
            }
        }
        assert_eq!(begins, [begin(0, 0, 6), begin(1, 6, 6), begin(2, 12, 4)]);
        passed.extend(frames.rest());
        assert_eq!(passed, stream);
    }

    #[test]
    fn several_frames_in_one_read() {
        let mut frames = Frames::default();
        frames.push(b"\0\0\0\x01a\0\0\0\x01b");
        let pieces: Vec<_> = std::iter::from_fn(|| frames.next()).collect();
        let bytes = |text: &[u8]| Piece::Bytes(text.to_vec());
        assert_eq!(pieces, [begin(0, 0, 5), bytes(b"\0\0\0\x01a"), begin(1, 5, 5), bytes(b"\0\0\0\x01b")]);
    }
}
