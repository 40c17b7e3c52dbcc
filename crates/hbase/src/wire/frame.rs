//! Frames: a length, a header, a message, a cell block.
//!
//! ```text
//!  4 B     varint   …        varint     …          …
//! ┌──────┬────────┬────────┬──────────┬───────────┬────────────┐
//! │ size │ length │ header │ length   │ message   │ cell block │
//! └──────┴────────┴────────┴──────────┴───────────┴────────────┘
//!         ◀───────────────────── size ───────────────────────▶
//! ```
//! The header says how long the cell block is. A reply with an exception ends after its header.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use prost::Message;
use prost::encoding::{decode_varint, encode_varint, encoded_len_varint};

use super::WireError;
use crate::pb;

const SIZE_BYTES: usize = 4;

/// Adds a call to what is to be sent.
pub(crate) fn put_call(
    out: &mut BytesMut,
    header: &pb::RequestHeader,
    message: &impl Message,
    cells: &[&[u8]],
) {
    put_call_with(out, header, message.encoded_len(), cells, |out| message.encode_raw(out));
}

/// The same with a message that encodes itself into so many bytes.
pub(crate) fn put_call_with(
    out: &mut BytesMut,
    header: &pb::RequestHeader,
    message_bytes: usize,
    cells: &[&[u8]],
    encode: impl FnOnce(&mut BytesMut),
) {
    let cell_bytes = cells.iter().map(|block| block.len()).sum();
    put_head(out, header, message_bytes, cell_bytes);
    encode(out);
    cells.iter().for_each(|block| out.put_slice(block));
}

/// The same with a message that is encoded already.
pub(crate) fn put_encoded_call(out: &mut BytesMut, header: &pb::RequestHeader, message: &[u8]) {
    put_call_with(out, header, message.len(), &[], |out| out.put_slice(message));
}

/// Everything before the message.
fn put_head(out: &mut BytesMut, header: &pb::RequestHeader, message_bytes: usize, cell_bytes: usize) {
    let header_bytes = header.encoded_len();
    let size = encoded_len_varint(header_bytes as u64)
        + header_bytes
        + encoded_len_varint(message_bytes as u64)
        + message_bytes
        + cell_bytes;
    out.reserve(SIZE_BYTES + size);
    out.put_u32(size as u32);
    encode_varint(header_bytes as u64, out);
    header.encode_raw(out);
    encode_varint(message_bytes as u64, out);
}

/// Why no frame can be taken off what has arrived.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FrameError {
    /// The bytes are no frame.
    Malformed(WireError),
    /// The reply to this call has more bytes than are accepted.
    TooLarge { call_id: u32, bytes: usize },
}

/// Takes a whole frame off what has arrived, without its size; `None` when there is more to come.
pub(crate) fn next_frame(buffer: &mut BytesMut, frame_bytes_max: usize) -> Result<Option<Bytes>, FrameError> {
    let Some(bytes) = frame_size(buffer) else { return Ok(None) };
    if bytes > frame_bytes_max {
        // The header comes first and says whose reply it is: only that call has to fail for good.
        let begun = begun_call(buffer.get(SIZE_BYTES..).unwrap_or_default(), bytes);
        return begun
            .map_err(FrameError::Malformed)?
            .map_or(Ok(None), |call_id| Err(FrameError::TooLarge { call_id, bytes }));
    }
    if buffer.len() < SIZE_BYTES + bytes {
        return Ok(None);
    }
    buffer.advance(SIZE_BYTES);
    Ok(Some(buffer.split_to(bytes).freeze()))
}

/// The call that a frame answers, of which only the beginning has arrived; `None` when its header is not complete.
fn begun_call(mut begun: &[u8], frame_bytes: usize) -> Result<Option<u32>, WireError> {
    /// An exception with its stack trace is in the header; nobody's is longer.
    const HEADER_BYTES_MAX: u64 = 1 << 20;
    const VARINT_BYTES_MAX: usize = 10;
    let wrong = |what: String| WireError(format!("a frame of {frame_bytes} bytes {what}"));
    if begun.len() < VARINT_BYTES_MAX {
        return Ok(None);
    }
    let length = decode_varint(&mut begun)?;
    if length > HEADER_BYTES_MAX {
        return Err(wrong(format!("with a header of {length} bytes")));
    }
    let Some(header) = begun.get(..length as usize) else { return Ok(None) };
    let header = pb::ResponseHeader::decode(header)?;
    header.call_id.map(Some).ok_or_else(|| wrong("that answers no call".to_owned()))
}

