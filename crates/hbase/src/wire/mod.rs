//! Bytes on the wire: the preamble, frames, cell blocks. Nothing here does I/O, and nothing trusts a length.

pub(crate) mod cell_block;
pub(crate) mod frame;
pub(crate) mod handshake;

/// Bytes that are not what the protocol says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WireError(pub String);

impl From<prost::DecodeError> for WireError {
    fn from(error: prost::DecodeError) -> Self {
        Self(error.to_string())
    }
}

/// Entry points for fuzzing: each takes any bytes, and none may panic.
#[doc(hidden)]
pub mod fuzzing {
    use bytes::{Bytes, BytesMut};

    use super::{cell_block, frame};

    /// Reads cells until the block ends or is wrong; returns how many there were.
    pub fn cells(block: Bytes) -> usize {
        let mut reader = cell_block::CellBlock::new(block);
        std::iter::from_fn(|| reader.next_cell().ok()).count()
    }

    /// Takes frames off a stream of bytes until they end or are wrong; returns how many there were.
    pub fn frames(stream: &[u8], frame_bytes_max: usize) -> usize {
        let mut buffer = BytesMut::from(stream);
        let mut count = 0;
        while let Ok(Some(bytes)) = frame::next_frame(&mut buffer, frame_bytes_max) {
            count += usize::from(frame::read_reply(bytes).is_ok());
        }
        count
    }
}
