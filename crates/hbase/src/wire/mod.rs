//! Bytes on the wire: the preamble, frames, cell blocks. Nothing here does I/O, and nothing trusts a length.

pub(crate) mod cell_block;
pub(crate) mod decode;
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

/// Why an answer is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReplyError {
    /// Its bytes are not what the protocol says.
    Malformed(WireError),
    /// It would take more memory than the settings allow; the text says which one to raise.
    TooLarge(String),
}

impl From<WireError> for ReplyError {
    fn from(error: WireError) -> Self {
        Self::Malformed(error)
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
        while let Ok(Some(mut bytes)) = frame::next_frame(&mut buffer, frame_bytes_max) {
            let reply = frame::take_header(&mut bytes).and_then(|header| frame::read_reply(header, bytes));
            count += usize::from(reply.is_ok());
        }
        count
    }
}