/// How many bytes are missing to the end of the frame that has begun.
pub(crate) fn missing_bytes(buffer: &[u8]) -> usize {
    frame_size(buffer).map_or(0, |size| (SIZE_BYTES + size).saturating_sub(buffer.len()))
}

fn frame_size(buffer: &[u8]) -> Option<usize> {
    buffer.first_chunk::<SIZE_BYTES>().map(|size| u32::from_be_bytes(*size) as usize)
}

/// A reply, taken apart.
#[derive(Debug)]
pub(crate) struct RawReply {
    pub header: pb::ResponseHeader,
    pub message: Bytes,
    pub cells: Bytes,
}

/// Reads the header of a reply off its frame: which call it answers.
pub(crate) fn take_header(frame: &mut Bytes) -> Result<pb::ResponseHeader, WireError> {
    Ok(pb::ResponseHeader::decode(take_delimited(frame)?)?)
}

/// Reads the rest of a frame.
pub(crate) fn read_reply(header: pb::ResponseHeader, mut frame: Bytes) -> Result<RawReply, WireError> {
    if header.exception.is_some() {
        return Ok(RawReply { header, message: Bytes::new(), cells: Bytes::new() });
    }
    let message = take_delimited(&mut frame)?;
    let cell_bytes = header.cell_block_meta.and_then(|meta| meta.length).unwrap_or_default() as usize;
    if cell_bytes != frame.len() {
        return Err(WireError(format!("a cell block of {cell_bytes} bytes announced, {} came", frame.len())));
    }
    Ok(RawReply { header, message, cells: frame })
}

fn take_delimited(frame: &mut Bytes) -> Result<Bytes, WireError> {
    let length = decode_varint(frame)?;
    match usize::try_from(length) {
        Ok(length) if length <= frame.len() => Ok(frame.split_to(length)),
        _ => Err(WireError(format!("a part of {length} bytes announced, {} came", frame.len()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(call_id: u32, cells: &[u8]) -> BytesMut {
        let header = pb::ResponseHeader {
            call_id: Some(call_id),
            exception: None,
            cell_block_meta: Some(pb::CellBlockMeta { length: Some(cells.len() as u32) }),
        };
        let mut body = BytesMut::new();
        header.encode_length_delimited(&mut body).unwrap();
        pb::LongMsg { long_msg: 5 }.encode_length_delimited(&mut body).unwrap();
        body.put_slice(cells);
        let mut frame = BytesMut::new();
        frame.put_u32(body.len() as u32);
        frame.put_slice(&body);
        frame
    }

    fn read(mut frame: Bytes) -> Result<RawReply, WireError> {
        let header = take_header(&mut frame)?;
        read_reply(header, frame)
    }

    #[test]
    fn a_frame_comes_off_when_it_is_whole() {
        let whole = reply(3, b"cells");
        for length in 0..whole.len() {
            let mut part = BytesMut::from(&whole[..length]);
            assert_eq!(next_frame(&mut part, 1000).unwrap(), None);
        }
        let mut two = whole.clone();
        two.put_slice(&reply(4, b""));
        let first = read(next_frame(&mut two, 1000).unwrap().unwrap()).unwrap();
        assert_eq!((first.header.call_id, &first.cells[..]), (Some(3), &b"cells"[..]));
        assert_eq!(pb::LongMsg::decode(first.message).unwrap().long_msg, 5);
        assert!(next_frame(&mut two, 1000).unwrap().is_some() && two.is_empty());
    }

    #[test]
    fn a_huge_size_is_refused() {
        let mut buffer = BytesMut::from(&[0xff; 64][..]);
        assert!(matches!(next_frame(&mut buffer, 1 << 20), Err(FrameError::Malformed(_))));
    }

    #[test]
    fn a_reply_that_is_too_large_names_its_call_as_soon_as_that_is_known() {
        let whole = reply(300, &[0; 100]);
        let bytes = whole.len() - SIZE_BYTES;
        for length in 0..whole.len() {
            let mut part = BytesMut::from(&whole[..length]);
            match next_frame(&mut part, 50) {
                Ok(None) => assert!(length < 30, "{length}"),
                refused => assert_eq!(refused, Err(FrameError::TooLarge { call_id: 300, bytes }), "{length}"),
            }
        }
    }

    #[test]
    fn parts_that_reach_past_the_frame_are_refused() {
        assert!(read(Bytes::from_static(&[0xff, 0xff, 0xff, 0xff, 0x0f])).is_err());
        assert!(read(Bytes::from_static(&[])).is_err());
        let mut cut = reply(1, b"cells");
        cut.advance(SIZE_BYTES);
        let cut = cut.freeze();
        assert!(read(cut.slice(..cut.len() - 1)).is_err());
    }
}
